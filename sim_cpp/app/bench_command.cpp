// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/commands.hpp"
#include "bench/report.hpp"

namespace muster::app {

void add_bench(CLI::App& app, const Context& context) {
  struct Options {
    bool quick = false;
    CommonOptions common;
  };
  auto options = std::make_shared<Options>();
  CLI::App* bench = app.add_subcommand(
      "bench", "Measure speed and latencies; missed goals are printed and do not fail");
  bench->add_flag("--quick", options->quick, "Small networks; takes seconds, not a minute");
  add_common(*bench, options->common);
  bench->callback([options, &context] {
    Outputs outputs;
    outputs.writes("--json", options->common.json);
    bench::Setting setting;
    setting.engines = context.engines;
    setting.seed = options->common.seed;
    setting.quick = options->quick;
    setting.progress = [](const std::string& group) { show_progress("measuring " + group); };
    const bench::Report report = bench::measure_all(setting);
    Provenance origin = context.origin;
    origin.seed = setting.seed;
    deliver(
        options->common, outputs, [&] { return bench::report_to_json(report, setting, origin); },
        [&] { return bench::report_to_text(report); });
  });
}

}  // namespace muster::app
