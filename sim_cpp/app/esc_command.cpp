// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/commands.hpp"
#include "systems/esc/scheme/batch.hpp"
#include "systems/esc/scheme/result_io.hpp"

namespace muster::app {

namespace {

struct EscOptions {
  esc::Spec spec;
  std::string policy = "bypass", engine = "golden", pattern = "uniform", release = "direct";
  std::vector<std::string> faults;
  bool no_checkers = false;
  CommonOptions common;
};

void add_options(CLI::App& esc, EscOptions& o) {
  esc::Spec& s = o.spec;
  add_number(esc, "--pes", s.pes, "N, a power of the box size, up to 65536")->capture_default_str();
  add_number(esc, "--box", s.box.size, "n of the n x n boxes: 2, 4 or 8")->capture_default_str();
  add_number(esc, "--buffer", s.box.depth, "S, packets in an output buffer of a box, 1 to 64")
      ->capture_default_str();
  esc.add_option("--rate", s.rate, "gamma, background messages per PE and cycle, below 1")
      ->capture_default_str();
  esc.add_option("--sigma", s.sigma, "Standard deviation of the synchronization times, cycles")
      ->capture_default_str();
  esc.add_option("--mean", s.mean, "Their mean; default 3000, or more if sigma asks for it");
  esc.add_option("--policy", o.policy,
                 "bypass, isolated-bg, isolated-hs, hot-section:K, throttle:T, adaptive, combining")
      ->capture_default_str();
  add_number(esc, "--sessions", s.sessions, "Active sessions")->capture_default_str();
  add_number(esc, "--hot", s.hot, "The coordinator; default drawn for each session", 0, 0xffffffff);
  add_number(esc, "--hot-spots", s.hot_spots, "So many groups synchronize at once")
      ->capture_default_str();
  esc.add_option("--pattern", o.pattern,
                 "Destinations of background: uniform, bit-reversal, transpose")
      ->capture_default_str();
  esc.add_option("--release", o.release,
                 "The response of the coordinator: direct, or by the network as a broadcast")
      ->check(CLI::IsMember({"direct", "network"}))
      ->capture_default_str();
  esc.add_option("--fault", o.faults,
                 "A faulty part, repeatable: box:STAGE:BOX, link:STAGE:LINK or bypass:STAGE:LINK");
  esc.add_option("--engine", o.engine, "golden, rtl or lockstep")->capture_default_str();
  add_number(esc, "--threads", s.threads,
             "Sessions at a time; the result is the same for any number", 1, 256)
      ->capture_default_str();
  esc.add_flag("--no-checkers", o.no_checkers, "Do not check the links");
  add_common(esc, o.common);
}

}  // namespace

void add_esc(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<EscOptions>();
  options->spec.threads = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command =
      app.add_subcommand("esc", "Hot spots in an Extra Stage Cube of interchange boxes");
  add_options(*command, *options);
  command->callback([options, command, &context, &status] {
    esc::Spec& spec = options->spec;
    esc::set_policy(spec, options->policy);
    spec.pattern = esc::pattern_named(options->pattern);
    spec.release = options->release == "network" ? esc::Release::kNetwork : esc::Release::kDirect;
    spec.checkers = !options->no_checkers;
    for (const std::string& text : options->faults) spec.faults.push_back(esc::fault_named(text));
    spec.seed = options->common.seed;
    if (command->count("--mean") == 0) spec.mean = std::max(3000.0, esc::least_mean(spec.sigma));
    esc::validate(spec);
    const fabric::BankFactory& engine = context.engines->find(options->engine);
    Outputs outputs;
    outputs.writes("--json", options->common.json);
    const std::string warning = esc::capacity_warning(spec);
    if (!warning.empty()) fmt::print(stderr, "muster: warning: {}\n", warning);
    const esc::BatchResult result =
        esc::run_batch(spec, engine, [&spec](std::uint32_t done, std::uint64_t cycle) {
          show_progress(fmt::format("{} of {} sessions done, another in cycle {}", done,
                                    spec.sessions, cycle));
        });
    Provenance origin = context.origin;
    origin.seed = spec.seed;
    deliver(
        options->common, outputs, [&] { return esc::batch_to_json(spec, result, origin); },
        [&] { return esc::batch_to_text(spec, result); });
    if (result.violations != 0) status = 1;
  });
}

}  // namespace muster::app
