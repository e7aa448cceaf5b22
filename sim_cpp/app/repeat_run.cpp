// SPDX-License-Identifier: Apache-2.0
#include "app/repeat_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/interruption.hpp"
#include "core/parallel.hpp"
#include "muster/core/error.hpp"
#include "muster/run/result_io.hpp"
#include "muster/run/run.hpp"
#include "run/results/repeated.hpp"

namespace muster::app {

void repeat_run(const RunOptions& options, const RunNetwork& network, const Context& context,
                int& status) {
  if (!options.wave.empty())
    throw InputError("--repeat: a waveform shows one run; omit --repeat or --wave");
  if (!options.page.empty() || !options.trace.empty())
    throw InputError("--repeat: a page shows one run; omit --repeat, or --page and --trace");
  Outputs outputs;
  outputs.reads(options.file);
  outputs.writes("--json", options.common.json);
  const Interruption interruption;
  std::vector<run::RunSpec> specs;
  for (std::uint32_t i = 0; i < options.repeat; ++i) {
    specs.push_back(specify(options, network, *context.engines, options.common.seed + i));
    specs.back().interrupted = [&interruption] { return interruption.requested(); };
  }
  const auto results = core::run_parallel(
      options.repeat, runs_at_once(options.threads),
      [&](std::uint32_t i, unsigned /*worker*/) {
        return run::run_barriers(*resolve(options.file, specs[i]));
      },
      [&](std::uint32_t done) { show_progress(fmt::format("run {} of {}", done, options.repeat)); },
      [&] { return interruption.requested(); });
  if (run::were_interrupted(results, options.repeat)) status = interruption.status();
  if (results.empty()) return interruption.report("no run was begun");
  Provenance origin = context.origin;
  origin.seed = options.common.seed;
  deliver(
      options.common, outputs,
      [&] { return run::repeated_to_json(specs.front(), results, options.repeat, origin); },
      [&] {
        return run::switches_to_text(specs.front(), results.front().config) +
               run::repeated_to_text(specs.front(), results, options.repeat);
      });
  if (status != 0) interruption.report("the result has the complete runs");
  if (std::any_of(results.begin(), results.end(), [](const run::RunResult& r) {
        return !r.ok() && r.end != run::End::kInterrupted;
      }))
    status = 1;
}

}  // namespace muster::app
