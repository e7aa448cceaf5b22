// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "app/commands.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "core/parallel.hpp"
#include "muster/fabric/layout.hpp"
#include "run/comparison.hpp"
#include "run/links/link_plan.hpp"
#include "topology/route_walk.hpp"

namespace muster::app {

namespace {

/// Of `muster run`, options that say what is compared here, or that show one run.
const std::vector<std::string> kWithout{
    "--scheme",    "--config",      "--load",    "--load-flits", "--no-barriers",
    "--repeat",    "--wave",        "--wave-at", "--wave-only",  "--page",
    "--page-from", "--page-cycles", "--trace",   "--min-cycles", "--packets"};

/// The search for the saturation is coarser than that of `muster saturate`: one run of fewer cycles
/// a load, and an interval of this share of the route bound.
constexpr std::uint64_t kSearchCycles = 10'000;
constexpr double kSearchTolerance = 0.05;

/// NICs ask the dead many times; a comparison waits no longer for a group that cannot go on.
constexpr std::uint64_t kWaitAfterDeaths = 200'000;

struct CompareOptions {
  CompareOptions() { run.spec.barriers = 50; }

  RunOptions run;
  std::vector<std::string> loads{"0", "0.2", "0.4"};
  bool no_saturation = false;
  run::Fields fields;  ///< of these
};

std::vector<double> loads_of(const CompareOptions& options) {
  std::vector<double> loads;
  for (const std::string& text : options.loads) {
    char* end = nullptr;
    const double load = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(load >= 0.0 && std::isfinite(load)))
      throw InputError("--load '{}': is not a number, 0 or more", text);
    loads.push_back(load);
  }
  return loads;
}

/// Messages that nodes put on their links, in a run without data.
class SentMessages : public core::Observer {
 public:
  SentMessages(const topology::Graph& graph, const fabric::SwitchConfig& config)
      : from_node_(2 * (graph.links().size() + graph.nodes()), false),
        kind_(config.kind->message_flits != nullptr ? core::Flit::kFirst : core::Flit::kSync) {
    const fabric::Layout layout(graph);
    for (topology::NodeId n = 0; n < graph.nodes(); ++n) from_node_[layout.into_switch(n)] = true;
  }
  void observe(std::uint64_t, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& event : flits) {
      if (event.channel >= from_node_.size()) continue;  // behind a pipe or a pair of link ends
      const bool message = event.flit.sync() ? event.flit.kind == kind_ : event.flit.head();
      count_ += message && from_node_[event.channel];
    }
  }
  std::uint64_t count() const { return count_; }

 private:
  std::vector<bool> from_node_;
  std::uint8_t kind_;  ///< of the first flit of a message that is no packet
  std::uint64_t count_ = 0;
};

/// Everything of one comparison: prepared, then measured by jobs.
class Comparer {
 public:
  /// Throws InputError for what no scheme can do.
  Comparer(CompareOptions& options, const Context& context)
      : options_(options), engines_(*context.engines), network_(read_network(options.run.file)) {
    found_.loads = loads_of(options);
    found_.spec = specify(run::find_scheme("").scheme.name, 0.0);
    found_.route_bound = topology::route_bound_flits_per_node_cycle(
        topology::uniform_loads(*network_.graph, *found_.spec.routes));
    if (found_.spec.groups.empty()) throw InputError("--group: name at least one group");
    for (const auto& system : run::systems())
      for (const run::SchemeFactory& scheme : system->schemes())
        found_.schemes.push_back({.scheme = scheme.name, .about = scheme.about});
    for (run::ComparedScheme& scheme : found_.schemes) prepare(scheme);
    const auto& first = found_.schemes.front();
    const auto every = [&](auto&& holds) { return std::ranges::all_of(found_.schemes, holds); };
    if (every([](const auto& scheme) { return scheme.unsupported.empty(); })) return;
    if (every([&](const auto& scheme) { return scheme.unsupported == first.unsupported; }))
      throw InputError(first.unsupported);
    if (every([](const auto& scheme) { return !scheme.unsupported.empty(); }))
      throw InputError("no scheme can run here; scheme '{}': {}", first.scheme, first.unsupported);
  }

  void measure(const Interruption& interruption) {
    const Stop stop = [&] { return interruption.requested(); };
    const auto count = static_cast<std::uint32_t>(jobs_.size());
    const std::uint32_t done = core::run_jobs(
        count, runs_at_once(options_.run.threads),
        [&](std::uint32_t i, unsigned /*worker*/) { jobs_[i](stop); },
        [&](std::uint32_t finished) {
          show_progress(fmt::format("run {} of {}", finished, count));
        },
        stop);
    found_.interrupted = done < count || stop();
    for (run::ComparedScheme& scheme : found_.schemes) {
      std::erase_if(scheme.loads, [](const run::ComparedLoad& l) { return !l.measured; });
      if (const auto at = saturations_.find(switches_of(scheme.config));
          at != saturations_.end() && at->second.verdict != run::Verdict::kInterrupted)
        scheme.saturation = at->second;
    }
  }

  const run::Comparison& found() const { return found_; }
  /// A check failed, or a run hung.
  bool failed() const { return failed_; }

 private:
  using Stop = std::function<bool()>;

  /// What data alone depend on.
  static std::string switches_of(const fabric::SwitchConfig& config) {
    return fmt::format("{} {}", config.kind == nullptr ? "" : config.kind->name, config.name);
  }

  run::RunSpec specify(const std::string& scheme, double load) {
    options_.run.spec.scheme = scheme;
    options_.run.load = load;
    run::RunSpec spec = app::specify(options_.run, network_, engines_, options_.run.common.seed,
                                     OtherOptions::kIgnored);
    spec.threads = 1;  // schemes and loads run at once
    if (!spec.deaths.empty() && spec.max_wait == 0) spec.max_wait = kWaitAfterDeaths;
    return spec;
  }

  void prepare(run::ComparedScheme& to) {
    std::vector<run::RunSpec> specs;
    try {
      specs.push_back(specify(to.scheme, 0.0));
      const auto resolved = run::resolve(specs.front());
      to.config = resolved->config;
      to.hardware.push_back(run::luts_of(to.config, network_.graph->switches()));
      if (const std::string block = resolved->plan->node_block(to.config); !block.empty())
        to.hardware.push_back(run::luts_of(block, network_.graph->nodes()));
      if (resolved->spec.links.retry) {
        const auto links = network_.graph->links().size() + network_.graph->nodes();
        to.hardware.push_back(run::luts_of(run::link_config(resolved->spec, to.config).name,
                                           static_cast<std::uint32_t>(2 * links)));
      }
      for (const double load : found_.loads) specs.push_back(specify(to.scheme, load));
    } catch (const InputError& error) {
      to.unsupported = error.what();
      return;
    }
    to.survives = survived(run::find_scheme(to.scheme).scheme, specs.front());
    to.loads.resize(found_.loads.size());
    jobs_.push_back(
        [this, &to, spec = specs.front()](const Stop& stop) { count_messages(to, spec, stop); });
    for (std::size_t l = 0; l < found_.loads.size(); ++l)
      jobs_.push_back(
          [this, &at = to.loads[l], load = found_.loads[l],
           spec = std::move(specs[l + 1])](const Stop& stop) { at = run_load(load, spec, stop); });
    if (options_.no_saturation || network_.graph->nodes() < 2) return;
    if (!saturations_.emplace(switches_of(to.config), run::Saturation{}).second) return;
    jobs_.push_back([this, &to](const Stop& stop) {
      saturations_.at(switches_of(to.config)) = saturation(to, stop);
    });
  }

  /// Faults that the scheme survives on this network.
  std::vector<std::string> survived(const run::SchemeFactory& scheme, run::RunSpec spec) const {
    std::vector<std::string> faults;
    const bool reroutes = !spec.routing;
    if (!scheme.repeats.empty()) faults.push_back(scheme.repeats);
    if (scheme.reroutes_dead_links && reroutes)
      faults.emplace_back("links declared dead (--kill-link)");
    try {
      spec.links.retry = true;
      run::resolve(std::move(spec));
    } catch (const InputError&) {
      return faults;
    }
    faults.emplace_back("lost and corrupted frames (--link-retry)");
    if (scheme.survives_deaths && reroutes)
      faults.push_back(fmt::format(
          "deaths that cost the group {} (--kill-switch, --kill-node, --cut-link)",
          scheme.repeats.empty() ? "no message" : "messages, if they are repeated, and no member"));
    return faults;
  }

  void count_messages(run::ComparedScheme& to, run::RunSpec spec, const Stop& stop) {
    const auto sent = std::make_shared<SentMessages>(*network_.graph, to.config);
    spec.observers.push_back(sent);
    spec.deaths.clear();  // a barrier that is not done has messages too
    spec.interrupted = stop;
    const run::RunResult result = run::run_barriers(*resolve(options_.run.file, std::move(spec)));
    check(result);
    if (result.end != run::End::kInterrupted && !result.barriers.empty())
      to.messages =
          static_cast<double>(sent->count()) / static_cast<double>(result.barriers.size());
  }

  void check(const run::RunResult& result) {
    if (result.end == run::End::kHang || !result.violations.empty()) failed_ = true;
  }

  run::ComparedLoad run_load(double load, run::RunSpec spec, const Stop& stop) {
    spec.interrupted = stop;
    const run::RunResult result = run::run_barriers(*resolve(options_.run.file, std::move(spec)));
    run::ComparedLoad found{.load = load,
                            .mean = result.latency_mean,
                            .p99 = result.latency_p99,
                            .saturated = result.data && result.data->saturated,
                            .measured = result.end != run::End::kInterrupted};
    for (const run::BarrierRecord& barrier : result.barriers) {
      found.hops += static_cast<double>(barrier.hops) / static_cast<double>(result.barriers.size());
      ++(barrier.failed ? found.failed : found.done);
    }
    if (!result.stopped.empty()) found.trouble = result.stopped.front();
    if (!result.violations.empty()) found.trouble = result.violations.front();
    check(result);
    return found;
  }

  run::Saturation saturation(const run::ComparedScheme& of, const Stop& stop) {
    run::RunSpec data;
    data.scheme = of.scheme;
    data.graph = network_.graph;
    data.routes = found_.spec.routes;
    data.routing = found_.spec.routing;
    data.config = of.config;
    data.packet_length = found_.spec.packet_length;
    data.packet_mix = found_.spec.packet_mix;
    data.pattern_name = found_.spec.pattern_name;
    data.warmup = kSettling;
    data.min_cycles = kSettling + kSearchCycles;
    data.seed = found_.spec.seed;
    data.checkers = found_.spec.checkers;
    data.interrupted = stop;
    const auto measure = [&](double load) -> std::optional<run::Probe> {
      data.load_flits = load;
      const run::RunResult result = run::run_barriers(*resolve(options_.run.file, data));
      if (stop()) return std::nullopt;
      check(result);
      return run::Probe{.load = load,
                        .runs = 1,
                        .saturated = result.data->saturated ? 1u : 0u,
                        .accepted = result.data->accepted,
                        .packet_latency = result.data->latency_mean};
    };
    return run::find_saturation({.first = found_.route_bound,
                                 .most = 1.0,
                                 .tolerance = kSearchTolerance * found_.route_bound},
                                measure);
  }

  CompareOptions& options_;
  const fabric::EngineRegistry& engines_;
  RunNetwork network_;
  run::Comparison found_;
  std::vector<std::function<void(const Stop&)>> jobs_;
  std::map<std::string, run::Saturation> saturations_;
  std::atomic<bool> failed_ = false;
};

void compare(CompareOptions& options, const Context& context, int& status) {
  const CommonOptions& common = options.run.common;
  Outputs outputs;
  outputs.reads(options.run.file);
  outputs.writes("--json", common.json);
  Comparer comparer(options, context);
  const Interruption interruption;
  comparer.measure(interruption);
  const run::Comparison& found = comparer.found();
  deliver(
      common, outputs, [&](core::Record& r) { run::describe(r, found, context.origin); },
      [&] { return run::comparison_to_text(found); }, comparer.failed());
  status =
      interruption.end(found.interrupted, comparer.failed(), "the result has what was complete");
}

}  // namespace

void add_compare(CLI::App& app, const Context& context, int& status) {
  auto o = std::make_shared<CompareOptions>();
  CLI::App& command = *app.add_subcommand(
      "compare", "Measure every scheme on a network: latencies, messages, saturation, hardware");
  o->fields.texts("--load", o->loads,
                  "Background data, as a share of the route bound; repeat it for several loads");
  o->fields.flag("--no-saturation", o->no_saturation, "Do not search for the saturation of data");
  add_fields(command, o->fields);
  add_run_options(command, o->run, *context.engines, kWithout);
  command.callback([o, &context, &status] { compare(*o, context, status); });
}

}  // namespace muster::app
