// SPDX-License-Identifier: Apache-2.0
#include "run/check_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/topology/graph.hpp"
#include "run/configurations.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/deaths.hpp"
#include "run/links/link_plan.hpp"
#include "topology/route_check.hpp"

namespace muster::run {
namespace {

void check_sizes(const RunSpec& spec) {
  if (spec.barriers > kMostBarriers / std::max<std::size_t>(spec.groups.size(), 1))
    throw InputError(fmt::format("--barriers {}: a run takes at most {} barriers of {} groups",
                                 spec.barriers, kMostBarriers, spec.groups.size()));
  RunSpec asked = spec;
  if (spec.groups.empty()) asked.barriers = std::max(asked.barriers, 1u);  // has no meaning
  check_fields(asked);
  if (spec.warmup > kMostCycles)
    throw InputError(fmt::format("--warmup {}: is not in 0..{}", spec.warmup, kMostCycles));
  if (spec.threads < 1 || spec.threads > kMostThreads)
    throw InputError(
        fmt::format("--threads {}: a run has 1 to {} threads", spec.threads, kMostThreads));
}

/// What only models of the RTL have.
void check_models(const RunSpec& spec) {
  if (spec.engine->has_models()) return;
  const std::tuple<bool, const char*, const char*> asked[] = {
      {!spec.bank.wave_file.empty(), "--wave", "waveforms"},
      {spec.bank.random_init, "--random-init", "registers without reset"},
      {!spec.bank.assertions, "--no-assertions", "assertions"}};
  for (const auto& [wanted, option, what] : asked)
    if (wanted)
      throw InputError(fmt::format("{}: engine {} has no {}; use --engine rtl or lockstep", option,
                                   spec.engine->name(), what));
}

/// Up to kMostChecked entries; larger tables are taken as their rule promises.
void check_routes(const RunSpec& spec) {
  constexpr std::uint64_t kMostChecked = std::uint64_t{1} << 26;
  const std::uint64_t entries = std::uint64_t{spec.graph->switches()} * spec.graph->destinations();
  if (spec.routes->by_rule() && entries > kMostChecked) return;
  if (const auto fault = topology::delivery_fault(*spec.graph, *spec.routes)) {
    throw InputError("routes: " + *fault);
  }
  const auto cycle = topology::DependencyGraph(*spec.graph, *spec.routes).cycle();
  if (!cycle.empty()) {
    throw InputError("routes: not free of deadlock, a cycle of channel dependencies: " +
                     topology::describe(cycle));
  }
}

const char* kind(const Death& death) {
  if (death.link) return "link";
  return death.node ? "node" : "switch";
}

bool there(const topology::Graph& graph, const Death& death) {
  if (death.link) return death.id < graph.links().size() + graph.nodes();
  return death.id < (death.node ? graph.nodes() : graph.switches());
}

/// Of the same block: a dead one does not die again and is not reset.
bool excludes(const Death& earlier, const Death& later) {
  if (earlier.node != later.node || earlier.link != later.link || earlier.id != later.id)
    return false;
  return earlier.reset ? earlier.cycle == later.cycle : earlier.cycle <= later.cycle;
}

}  // namespace

void describe(Fields& f, RunSpec& s) {
  f.text(
      "--scheme", [&s](const std::string& name) { s.scheme = find_scheme(name).scheme.name; },
      [&s] { return s.scheme; }, scheme_names());
  f.text(
      "--profile", [&s](const std::string& name) { s.profile = find_profile(name); },
      [&s] { return s.profile.name; }, "Timing: " + profile_names());
  f.text(
      "--config", [&s](const std::string& name) { s.config = configuration(name); },
      [] { return std::string(); },
      "Switch configuration; default: the smallest that fits, with the same channels, depth and "
      "width for every scheme");
  f.number({"--barriers", "barriers_per_group"}, s.barriers, 1, kMostBarriers,
           "Barriers of each group");
  f.number({"--spread", "spread_cycles"}, s.spread, 0, kMostCycles,
           "Members work 0 to SPREAD cycles between barriers");
  f.number({"--split", "split_cycles"}, s.split, 0, kMostCycles,
           "Members continue to work for 0 to SPLIT cycles after they arrive, then check for the "
           "release");
  f.choice({"--barrier-vc", "barrier_vc"}, s.own_barrier_vc, {{"shared", false}, {"own", true}},
           "Packets of NICs share virtual channel 0 with data, or have the last one to themselves");
  f.number({"--packet-length", "packet_length_flits"}, s.packet_length, fabric::kMinDataFlits,
           kMostDataFlits, "Flits of a data packet");
  f.number({"--min-cycles", "min_cycles"}, s.min_cycles, 0, kMostCycles,
           "Run for at least this number of cycles");
  f.number("--max-wait", s.max_wait, 0, kMostCycles,
           "Cycles without progress before a hang is reported; 0: derived from network and data");
  f.flag({"--no-skip", "skip"}, s.skip, false, "Clock every switch in every cycle");
  f.flag({"--no-checkers", "checkers"}, s.checkers, false, "Do not check the links");
  f.flag("--no-assertions", s.bank.assertions, false, "Do not check the assertions of the RTL");
  f.flag("--random-init", s.bank.random_init, "RTL starts with random registers before reset");
  f.choice({"--center", "center"}, s.center,
           {{"nearest", topology::CenterChoice::kNearest},
            {"random", topology::CenterChoice::kRandom},
            {"lowest", topology::CenterChoice::kLowest}},
           "Member to which the others report: nearest (smallest maximum distance), random or "
           "lowest");
}

void describe(Fields& f, LinkSpec& s) {
  f.flag("--link-retry", s.retry, "All links retransmit flits that their wires lose or corrupt");
  f.real({"--link-drop", "drop"}, s.drop, 0, 0.5, "Fault: share of frames that are lost");
  f.real({"--link-corrupt", "corrupt"}, s.corrupt, 0, 0.5,
         "Fault: share of frames with flipped bits");
  f.real({"--link-duplicate", "duplicate"}, s.duplicate, 0, 0.5,
         "Fault: share of frames that are duplicated");
  f.real({"--ack-drop", "ack_drop"}, s.ack_drop, 0, 1,
         "Fault: share of frames without a flit (acknowledgements only) that are lost");
}

void check_spec(const RunSpec& spec) {
  check_sizes(spec);
  check_models(spec);
  check_links(spec);
  if (!(spec.profile.clock_ns > 0.0) || !std::isfinite(spec.profile.clock_ns))
    throw InputError("profile: the clock period must be finite and above 0 ns");
  if (!(spec.load_flits >= 0.0) || !std::isfinite(spec.load_flits))
    throw InputError("load: must be finite and not negative");
  if (spec.load_flits > 0.0 && spec.graph->nodes() < 2) {
    throw InputError("load: background data needs at least two nodes");
  }
  for (const StoppedChannel& s : spec.stopped) {
    if (s.channel >= 2 * (spec.graph->links().size() + spec.graph->nodes())) {
      throw InputError(fmt::format("fault: there is no channel {}", s.channel));
    }
    if (s.cycle > kMostCycles)
      throw InputError(fmt::format("fault: cycle {} is above {}", s.cycle, kMostCycles));
  }
  check_routes(spec);
}

void check_dead_links(const RunSpec& spec, const SchemeFactory& scheme) {
  if (spec.killed.empty()) return;
  if (!scheme.reroutes_dead_links)
    throw InputError(fmt::format("--kill-link: scheme '{}' cannot route around dead links; use {}",
                                 scheme.name, scheme_names(&SchemeFactory::reroutes_dead_links)));
  // A network is empty when nothing has moved for as long as a pipe holds a flit.
  if (spec.profile.occupancy != 0)
    throw InputError(
        fmt::format("--kill-link: with profile '{}' headers wait in pipes for an unbounded time; "
                    "use another profile",
                    spec.profile.name));
  topology::Graph rest = *spec.graph;
  for (const KilledLink& link : spec.killed) {
    if (link.cycle > kMostCycles)
      throw InputError(fmt::format("--kill-link: cycle {} is above {}", link.cycle, kMostCycles));
    try {
      rest = topology::without_link(rest, link.a, link.b);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--kill-link: {}", error.what()));
    }
  }
  if (spec.congestion)
    throw InputError("--congestion: --kill-link also writes registers; use only one of them");
}

std::string option_text(const topology::Graph& graph, const Death& death) {
  const char* option = death.link    ? "--cut-link"
                       : death.node  ? "--kill-node"
                       : death.reset ? "--reset-switch"
                                     : "--kill-switch";
  return fmt::format("{} '{}@{}'", option, name_of(graph, death), death.cycle);
}

void check_deaths(const RunSpec& spec, const SchemeFactory& scheme) {
  for (const Death& death : spec.deaths) {
    if (!there(*spec.graph, death))
      throw InputError(fmt::format("RunSpec::deaths: there is no {} {}", kind(death), death.id));
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{}: {}", option_text(*spec.graph, death), reason));
    };
    if (!spec.links.retry)
      refuse("without link ends the death is not detected, and credits are lost; add --link-retry");
    if (!scheme.survives_deaths)
      refuse(fmt::format("scheme '{}' does not support deaths; use {}", scheme.name,
                         scheme_names(&SchemeFactory::survives_deaths)));
    if ((death.node || death.link) && death.reset) refuse("only switches have a reset");
    if (death.cycle > kMostCycles) refuse(fmt::format("the last cycle is {}", kMostCycles));
    for (const Death& other : spec.deaths)
      if (&other != &death && excludes(other, death))
        refuse(fmt::format("{} is before it", option_text(*spec.graph, other)));
  }
}

}  // namespace muster::run
