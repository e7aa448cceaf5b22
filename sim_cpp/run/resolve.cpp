// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
#include "run/check_spec.hpp"
#include "run/configurations.hpp"
#include "run/engines.hpp"
#include "run/links/link_plan.hpp"
#include "run/waits.hpp"

namespace muster::run {
namespace {

using fabric::SwitchConfig;

/// The specification with what it leaves out: routes of its network, engine golden. Throws
/// InputError if there is no network or an observer is null.
RunSpec complete_spec(RunSpec spec) {
  if (!spec.graph) throw InputError("RunSpec::graph: a run needs a network");
  for (const auto& observer : spec.observers)
    if (!observer) throw InputError("RunSpec::observers: one of them is null");
  if (!spec.routes)
    spec.routes = std::make_shared<topology::Routes>(topology::routes_for(*spec.graph));
  if (!spec.engine) spec.engine = make_golden_engine();
  if (spec.ranks) {
    fabric::Division division = divide_network(spec);
    spec.engine = share_engine(std::move(spec.engine), *spec.ranks, std::move(division));
  }
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
  return {idle_network * spec.packet_length + held, 5'000'000 + held, held, idle_network};
}

/// Barrier registers, or groups in block RAM, of the largest switch that may be chosen.
std::uint32_t registers_available(const RunSpec& spec, const fabric::Requirement& need) {
  if (spec.config && need.groups == 0) return spec.config->regs;
  if (spec.config && spec.config->groups != 0) return spec.config->groups;
  SwitchConfig large;
  large.name = "large";
  large.ports = std::max(need.ports, 3u);
  large.regs = kMaxRegisters;
  large.kind = need.kind;
  if (need.groups != 0) large.gid_w = fabric::kMaxGidWidth;
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
  plan.require(
      need, [&](const fabric::Requirement& so_far) { return registers_available(spec, so_far); });
  if (!all && need.dests == graph.destinations())
    throw InputError(fmt::format(
        "{} nodes and {} switches are {} destinations, but flits can address {}; use a smaller "
        "network, or a scheme whose messages name no switches",
        graph.nodes(), graph.switches(), graph.destinations(), fabric::kMostDestinations));
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
    throw InputError(fmt::format(
        "engine '{}' has no switch configuration '{}'; {}", spec.engine->name(), config.name,
        others.empty() ? "build its model with scripts/model, or use golden"
                       : fmt::format("there are {}", fmt::join(others, ", "))));
  }
  return config;
}

/// REQUIRES: acyclic routes, so that a cycle would be an error of the plan.
std::uint64_t count_waits(const RunSpec& spec, std::span<const fabric::RegisterImage> waiting) {
  const WaitGraph waits(*spec.graph, *spec.routes, waiting);
  if (const std::string cycle = waits.cycle(); !cycle.empty())
    throw InternalError("dependency cycle of barriers: " + cycle);
  return waits.edges();
}

void plan_run(ResolvedRun& run) {
  const RunSpec& spec = run.spec;
  const SchemeFactory& scheme = run.found.scheme;
  if (spec.center && !scheme.centered)
    throw InputError(fmt::format("--center: scheme '{}' has no center", scheme.name));
  check_dead_links(spec, scheme);
  check_deaths(spec, scheme);
  if (const SystemSpec* const own = spec.own.get();
      own != nullptr && own->system() != run.found.system.name())
    throw InputError(fmt::format("RunSpec::own: of system '{}', but scheme '{}' is of system '{}'",
                                 own->system(), scheme.name, run.found.system.name()));
  run.found.system.check(spec, scheme);
  run.homes = fabric::plan_home_nodes(*spec.graph, *spec.routes);
  run.plan = scheme.plan(run);
  run.config = choose_config(spec, *run.plan);
}

/// The pipe of a profile that says how long a hop takes.
std::uint32_t pipe_of(const ResolvedRun& run) {
  const Profile& profile = run.spec.profile;
  if (profile.hop == 0) return profile.pipe;
  const std::uint32_t own = run.plan->hop_cycles(run.config);
  if (own == 0)
    throw InputError(fmt::format(
        "--profile {}: scheme '{}' does not define the time of a hop; omit --hop, or use "
        "another profile",
        profile.name, run.found.scheme.name));
  if (own > profile.hop)
    throw InputError(
        fmt::format("--profile {}: a hop takes {} cycles, fewer than the {} of scheme '{}'; use "
                    "a longer --hop or another profile",
                    profile.name, profile.hop, own, run.found.scheme.name));
  return profile.hop - own;
}

/// What lies in a channel: link ends, pipes or nothing.
std::uint32_t channel_delay(const ResolvedRun& run) {
  const std::uint32_t pipe = pipe_of(run);
  if (pipe == 0 && run.spec.profile.occupancy != 0)
    throw InputError(fmt::format(
        "--profile {}: headers wait in pipes for occupied inputs, and the profile has no pipes",
        run.spec.profile.name));
  if (!run.spec.links.retry) return pipe;
  if (pipe != 0)
    throw InputError(
        fmt::format("--link-retry: profile '{}' has delay pipes in the links; use profile native "
                    "without --hop",
                    run.spec.profile.name));
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
  if (run->spec.checkers) run->wait_edges = count_waits(run->spec, run->plan->waiting());
  return run;
}

}  // namespace muster::run
