// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "core/parallel.hpp"
#include "core/ratio_estimate.hpp"
#include "run/data_traffic.hpp"
#include "run/saturation.hpp"
#include "run/waits.hpp"
#include "topology/route_walk.hpp"

namespace muster::app {

namespace {

/// Fewer say nothing of a backlog that grows (run::BacklogTrend), more take hours.
constexpr std::uint64_t kFewestCycles = 10'000, kMostLoadCycles = 10'000'000;

/// The options of `muster saturate` as typed.
struct SaturateOptions {
  SaturateOptions();

  run::RunSpec spec;  ///< what is a member of it as typed
  std::string file;
  std::uint32_t repeat = 3;
  std::optional<std::uint32_t> threads;  ///< none: all
  std::uint64_t cycles = 20'000;
  double tolerance = 0.02;
  run::Fields spec_fields, fields;  ///< of these
  CommonOptions common;
};

SaturateOptions::SaturateOptions() {
  spec.warmup = kSettling;
  run::describe(spec_fields, spec);
  fields.text("FILE", file, kNetworkHelp);
  fields.number("--repeat", repeat, 1, kMostRepeats,
                "Runs at each load, with seeds from --seed on");
  fields.real("--tolerance", tolerance, 0.001, 0.5,
              "Width of the interval at which the search ends, as a share of the route bound");
  fields.number("--warmup", spec.warmup, 0, kMostLoadCycles, "Cycles before the measurement");
  fields.number("--cycles", cycles, kFewestCycles, kMostLoadCycles, "Cycles of the measurement");
  fields.number("--threads", threads, 1, run::kMostThreads,
                "Simultaneous runs; default: all cores");
}

run::RunSpec data_alone(const SaturateOptions& options, const RunNetwork& network) {
  run::RunSpec spec = options.spec;
  spec.scheme = run::find_scheme(spec.scheme).scheme.name;
  spec.graph = network.graph;
  spec.routes = routes_in(network, spec);
  spec.engine = run::make_golden_engine();
  if (spec.graph->nodes() < 2) throw InputError("{}: data need at least two nodes", options.file);
  spec.min_cycles = spec.warmup + options.cycles;
  spec.seed = options.common.seed;
  return spec;
}

/// Runs a load with all seeds. None: it was interrupted.
std::optional<run::Probe> measure(const SaturateOptions& options, run::SaturationReport& report,
                                  const Interruption& interruption, double load) {
  const auto stop = [&] { return interruption.requested(); };
  const auto results = core::run_parallel(
      options.repeat, runs_at_once(options.threads),
      [&](std::uint32_t i, unsigned /*worker*/) {
        run::RunSpec spec = report.spec;
        spec.load_flits = load;
        spec.seed += i;
        spec.interrupted = stop;
        return run::run_barriers(*resolve(options.file, std::move(spec)));
      },
      [&](std::uint32_t done) {
        show_progress(
            fmt::format("load {:.4f} flits/node/cycle, run {} of {}", load, done, options.repeat));
      },
      stop);
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const std::string& violation : results[i].violations)
      report.violations.push_back(
          fmt::format("load {:.4f}, seed {}: {}", load, options.common.seed + i, violation));
  if (stop()) return std::nullopt;
  core::RatioEstimate accepted, latency;
  run::Probe probe{.load = load, .runs = options.repeat};
  for (const run::RunResult& result : results) {
    probe.saturated += result.data->saturated;
    accepted.add(result.data->accepted, 1);
    latency.add(result.data->latency_mean, 1);
  }
  probe.accepted = *accepted.mean();
  probe.packet_latency = *latency.mean();
  return probe;
}

void saturate(const SaturateOptions& options, const Context& context, int& status) {
  options.fields.check();
  Outputs outputs;
  outputs.reads(options.file);
  outputs.writes("--json", options.common.json);
  run::SaturationReport report;
  report.spec = data_alone(options, read_network(options.file));
  report.config = resolve(options.file, report.spec)->config;
  report.repeat = options.repeat;
  report.tolerance = options.tolerance;
  report.route_bound = topology::route_bound_flits_per_node_cycle(
      topology::uniform_loads(*report.spec.graph, *report.spec.routes));
  report.pattern_bound =
      topology::route_bound_flits_per_node_cycle(run::offered_loads(report.spec));
  const Interruption interruption;
  report.found = run::find_saturation(
      {.first = report.route_bound,
       .most = 1.0,
       .tolerance = options.tolerance * report.route_bound},
      [&](double load) { return measure(options, report, interruption, load); });
  deliver(
      options.common, outputs, [&](core::Record& r) { run::describe(r, report, context.origin); },
      [&] { return run::saturation_to_text(report); }, !report.violations.empty());
  status = interruption.end(report.found.verdict == run::Verdict::kInterrupted,
                            !report.violations.empty(), "the result has the complete loads");
}

}  // namespace

void add_saturate(CLI::App& app, const Context& context, int& status) {
  auto o = std::make_shared<SaturateOptions>();
  CLI::App& command =
      *app.add_subcommand("saturate", "Measure the data load at which a network saturates");
  add_fields(command, o->fields);
  const std::string of_runs[] = {"--scheme",  "--config", "--packet-length", "--packet-mix",
                                 "--pattern", "--routes", "--no-checkers"};
  add_fields(command, o->spec_fields, of_runs);
  command.get_option("--packet-mix")->excludes("--packet-length");
  add_common(command, o->common);
  command.callback([o, &context, &status] { saturate(*o, context, status); });
}

}  // namespace muster::app
