// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "fabric/configurations.hpp"
#include "muster/fabric/formats.hpp"
#include "run/configurations.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/deaths.hpp"
#include "run/engines.hpp"
#include "run/waits.hpp"

namespace muster::run {

void describe(Fields& f, RunSpec& s) {
  f.text(
      "--scheme", [&s](const std::string& name) { s.scheme = find_scheme(name).scheme.name; },
      [&s] { return s.scheme; }, scheme_names());
  f.text(
      "--profile", [&s](const std::string& name) { s.profile = find_profile(name); },
      [&s] { return s.profile.name; }, "Timing: " + profile_names() + ", or FILE.json");
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
  f.text(
       {"--packet-mix", "packet_mix"},
       [&s](const std::string& text) { s.packet_mix = parse_mix(text); },
       [&s] { return mix_text(s.packet_mix); },
       "Lengths of data packets, drawn in the ratio of their shares, in place of --packet-length: "
       "FLITS:SHARE,... (4:3,64:1)")
      .if_given();
  std::vector<std::pair<std::string, std::optional<std::string>>> patterns;
  for (const std::string& name : pattern_names()) patterns.emplace_back(name, name);
  f.choice({"--pattern", "pattern"}, s.pattern_name, patterns,
           "Where data packets go; default: uniform")
      .if_given();
  f.choice({"--routes", "routes"}, s.routing,
           {{kRoutings[0], topology::DragonflyRoutes::kMinimal},
            {kRoutings[1], topology::DragonflyRoutes::kValiant}},
           "Routes of a dragonfly on golden, in place of up*/down*: minimal, or by way of a random "
           "group")
      .if_given();
  f.number({"--min-cycles", "min_cycles"}, s.min_cycles, 0, kMostCycles,
           "Run for at least this number of cycles");
  f.number("--max-wait", s.max_wait, 0, kMostCycles,
           "Cycles without progress before a hang is reported; 0: derived from network and data");
  f.flag({"--no-skip", "skip"}, s.skip, false, "Clock every switch in every cycle");
  f.flag({"--no-checkers", "checkers"}, s.checkers, false, "Do not check the links");
  f.flag("--no-assertions", s.bank.assertions, false, "Do not check the assertions of the RTL");
  f.flag("--random-init", s.bank.random_init, "RTL starts with random registers before reset");
  f.choice(
      {"--center", "center"}, s.center,
      {{"nearest", topology::CenterChoice::kNearest},
       {"random", topology::CenterChoice::kRandom},
       {"lowest", topology::CenterChoice::kLowest}},
      "Member to which the others report: nearest (smallest maximum distance), random or lowest");
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

namespace {

void check_sizes(const RunSpec& spec) {
  if (spec.barriers > kMostBarriers / std::max<std::size_t>(spec.groups.size(), 1))
    throw InputError("--barriers {}: a run takes at most {} barriers of {} groups", spec.barriers,
                     kMostBarriers, spec.groups.size());
  RunSpec asked = spec;
  if (spec.groups.empty()) asked.barriers = std::max(asked.barriers, 1u);  // has no meaning
  check_fields(asked);
  if (spec.warmup > kMostCycles)
    throw InputError("--warmup {}: is not in 0..{}", spec.warmup, kMostCycles);
  if (spec.threads < 1 || spec.threads > kMostThreads)
    throw InputError("--threads {}: a run has 1 to {} threads", spec.threads, kMostThreads);
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
      throw InputError("{}: engine {} has no {}; use --engine rtl or lockstep", option,
                       spec.engine->name(), what);
}

/// What does not go with packets that change their virtual channel.
void check_phases(const RunSpec& spec) {
  if (spec.routes->phases() == nullptr) return;
  if (spec.engine->has_models())
    throw InputError(
        "--routes: the switches of engine {} have no routes on which packets change their virtual "
        "channel; use --engine golden",
        spec.engine->name());
  if (spec.own_barrier_vc)
    throw InputError("--barrier-vc own: packets with --routes begin in channel 0; omit one");
  if (!spec.killed.empty() || !spec.deaths.empty())
    throw InputError("--routes: no new routes are made after links or blocks die; omit the deaths");
}

/// Up to kMostChecked entries; larger tables are taken as their rule promises.
void check_routes(const RunSpec& spec) {
  constexpr std::uint64_t kMostChecked = std::uint64_t{1} << 26;
  const topology::Phases* const phases = spec.routes->phases();
  const std::uint64_t entries = std::uint64_t{spec.graph->switches()} * spec.graph->destinations() *
                                (phases == nullptr ? 1 : phases->ways() + 1);
  if (spec.routes->by_rule() && entries > kMostChecked) return;
  if (const auto fault = topology::delivery_fault(*spec.graph, *spec.routes))
    throw InputError("routes: " + *fault);
  const auto cycle = topology::DependencyGraph(*spec.graph, *spec.routes).cycle();
  if (!cycle.empty())
    throw InputError("routes: not free of deadlock, a cycle of channel dependencies: " +
                     topology::describe(cycle));
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

/// Throws InputError for numbers out of range, what the engine does not have, routes that lose
/// packets and routes with a cycle of channel dependencies.
void check_spec(const RunSpec& spec) {
  check_sizes(spec);
  check_models(spec);
  check_links(spec);
  check_fields(spec.profile);
  if (!(spec.load_flits >= 0.0) || !std::isfinite(spec.load_flits))
    throw InputError("load: must be finite and not negative");
  if (spec.load_flits > 0.0 && spec.graph->nodes() < 2)
    throw InputError("load: background data needs at least two nodes");
  for (const StoppedChannel& s : spec.stopped) {
    if (s.channel >= 2 * (spec.graph->links().size() + spec.graph->nodes()))
      throw InputError("fault: there is no channel {}", s.channel);
    if (s.cycle > kMostCycles)
      throw InputError("fault: cycle {} is above {}", s.cycle, kMostCycles);
  }
  check_phases(spec);
  check_routes(spec);
}

/// Throws InputError for links that cannot be declared dead: the scheme does not leave them, they
/// are not there, or join what nothing else joins.
void check_dead_links(const RunSpec& spec, const SchemeFactory& scheme) {
  if (spec.killed.empty()) return;
  if (!scheme.reroutes_dead_links)
    throw InputError("--kill-link: scheme '{}' cannot route around dead links; use {}", scheme.name,
                     scheme_names(&SchemeFactory::reroutes_dead_links));
  // A network is empty when nothing has moved for as long as a pipe holds a flit.
  if (spec.profile.occupancy != 0)
    throw InputError(
        "--kill-link: with profile '{}' headers wait in pipes for an unbounded time; use another "
        "profile",
        spec.profile.name);
  topology::Graph rest = *spec.graph;
  for (const KilledLink& link : spec.killed) {
    if (link.cycle > kMostCycles)
      throw InputError("--kill-link: cycle {} is above {}", link.cycle, kMostCycles);
    rest = topology::at_place("--kill-link",
                              [&] { return topology::without_link(rest, link.a, link.b); });
  }
  if (spec.congestion)
    throw InputError("--congestion: --kill-link also writes registers; use only one of them");
}

/// The option of `muster run` that asks for it, with its value: "--kill-switch 'sw3@500'".
std::string option_text(const topology::Graph& graph, const Death& death) {
  const char* option = death.link    ? "--cut-link"
                       : death.node  ? "--kill-node"
                       : death.reset ? "--reset-switch"
                                     : "--kill-switch";
  return fmt::format("{} '{}@{}'", option, name_of(graph, death), death.cycle);
}

/// Throws InputError naming the option.
void check_deaths(const RunSpec& spec, const SchemeFactory& scheme) {
  for (const Death& death : spec.deaths) {
    if (!there(*spec.graph, death))
      throw InputError("RunSpec::deaths: there is no {} {}",
                       death.link   ? "link"
                       : death.node ? "node"
                                    : "switch",
                       death.id);
    const auto refuse = [&](const std::string& reason) {
      throw InputError("{}: {}", option_text(*spec.graph, death), reason);
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

using fabric::SwitchConfig;

/// The specification with what it leaves out: routes of its network, engine golden. Throws
/// InputError if there is no network or an observer is null.
RunSpec complete_spec(RunSpec spec) {
  if (!spec.graph) throw InputError("RunSpec::graph: a run needs a network");
  for (const auto& observer : spec.observers)
    if (!observer) throw InputError("RunSpec::observers: one of them is null");
  if (!spec.routes)
    spec.routes = std::make_shared<topology::Routes>(
        spec.routing ? topology::dragonfly_routes(*spec.graph, *spec.routing)
                     : topology::routes_for(*spec.graph));
  if (!spec.engine) spec.engine = make_golden_engine();
  if (spec.ranks)
    spec.bank.sharing = std::make_shared<fabric::Sharing>(
        fabric::Sharing{spec.ranks->rank(), divide_network(spec)});
  return spec;
}

constexpr std::uint32_t kMaxRegisters = 16;  // as far as the register map reaches

/// Generous, growing with the network. Where data flows, messages may be slow beyond all formulas:
/// far above saturation the turns of successive switches multiply to 10^6 cycles and more.
HangLimits hang_limits(const RunSpec& spec, const PlanTimes& times) {
  const std::uint64_t held = spec.congestion ? spec.congestion->cycles : 0;
  if (spec.max_wait != 0) return {spec.max_wait, spec.max_wait, held, spec.max_wait};
  const std::uint64_t blocks = spec.graph->switches() + spec.graph->nodes();
  // The watchdog must outlast the retries of nodes.
  const std::uint64_t idle_network =
      10'000 + 100 * blocks + spec.profile.arrive + spec.profile.leave + 1'000 * times.silence;
  if (spec.load_flits == 0.0) return {idle_network + held, idle_network + held, held, idle_network};
  return {idle_network * most_flits(spec) + held, 5'000'000 + held, held, idle_network};
}

/// Barrier registers, or places of groups in a memory, of the largest switch that may be chosen.
std::uint32_t registers_available(const RunSpec& spec, const fabric::Requirement& need) {
  if (spec.config && (fabric::group_memory(*spec.config) != 0) == (fabric::group_memory(need) != 0))
    return fabric::group_places(*spec.config);
  SwitchConfig large{
      .name = "large", .ports = std::max(need.ports, 3u), .regs = kMaxRegisters, .kind = need.kind};
  if (fabric::group_memory(need) != 0) large.gid_w = fabric::kMaxGidWidth;
  fabric::take_variant(large, need);
  if (spec.engine->supports(large)) return fabric::group_places(large);
  std::uint32_t most = 0;
  for (const SwitchConfig& c : configurations())
    if (fabric::is_variant(c, need) && spec.engine->supports(c))
      most = std::max(most, fabric::group_places(c));
  return most;
}

/// What switches of the network must have, with the scheme. Nodes are the first destinations, so
/// that a network whose nodes alone have addresses enough can do without those of switches, if the
/// scheme can.
fabric::Requirement requirement(const RunSpec& spec, const SchemePlan& plan) {
  const topology::Graph& graph = *spec.graph;
  const bool all = graph.destinations() <= fabric::kMostDestinations;
  fabric::Requirement need{.ports = graph.max_ports(),
                           .dests = all ? graph.destinations() : graph.nodes(),
                           .vcs = spec.own_barrier_vc ? 2u : plan.switch_kind().min_vcs,
                           .usual_vcs = usual_vcs(),
                           .kind = &plan.switch_kind()};
  if (const topology::Phases* const phases = spec.routes->phases()) {
    if (!need.kind->phases)
      throw InputError(
          "--routes: packets keep their virtual channel in {} switches; use a scheme with barrier "
          "switches, or omit --routes",
          need.kind->name);
    need.vcs = std::max(need.vcs, phases->channels());
    if (phases->ways() != 0) need.flit_w = fabric::kWayFlitWidth;
  }
  plan.require(
      need, [&](const fabric::Requirement& so_far) { return registers_available(spec, so_far); });
  if (!all && need.dests == graph.destinations())
    throw InputError(
        "{} nodes and {} switches are {} destinations, but flits can address {}; use a smaller "
        "network, or a scheme whose messages name no switches",
        graph.nodes(), graph.switches(), graph.destinations(), fabric::kMostDestinations);
  return need;
}

/// The given configuration if it suffices, else the smallest that does among those with the links
/// that all schemes have.
SwitchConfig choose_config(const RunSpec& spec, const SchemePlan& plan) {
  if (spec.config) fabric::require_kind(*spec.config, plan.switch_kind());
  const fabric::Requirement need = requirement(spec, plan);
  if (!spec.config) return fabric::choose(configurations(), need, *spec.engine);
  SwitchConfig config = *spec.config;
  fabric::take_variant(config, need);
  fabric::validate(config);
  fabric::require(config, need);
  if (!spec.engine->supports(config)) {
    std::vector<std::string_view> others;
    for (const SwitchConfig& c : configurations())
      if (fabric::fits(c, need) && spec.engine->supports(c)) others.push_back(c.name);
    throw InputError("engine '{}' has no switch configuration '{}'; {}", spec.engine->name(),
                     config.name,
                     others.empty() ? "build its model with scripts/model, or use golden"
                                    : fmt::format("there are {}", fmt::join(others, ", ")));
  }
  return config;
}

void plan_run(ResolvedRun& run) {
  const RunSpec& spec = run.spec;
  const SchemeFactory& scheme = run.found.scheme;
  if (spec.center && !scheme.centered)
    throw InputError("--center: scheme '{}' has no center", scheme.name);
  check_dead_links(spec, scheme);
  check_deaths(spec, scheme);
  if (const SystemSpec* const own = spec.own.get();
      own != nullptr && own->system() != run.found.system.name())
    throw InputError("RunSpec::own: of system '{}', but scheme '{}' is of system '{}'",
                     own->system(), scheme.name, run.found.system.name());
  run.found.system.check(spec, scheme);
  run.homes = fabric::plan_home_nodes(*spec.graph, *spec.routes);
  run.plan = scheme.plan(run);
  run.config = choose_config(spec, *run.plan);
  if (spec.routes->phases() != nullptr && !run.plan->node_block(run.config).empty())
    throw InputError(
        "--routes: the network interfaces of scheme '{}' take packets of one virtual channel; use "
        "another scheme, or omit --routes",
        scheme.name);
}

/// The pipe of a profile that says how long a hop takes.
std::uint32_t pipe_of(const ResolvedRun& run) {
  const Profile& profile = run.spec.profile;
  if (profile.hop == 0) return profile.pipe;
  const std::uint32_t own = run.plan->hop_cycles(run.config);
  if (own == 0)
    throw InputError(
        "--profile {}: scheme '{}' does not define the time of a hop; omit --hop, or use another "
        "profile",
        profile.name, run.found.scheme.name);
  if (own > profile.hop)
    throw InputError(
        "--profile {}: a hop takes {} cycles, fewer than the {} of scheme '{}'; use a longer --hop "
        "or another profile",
        profile.name, profile.hop, own, run.found.scheme.name);
  return profile.hop - own;
}

/// What lies in a channel: link ends, pipes or nothing.
std::uint32_t channel_delay(const ResolvedRun& run) {
  const std::uint32_t pipe = pipe_of(run);
  if (pipe == 0 && run.spec.profile.occupancy != 0)
    throw InputError(
        "--profile {}: headers wait in pipes for occupied inputs, and the profile has no pipes",
        run.spec.profile.name);
  if (!run.spec.links.retry) return pipe;
  if (pipe != 0)
    throw InputError(
        "--link-retry: profile '{}' has delay pipes in the links; use pipe_cycles 0 and the "
        "latency of links, without --hop",
        run.spec.profile.name);
  return link_delay(run.spec, link_config(run.spec, run.config));
}

}  // namespace

std::unique_ptr<const ResolvedRun> resolve(RunSpec spec) {
  auto run = std::make_unique<ResolvedRun>(complete_spec(std::move(spec)));
  run->spec.scheme = run->found.scheme.name;
  check_spec(run->spec);
  try {
    plan_run(*run);
    run->spec.profile.pipe = channel_delay(*run);
  } catch (const InputError& error) {
    throw UnfitNetwork(error.what());
  }
  run->times = run->plan->times(run->config);
  run->hang_limits = hang_limits(run->spec, run->times);
  run->bounds = wait_bounds(run->spec, run->config, run->times);
  if (!run->spec.checkers) return run;
  const WaitGraph waits(*run->spec.graph, *run->spec.routes, run->plan->waiting());
  if (const std::string cycle = waits.cycle(); !cycle.empty())  // although routes have none
    throw InternalError("dependency cycle of barriers: " + cycle);
  run->wait_edges = waits.edges();
  return run;
}

}  // namespace muster::run
