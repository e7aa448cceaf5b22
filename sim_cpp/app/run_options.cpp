// SPDX-License-Identifier: Apache-2.0
#include "app/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "app/block_names.hpp"
#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/run/option_values.hpp"
#include "muster/run/system.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/load_file.hpp"
#include "run/configurations.hpp"
#include "topology/routes/load.hpp"

namespace muster::app {

namespace {

using topology::Graph;
using topology::NodeId;

std::uint32_t switch_in_waves(const Graph& graph, const std::string& scheme,
                              const std::string& name) {
  return switch_named(graph, name, "--wave-only",
                      fmt::format("; the waveform of scheme '{}' records switches", scheme));
}

NodeId node_in_waves(const Graph& graph, const std::string& name) {
  try {
    return topology::parse_members(graph, {name}).front();
  } catch (const InputError& error) {
    throw InputError(fmt::format(
        "--wave-only: the waveform of this scheme records the NICs, named by their nodes: {}",
        error.what()));
  }
}

/// Every group and member that the named node is.
void add_absences(const Graph& graph, const std::string& text, run::RunSpec& spec) {
  const auto [node, barrier] = run::split_at(text, "--absent", spec.barriers - 1);
  const NodeId id = node_named(graph, node, fmt::format("--absent '{}'", text));
  const std::size_t before = spec.absent.size();
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    // Members count as in the tree, ascending.
    std::vector<NodeId> members = spec.groups[g].members;
    std::sort(members.begin(), members.end());
    const auto found = std::find(members.begin(), members.end(), id);
    if (found == members.end()) continue;
    spec.absent.push_back({g, static_cast<std::uint32_t>(found - members.begin()),
                           static_cast<std::uint32_t>(barrier)});
  }
  if (spec.absent.size() == before)
    throw InputError(
        fmt::format("--absent '{}': the node is not a member of any group of this run", text));
}

void set_load(const RunOptions& options, run::RunSpec& spec) {
  for (const double load : {options.load, options.load_flits})
    if (!std::isfinite(load) || load < 0.0)
      throw InputError("--load and --load-flits must be finite and not negative");
  if (options.load > 0.0 && options.load_flits > 0.0)
    throw InputError("--load and --load-flits exclude each other");
  const bool share = options.load > 0.0;
  const double typed = share ? options.load : options.load_flits;
  const double unit = share ? topology::route_bound_flits_per_node_cycle(
                                  topology::uniform_loads(*spec.graph, *spec.routes))
                            : 1.0;
  if (typed > spec.packet_length / unit)
    throw InputError(fmt::format(
        "{} {}: at most {:.6g} here, one packet of {} flits per node and cycle",
        share ? "--load" : "--load-flits", typed, spec.packet_length / unit, spec.packet_length));
  spec.load_flits = typed * unit;
}

void set_congestion(const RunOptions& options, run::RunSpec& spec) {
  if (options.congestion.empty()) return;
  const auto [members, cycles] = run::split_at(options.congestion, "--congestion", 1'000'000);
  const std::string typed = fmt::format("--congestion '{}'", options.congestion);
  spec.congestion = {run::number32(members, typed, 0, spec.graph->nodes()), cycles};
}

/// "3:0-0:0@500"
run::KilledLink killed_of(const std::string& text) {
  const auto [ends, cycle] = run::split_at(text, "--kill-link", run::kMostCycles);
  const std::string typed = fmt::format("--kill-link '{}'", text);
  const auto dash = ends.find('-');
  const auto port = [&](const std::string& end) {
    const auto colon = end.find(':');
    if (colon == std::string::npos)
      throw InputError(
          fmt::format("--kill-link '{}': write a link between two switches as 3:0-0:0@500", text));
    return topology::PortRef{run::number32(end.substr(0, colon), typed),
                             run::number32(end.substr(colon + 1), typed)};
  };
  run::KilledLink link;
  link.a = port(ends.substr(0, dash));
  link.b = port(dash == std::string::npos ? "" : ends.substr(dash + 1));
  link.cycle = cycle;
  return link;
}

void set_killed(const RunOptions& options, run::RunSpec& spec) {
  for (const std::string& text : options.killed) spec.killed.push_back(killed_of(text));
  std::stable_sort(spec.killed.begin(), spec.killed.end(),
                   [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
}

void set_center(const RunOptions& options, run::RunSpec& spec) {
  using topology::CenterChoice;
  if (options.center.empty()) return;
  spec.center = options.center == "random"   ? CenterChoice::kRandom
                : options.center == "lowest" ? CenterChoice::kLowest
                                             : CenterChoice::kNearest;
}

void set_wave(const RunOptions& options, run::RunSpec& spec) {
  if (options.wave.empty() && !options.wave_only.empty())
    throw InputError("--wave-only needs --wave FILE");
  if (options.wave.empty() && options.wave_at) throw InputError("--wave-at needs --wave FILE");
  const bool nodes = run::find_scheme(options.scheme).scheme.waves_of_nodes;
  for (const std::string& name : options.wave_only)
    spec.bank.wave_blocks.push_back(nodes ? node_in_waves(*spec.graph, name)
                                          : switch_in_waves(*spec.graph, spec.scheme, name));
}

/// One time a barrier for every member. REQUIRES: the groups and the profile of `spec`.
void set_arrivals(const RunOptions& options, run::RunSpec& spec) {
  if (options.arrivals.empty()) return;
  const auto recorded = run::read_arrivals(options.arrivals, spec.profile.clock_ns);
  for (const run::RunGroup& group : spec.groups)
    if (group.members.size() != recorded->members())
      throw InputError(
          fmt::format("--arrivals {}: has {} ranks, but group '{}' has {} members; use a group of "
                      "the same size, such as random:{}",
                      options.arrivals, recorded->members(), group.name, group.members.size(),
                      recorded->members()));
  if (spec.barriers > recorded->barriers())
    throw InputError(fmt::format("--arrivals {}: has {} barriers; use --barriers {} or fewer",
                                 options.arrivals, recorded->barriers(), recorded->barriers()));
  spec.arrivals = recorded;
}

/// What models do beside their work. REQUIRES: the engine of `spec`.
void set_bank(const RunOptions& options, run::RunSpec& spec) {
  spec.bank.assertions = !options.no_assertions;
  spec.bank.random_init = options.random_init;
  spec.bank.seed = spec.seed;
  // A waveform shows every cycle.
  spec.skip = !options.no_skip && options.wave.empty() && !spec.engine->compares();
}

/// Threads pay where models do much in a cycle. A waveform is written by one.
std::uint32_t threads_that_pay(const RunOptions& options, const run::RunSpec& spec) {
  constexpr std::uint32_t kFewSwitches = 32;
  if (!spec.engine->has_models() || !options.wave.empty() || spec.graph->switches() < kFewSwitches)
    return 1;
  return std::clamp(std::thread::hardware_concurrency(), 1u, run::kMostThreads);
}

}  // namespace

unsigned runs_at_once(std::uint32_t asked) {
  return asked != 0 ? asked : std::max(std::thread::hardware_concurrency(), 1u);
}

RunNetwork read_network(const std::string& file) {
  RunNetwork network;
  network.graph = std::make_shared<Graph>(topology::read_topology(file));
  network.routes = std::make_shared<topology::Routes>(topology::routes_for(*network.graph));
  return network;
}

run::RunSpec specify(const RunOptions& options, const RunNetwork& network,
                     const fabric::EngineRegistry& engines, std::uint64_t seed) {
  run::RunSpec spec;
  spec.scheme = run::find_scheme(options.scheme).scheme.name;
  spec.graph = network.graph;
  spec.routes = network.routes;
  spec.engine = engines.find(options.engine);
  if (!options.config.empty()) spec.config = run::configuration(options.config);
  for (std::size_t g = 0; g < options.groups.size() && !options.no_barriers; ++g)
    spec.groups.push_back(
        {options.groups[g],
         topology::parse_group_of_file(*spec.graph, options.file, options.groups[g], seed + g)});
  spec.barriers = options.barriers;
  spec.spread = options.spread;
  spec.split = options.split;
  spec.own_barrier_vc = options.barrier_vc == "own";
  spec.packet_length = options.packet_length;
  spec.min_cycles = options.min_cycles;
  if (options.no_barriers && (options.min_cycles == 0 || options.load + options.load_flits <= 0.0))
    throw InputError("--no-barriers needs --load and --min-cycles, or the run has nothing to do");
  spec.max_wait = options.max_wait;
  spec.seed = seed;
  spec.checkers = !options.no_checkers;
  spec.profile = run::find_profile(options.profile);
  spec.profile.hop = options.hop.value_or(spec.profile.hop);
  set_arrivals(options, spec);
  set_bank(options, spec);
  set_center(options, spec);
  set_congestion(options, spec);
  set_killed(options, spec);
  set_load(options, spec);
  spec.warmup = options.warmup.value_or(spec.load_flits > 0.0 ? kSettling : 0);
  set_wave(options, spec);
  // Runs with several seeds have one each and go on at once.
  if (options.repeat == 1)
    spec.threads = options.threads != 0 ? options.threads : threads_that_pay(options, spec);
  for (const std::string& text : options.absent) add_absences(*spec.graph, text, spec);
  set_links(options.links, spec);
  for (const auto& system : options.systems) system->apply(spec);
  return spec;
}

std::unique_ptr<const run::ResolvedRun> resolve(const std::string& file, run::RunSpec spec) {
  try {
    return run::resolve(std::move(spec));
  } catch (const run::UnfitNetwork& error) {
    const std::string reason = error.what();
    if (reason.starts_with("--")) throw;  // an option is wrong whatever the network
    throw InputError(fmt::format("{}: {}", file, reason));
  }
}

}  // namespace muster::app
