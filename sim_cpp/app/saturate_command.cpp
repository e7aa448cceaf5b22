// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "core/parallel.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/core/error.hpp"
#include "muster/run/run.hpp"
#include "run/configurations.hpp"
#include "run/data_traffic.hpp"
#include "run/saturation.hpp"
#include "topology/route_walk.hpp"

namespace muster::app {

namespace {

/// Fewer say nothing of a backlog that grows (run::BacklogTrend), more take hours.
constexpr std::uint64_t kFewestCycles = 10'000, kMostLoadCycles = 10'000'000;
constexpr double kLeastTolerance = 0.001, kMostTolerance = 0.5;

/// The options of `muster saturate` as typed.
struct SaturateOptions {
  std::string file, scheme, config, pattern = "uniform";
  std::uint32_t packet_length = 8, repeat = 3, threads = 0;
  std::uint64_t warmup = kSettling, cycles = 20'000;
  double tolerance = 0.02;
  bool no_checkers = false;
  CommonOptions common;
};

run::RunSpec data_alone(const SaturateOptions& options, const RunNetwork& network) {
  run::RunSpec spec;
  spec.graph = network.graph;
  spec.routes = network.routes;
  spec.engine = run::make_golden_engine();
  spec.scheme = run::find_scheme(options.scheme).scheme.name;
  if (!options.config.empty()) spec.config = run::configuration(options.config);
  if (spec.graph->nodes() < 2)
    throw InputError(fmt::format("{}: data need at least two nodes", options.file));
  spec.pattern = run::find_pattern(options.pattern, spec.graph->nodes());
  spec.packet_length = options.packet_length;
  spec.warmup = options.warmup;
  spec.min_cycles = options.warmup + options.cycles;
  spec.checkers = !options.no_checkers;
  spec.seed = options.common.seed;
  return spec;
}

/// Runs a load with all seeds.
class LoadMeasure {
 public:
  LoadMeasure(const SaturateOptions& options, run::SaturationReport& report,
              const Interruption& interruption)
      : options_(options), report_(report), interruption_(interruption) {}

  std::optional<run::Probe> operator()(double load) {
    const auto results = core::run_parallel(
        options_.repeat, runs_at_once(options_.threads),
        [&](std::uint32_t i, unsigned /*worker*/) { return run_once(load, i); },
        [&](std::uint32_t done) {
          show_progress(fmt::format("load {:.4f} flits/node/cycle, run {} of {}", load, done,
                                    options_.repeat));
        },
        [&] { return interruption_.requested(); });
    for (std::size_t i = 0; i < results.size(); ++i)
      for (const std::string& violation : results[i].violations)
        report_.violations.push_back(
            fmt::format("load {:.4f}, seed {}: {}", load, options_.common.seed + i, violation));
    if (interruption_.requested()) return std::nullopt;
    core::RatioEstimate accepted, latency;
    run::Probe probe{.load = load, .runs = options_.repeat};
    for (const run::RunResult& result : results) {
      probe.saturated += result.data->saturated;
      accepted.add(result.data->accepted, 1);
      latency.add(result.data->latency_mean, 1);
    }
    probe.accepted = *accepted.mean();
    probe.packet_latency = *latency.mean();
    return probe;
  }

 private:
  run::RunResult run_once(double load, std::uint32_t index) const {
    run::RunSpec spec = report_.spec;
    spec.load_flits = load;
    spec.seed += index;
    spec.interrupted = [this] { return interruption_.requested(); };
    return run::run_barriers(*resolve(options_.file, std::move(spec)));
  }

  const SaturateOptions& options_;
  run::SaturationReport& report_;
  const Interruption& interruption_;
};

void saturate(const SaturateOptions& options, const Context& context, int& status) {
  if (!(options.tolerance >= kLeastTolerance && options.tolerance <= kMostTolerance))
    throw InputError(fmt::format("--tolerance {}: is not in {} to {}", options.tolerance,
                                 kLeastTolerance, kMostTolerance));
  Outputs outputs;
  outputs.reads(options.file);
  outputs.writes("--json", options.common.json);
  run::SaturationReport report;
  report.spec = data_alone(options, read_network(options.file));
  report.config = resolve(options.file, report.spec)->config;
  report.pattern = options.pattern;
  report.repeat = options.repeat;
  report.tolerance = options.tolerance;
  report.route_bound = topology::route_bound_flits_per_node_cycle(
      topology::uniform_loads(*report.spec.graph, *report.spec.routes));
  const Interruption interruption;
  report.found = run::find_saturation({.first = report.route_bound,
                                       .most = 1.0,
                                       .tolerance = options.tolerance * report.route_bound},
                                      LoadMeasure(options, report, interruption));
  Provenance origin = context.origin;
  deliver(
      options.common, outputs, [&] { return run::saturation_to_json(report, origin); },
      [&] { return run::saturation_to_text(report); });
  if (report.found.verdict == run::Verdict::kInterrupted) {
    interruption.report("the result has the complete loads");
    status = interruption.status();
  }
  if (!report.violations.empty()) status = 1;
}

}  // namespace

void add_saturate(CLI::App& app, const Context& context, int& status) {
  auto o = std::make_shared<SaturateOptions>();
  CLI::App& command =
      *app.add_subcommand("saturate", "Measure the data load at which a network saturates");
  command.add_option("FILE", o->file, "Network: JSON, GraphML, BookSim anynet or ibnetdiscover")
      ->required();
  command.add_option("--scheme", o->scheme, "Whose switches: " + run::scheme_names())
      ->check(known_to(run::find_scheme))
      ->capture_default_str();
  add_text(command, "--config", o->config, "Switch configuration; default as with muster run")
      ->check(known_to(run::configuration));
  add_choice(command, "--pattern", o->pattern, run::pattern_names(), "Where packets go")
      ->capture_default_str();
  add_number(command, "--packet-length", o->packet_length, "Flits of a data packet",
             fabric::kMinDataFlits, run::kMostDataFlits)
      ->capture_default_str();
  add_number(command, "--repeat", o->repeat, "Runs at each load, with seeds from --seed on", 1,
             kMostRepeats)
      ->capture_default_str();
  add_real(command, "--tolerance", o->tolerance,
           "Width of the interval at which the search ends, as a share of the route bound")
      ->capture_default_str();
  add_number(command, "--warmup", o->warmup, "Cycles before the measurement", 0, kMostLoadCycles)
      ->capture_default_str();
  add_number(command, "--cycles", o->cycles, "Cycles of the measurement", kFewestCycles,
             kMostLoadCycles)
      ->capture_default_str();
  add_number(command, "--threads", o->threads, "Simultaneous runs; default: all cores", 1,
             run::kMostThreads);
  command.add_flag("--no-checkers", o->no_checkers, "Do not check the links");
  add_common(command, o->common);
  command.callback([o, &context, &status] { saturate(*o, context, status); });
}

}  // namespace muster::app
