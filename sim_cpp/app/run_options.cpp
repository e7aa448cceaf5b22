// SPDX-License-Identifier: Apache-2.0
#include "app/run_options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "app/commands.hpp"
#include "core/text.hpp"
#include "muster/run/command.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/data_traffic.hpp"
#include "topology/route_walk.hpp"

namespace muster::app {

namespace {

using topology::Graph;
using topology::NodeId;

/// The node written as a member of a group, "3:4" or "n17". Throws InputError, which begins with
/// `what`.
NodeId node_named(const Graph& graph, const std::string& name, const std::string& what) {
  return topology::at_place(what, [&] { return topology::parse_members(graph, {name}).front(); });
}

/// What an end of a link may be called: "3:0" or "tor-3:0", "n8" or "host8".
std::vector<std::string> names_of(const Graph& graph, const fabric::End& end) {
  const auto& names = end.node ? graph.node_names : graph.switch_names;
  const std::string port = end.node ? "" : fmt::format(":{}", end.port);
  std::vector<std::string> all{end.node ? fmt::format("n{}", end.id)
                                        : fmt::format("{}{}", end.id, port)};
  if (const auto named = names.find(end.id); named != names.end())
    all.push_back(named->second + port);
  return all;
}

/// Both channels of the link between two ports, or of a node: "3:0-0:0", "3:4-n8" or "n8". `text`:
/// the whole of what was typed.
std::vector<core::ChannelId> channels_of(const topology::Graph& graph, const std::string& ends,
                                         const std::string& option, const std::string& text) {
  const fabric::Layout layout(graph);
  std::vector<core::ChannelId> found;
  for (core::ChannelId c = 0; c < layout.channels().size(); ++c) {
    const auto& channel = layout.channels()[c];
    for (const std::string& a : names_of(graph, channel.from))
      for (const std::string& b : names_of(graph, channel.to))
        if ((channel.from.node && ends == a) || (channel.to.node && ends == b) ||
            ends == fmt::format("{}-{}", a, b) || ends == fmt::format("{}-{}", b, a))
          if (found.empty() || found.back() != c) found.push_back(c);
  }
  if (found.empty())
    throw InputError(
        "{} '{}': no such link; write it as 3:0-0:0@500, a node's link as 3:4-n8@500 or n8@500",
        option, text);
  return found;
}

void add_stopped(const std::string& text, run::RunSpec& spec) {
  const auto [ends, cycle] = run::split_at(text, "--stop-link", run::kMostCycles);
  const auto channels = channels_of(*spec.graph, ends, "--stop-link", text);
  if (spec.links.retry) {
    spec.links.flaps.push_back({channels.front(), cycle, run::kMostCycles});
    return;
  }
  for (const core::ChannelId c : channels) spec.stopped.push_back({c, cycle, true, true});
}

/// "3:0-0:0@500+20"
void add_flap(const std::string& text, run::RunSpec& spec) {
  const auto [ends, when] = run::cut_at(text, "--flap");
  const std::string typed = fmt::format("--flap '{}'", text);
  const auto plus = when.find('+');
  if (plus == std::string::npos)
    throw InputError(typed + ": write cycle and duration as 3:0-0:0@500+20");
  spec.links.flaps.push_back({channels_of(*spec.graph, ends, "--flap", text).front(),
                              run::number(when.substr(0, plus), typed, 0, run::kMostCycles),
                              run::number(when.substr(plus + 1), typed, 1, run::kMostCycles)});
}

/// "sw3@500", "n8@500", "3:0-0:0@500": what `death` says, of the named block or link.
void add_death(const std::string& text, const std::string& option, run::Death death,
               run::RunSpec& spec) {
  const Graph& graph = *spec.graph;
  const auto [name, cycle] = run::split_at(text, option, run::kMostCycles);
  death.cycle = cycle;
  if (death.link)
    death.id = channels_of(graph, name, option, text).front() / 2;
  else if (death.node)
    death.id = node_named(graph, name, fmt::format("{} '{}'", option, text));
  else
    death.id = topology::parse_switch(graph, name, option);
  spec.deaths.push_back(death);
}

/// A block of the waveform: a switch, or the NIC of a node.
std::uint32_t block_in_waves(const Graph& graph, const run::SchemeFactory& scheme,
                             const std::string& name) {
  const std::string what =
      fmt::format("--wave-only: the waveform of scheme '{}' records {}", scheme.name,
                  scheme.waves_of_nodes ? "the NICs, named by their nodes" : "switches");
  if (scheme.waves_of_nodes) return node_named(graph, name, what);
  return topology::at_place(what, [&] { return topology::parse_switch(graph, name, "switch"); });
}

/// Every group and member that the named node is.
void add_absences(const std::string& text, run::RunSpec& spec) {
  const auto [node, barrier] = run::split_at(text, "--absent", spec.barriers - 1);
  const NodeId id = node_named(*spec.graph, node, fmt::format("--absent '{}'", text));
  const std::size_t before = spec.absent.size();
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    // Members count as in the tree, ascending.
    std::vector<NodeId> members = spec.groups[g].members;
    std::ranges::sort(members);
    const auto found = std::ranges::find(members, id);
    if (found == members.end()) continue;
    spec.absent.push_back({g, static_cast<std::uint32_t>(found - members.begin()),
                           static_cast<std::uint32_t>(barrier)});
  }
  if (spec.absent.size() == before)
    throw InputError("--absent '{}': the node is not a member of any group of this run", text);
}

void set_load(const RunOptions& options, run::RunSpec& spec) {
  for (const double load : {options.load, options.load_flits})
    if (!std::isfinite(load)) throw InputError("--load and --load-flits must be finite");
  if (options.load > 0.0 && options.load_flits > 0.0)
    throw InputError("--load and --load-flits exclude each other");
  const bool share = options.load > 0.0;
  const double typed = share ? options.load : options.load_flits;
  const double unit = share ? topology::route_bound_flits_per_node_cycle(
                                  topology::uniform_loads(*spec.graph, *spec.routes))
                            : 1.0;
  const double flits = run::mean_flits(spec);
  if (typed > flits / unit)
    throw InputError("{} {}: at most {:.6g} here, one packet of {} flits per node and cycle",
                     share ? "--load" : "--load-flits", typed, flits / unit, flits);
  spec.load_flits = typed * unit;
  spec.load = options.load;
}

/// Packets of a file in the place of all that is drawn.
void set_packets(const RunOptions& options, run::RunSpec& spec) {
  if (options.packets.empty()) return;
  if (spec.graph->nodes() < 2) throw InputError("--packets: data need at least two nodes");
  spec.packets = run::read_packets(options.packets, *spec.graph);
  spec.load_flits = run::offered_flits(*spec.packets);
}

void set_congestion(const RunOptions& options, run::RunSpec& spec) {
  if (options.congestion.empty()) return;
  const auto [members, cycles] = run::split_at(options.congestion, "--congestion", 1'000'000);
  const std::string typed = fmt::format("--congestion '{}'", options.congestion);
  spec.congestion = {run::number32(members, typed, 0, spec.graph->nodes()), cycles};
}

/// "3:0-0:0@500"
void add_killed(const std::string& text, run::RunSpec& spec) {
  const auto [ends, cycle] = run::split_at(text, "--kill-link", run::kMostCycles);
  const fabric::Layout layout(*spec.graph);
  const auto& link = layout.channels()[channels_of(*spec.graph, ends, "--kill-link", text).front()];
  if (link.from.node || link.to.node)
    throw InputError("--kill-link '{}': write a link between two switches as 3:0-0:0@500", text);
  topology::PortRef a{link.from.id, link.from.port}, b{link.to.id, link.to.port};
  for (const std::string& name : names_of(*spec.graph, link.to))
    if (ends.starts_with(name + "-")) std::swap(a, b);  // in the order that was typed
  spec.killed.push_back({a, b, cycle});
}

void set_wave(const RunOptions& options, run::RunSpec& spec) {
  if (options.wave.empty() && !options.wave_only.empty())
    throw InputError("--wave-only: there is no waveform; add --wave FILE.fst");
  if (options.wave.empty() && options.wave_at)
    throw InputError("--wave-at: there is no waveform; add --wave FILE.fst");
  const run::SchemeFactory scheme = run::find_scheme(spec.scheme).scheme;
  for (const std::string& name : options.wave_only)
    spec.bank.wave_blocks.push_back(block_in_waves(*spec.graph, scheme, name));
}

/// One time a barrier for every member. REQUIRES: the groups and the profile of `spec`.
void set_arrivals(const RunOptions& options, run::RunSpec& spec) {
  if (options.arrivals.empty()) return;
  const auto recorded = run::read_arrivals(options.arrivals, spec.profile.clock_ns);
  for (const run::RunGroup& group : spec.groups)
    if (group.members.size() != recorded->members())
      throw InputError(
          "--arrivals {}: has {} ranks, but group '{}' has {} members; use a group of the same "
          "size, such as random:{}",
          options.arrivals, recorded->members(), group.name, group.members.size(),
          recorded->members());
  if (spec.barriers > recorded->barriers())
    throw InputError("--arrivals {}: has {} barriers; use --barriers {} or fewer", options.arrivals,
                     recorded->barriers(), recorded->barriers());
  spec.arrivals = recorded;
}

/// Threads pay where much is done in a cycle. A waveform is written by one.
std::uint32_t threads_that_pay(const RunOptions& options, const run::RunSpec& spec) {
  const std::uint32_t few = spec.engine->has_models() ? 32 : 1024;
  if (!options.wave.empty() || spec.graph->switches() < few) return 1;
  return std::clamp(std::thread::hardware_concurrency(), 1u, run::kMostThreads);
}

constexpr double kAnyLoad = std::numeric_limits<double>::infinity();

/// What becomes a RunSpec only with the network.
void describe(run::Fields& f, RunOptions& o, const fabric::EngineRegistry& engines) {
  f.text("FILE", o.file, kNetworkHelp);
  f.texts("--group", o.groups,
          "Members: all, random:N, nodes as switch:port (0:3,3:4), by number (n0,n17) or by their "
          "names in FILE, or the name of a group of FILE; once for each simultaneous group");
  describe_engine(f, o.engine, engines);
  run::describe(f, o.spec);
  f.number("--hop", o.hop, 1, run::kLongestHop,
           "Cycles from a message's first flit on one link to that on the next, in place of the "
           "profile's: links get pipes for what the scheme's own hop takes less");
  f.text("--arrivals", o.arrivals,
         "Members work for the recorded times of a program, in place of --spread: FILE");
  f.flag("--no-barriers", o.no_barriers, "Data only: no group is created");
  f.real("--load", o.load, 0, kAnyLoad,
         "Background data, as a share of the route bound of topo info");
  f.real("--load-flits", o.load_flits, 0, kAnyLoad, "Background data in flits per node and cycle");
  f.text("--packets", o.packets,
         "Data packets of a file in place of --load, a line each: CYCLE SOURCE DESTINATION FLITS");
  f.number("--warmup", o.warmup, 0, run::kMostCycles,
           fmt::format("Cycles of data before the first arrival; default {}, 0 without --load",
                       kSettling));
  f.number("--repeat", o.repeat, 1, kMostRepeats,
           "Number of runs with different seeds, from --seed on: means with 95 % intervals");
  f.number("--threads", o.threads, 1, run::kMostThreads,
           "Threads of a run; the result is the same for any number. Default: all cores "
           "where they give a speedup. With --repeat: simultaneous runs, default: all cores");
  f.text("--wave", o.wave, "Write an FST waveform and a GTKWave view (engine rtl, lockstep)");
  f.texts("--wave-only", o.wave_only,
          "Record only these switches, such as sw3,sw7, or nodes if their NICs run the barriers");
  f.number("--wave-at", o.wave_at, 0, run::kMostCycles,
           "The view of the waveform opens at this cycle and marks it");
  f.text("--page", o.page,
         "Write a page for a browser that shows the run cycle by cycle: FILE.html");
  f.text("--trace", o.trace, "Write trace events of the run for Perfetto: FILE.json");
  f.number("--page-from", o.page_from, 0, run::kMostCycles,
           "First cycle of page and trace; default 0");
  f.number("--page-cycles", o.page_cycles, 1, kMostPageCycles,
           fmt::format("Number of cycles in page and trace; default {}", kPageCycles));
  const auto event = [&](const char* option, auto add, const char* help) {
    f.texts(option, o.events.emplace_back(RunOptions::Events{{}, add}).typed, help);
  };
  event("--absent", add_absences,
        "Fault: a node arrives at no barrier from this number on, the first is 0 (3:4@2)");
  run::describe(f, o.spec.links);
  event("--flap", add_flap,
        "Fault: all frames on a link are lost, here for 20 cycles (3:0-0:0@500+20)");
  event("--stop-link", add_stopped,
        "Fault: all frames on a link are lost from a cycle on, which ends the run when the link "
        "goes down (3:0-0:0@500, n8@500)");
  const auto death = [&](const char* option, const run::Death& what, const char* help) {
    event(
        option,
        [option, what](const std::string& text, run::RunSpec& spec) {
          add_death(text, option, what, spec);
        },
        help);
  };
  death("--cut-link", {.link = true},
        "Fault: a link is dead from a cycle on; the run continues on routes around it "
        "(3:0-0:0@500, n8@500)");
  death("--kill-switch", {}, "Fault: a switch is dead from a cycle on (sw3@500)");
  death("--kill-node", {.node = true}, "Fault: a node is dead from a cycle on (3:4@500, n8@500)");
  death("--reset-switch", {.reset = true},
        "Fault: a switch is reset in a cycle, with its link ends (sw3@500)");
  f.text("--congestion", o.congestion,
         "M@TAU: in each barrier the links of M random members of each group are held for TAU "
         "cycles (5@100)");
  event("--kill-link", add_killed,
        "Software declares a link between switches dead in a cycle; trees and routes leave it, "
        "then it is removed (3:0-0:0@500)");
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& o, const fabric::EngineRegistry& engines,
                     std::span<const std::string> without) {
  describe(o.fields, o, engines);
  for (run::Field& field : o.fields)
    if (std::ranges::find(without, field.option) != without.end()) field.option.clear();
  add_fields(command, o.fields);
  CliOptions list(command);
  const auto excludes = [&](const char* one, const char* other) {
    CLI::Option* const first = command.get_option_no_throw(one);
    CLI::Option* const second = command.get_option_no_throw(other);
    if (first != nullptr && second != nullptr) first->excludes(second);
  };
  excludes("--arrivals", "--spread");
  excludes("--no-barriers", "--arrivals");
  excludes("--packet-mix", "--packet-length");
  for (const char* drawn :
       {"--load", "--load-flits", "--packet-length", "--packet-mix", "--pattern"})
    excludes("--packets", drawn);
  if (CLI::Option* const only = command.get_option_no_throw("--wave-only")) only->delimiter(',');
  for (const auto& system : run::systems())
    if (auto options = system->options()) {
      list.add(options->fields, fmt::format("system '{}'", system->name()));
      o.systems.emplace_back(system.get(), std::move(options));
    }
  add_common(command, o.common);
}

unsigned runs_at_once(std::optional<std::uint32_t> asked) {
  return asked ? *asked : std::max(std::thread::hardware_concurrency(), 1u);
}

RunNetwork read_network(const std::string& file) {
  RunNetwork network;
  network.graph = std::make_shared<Graph>(topology::read_topology(file));
  network.routes = std::make_shared<topology::Routes>(topology::routes_for(*network.graph));
  return network;
}

std::shared_ptr<const topology::Routes> routes_in(const RunNetwork& network,
                                                  const run::RunSpec& spec) {
  if (!spec.routing) return network.routes;
  return std::make_shared<topology::Routes>(
      topology::dragonfly_routes(*network.graph, *spec.routing));
}

run::RunSpec specify(const RunOptions& options, const RunNetwork& network,
                     const fabric::EngineRegistry& engines, std::uint64_t seed,
                     OtherOptions others) {
  run::RunSpec spec = options.spec;
  spec.scheme = run::find_scheme(spec.scheme).scheme.name;
  spec.graph = network.graph;
  spec.routes = routes_in(network, spec);
  spec.engine = engines.find(options.engine);
  for (std::size_t g = 0; g < options.groups.size() && !options.no_barriers; ++g)
    spec.groups.push_back(
        {options.groups[g],
         topology::parse_group_of_file(*spec.graph, options.file, options.groups[g], seed + g)});
  const auto alone = [](const run::RunGroup& group) { return group.members.size() == 1; };
  if (spec.groups.size() > 1 && std::ranges::all_of(spec.groups, alone))
    throw InputError("--group: {} groups of one member; a group of all of them is --group {}",
                     spec.groups.size(), fmt::join(options.groups, ","));
  if (options.no_barriers && (spec.min_cycles == 0 || (options.load + options.load_flits <= 0.0 &&
                                                       options.packets.empty())))
    throw InputError(
        "--no-barriers: the run has nothing to do; add --min-cycles, and --load or --packets");
  spec.seed = seed;
  spec.profile.hop = options.hop.value_or(spec.profile.hop);
  set_arrivals(options, spec);
  spec.bank.seed = seed;
  // A waveform shows every cycle.
  spec.skip = spec.skip && options.wave.empty() && !spec.engine->compares();
  set_congestion(options, spec);
  set_load(options, spec);
  set_packets(options, spec);
  spec.warmup = options.warmup.value_or(spec.load_flits > 0.0 && !spec.packets ? kSettling : 0);
  set_wave(options, spec);
  // Runs with several seeds have one each and go on at once.
  if (options.repeat == 1)
    spec.threads = options.threads ? *options.threads : threads_that_pay(options, spec);
  for (const RunOptions::Events& events : options.events)
    for (const std::string& text : events.typed) events.add(text, spec);
  std::ranges::stable_sort(spec.killed, {}, &run::KilledLink::cycle);
  const run::System& own = run::find_scheme(spec.scheme).system;
  for (const auto& [system, typed] : options.systems)
    if (system == &own)
      typed->apply(spec);
    else if (others == OtherOptions::kRefused)
      typed->refuse(spec);
  return spec;
}

std::unique_ptr<const run::ResolvedRun> resolve(const std::string& file, run::RunSpec spec) {
  try {
    return run::resolve(std::move(spec));
  } catch (const run::UnfitNetwork& error) {
    const std::string reason = error.what();
    if (reason.starts_with("--")) throw;  // an option is wrong whatever the network
    throw InputError("{}: {}", file == "-" ? "standard input" : file, reason);
  }
}

}  // namespace muster::app
