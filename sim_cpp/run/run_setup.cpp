// SPDX-License-Identifier: Apache-2.0
#include "run/run_setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "fabric/register_map.hpp"
#include "run/scheme_registry.hpp"
#include "systems/btin/groups/keepers.hpp"
#include "systems/btin/tree/wait_graph.hpp"
#include "systems/nic/scheme/nic_scheme.hpp"
#include "topology/dependency.hpp"
#include "topology/group_spec.hpp"
#include "topology/route_check.hpp"
#include "topology/without_link.hpp"

namespace muster::run {

using fabric::SwitchConfig;

Patience default_patience(const RunSpec& spec) {
  const std::uint64_t held = spec.congestion ? spec.congestion->cycles : 0;
  if (spec.max_wait != 0) return {spec.max_wait, spec.max_wait, held};
  const std::uint64_t blocks = spec.graph->switches() + spec.graph->nodes();
  std::uint64_t idle_network = 10'000 + 100 * blocks + spec.profile.arrive + spec.profile.leave;
  // A NIC that asks in vain must have given up before.
  if (find_scheme(spec.scheme).nics) idle_network += 1'000 * std::uint64_t{nic::nic_timeout(spec)};
  if (spec.load_flits == 0.0) return {idle_network + held, idle_network + held, held};
  return {idle_network * spec.packet_length + held, 5'000'000 + held, held};
}

namespace {

/// Members leave, others join, and each by turns.
void check_wishes(const RunSpec& spec) {
  std::vector<Wish> wishes = spec.wishes;
  std::stable_sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) {
    return std::tie(a.group, a.node, a.barrier) < std::tie(b.group, b.node, b.barrier);
  });
  const Wish* before = nullptr;
  for (const Wish& w : wishes) {
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{} '{}@{}': {}", w.join ? "--join" : "--leave",
                                   topology::node_name(*spec.graph, w.node), w.barrier, reason));
    };
    if (spec.barriers < 2) refuse("a run of one barrier has no change");
    if (w.barrier < 1 || w.barrier >= spec.barriers)
      refuse(fmt::format("members can change before barriers 1 to {}", spec.barriers - 1));
    const bool again = before != nullptr && before->group == w.group && before->node == w.node;
    if (again && before->barrier == w.barrier) refuse("joins and leaves at once");
    const auto& members = spec.groups[w.group].members;
    const bool member =
        again ? before->join : std::find(members.begin(), members.end(), w.node) != members.end();
    if (member == w.join) refuse(w.join ? "is a member already" : "is no member that could leave");
    before = &w;
  }
}

void check_changes(const RunSpec& spec) {
  if (spec.wishes.empty() && spec.killed.empty()) return;
  if (!spec.in_band)
    throw InputError(
        "--join, --leave and --kill-link: groups that change are set up by messages; add --setup "
        "in-band");
  if (spec.spill)
    throw InputError(
        "--spill: groups in the memory of nodes cannot change; run without --join, --leave and "
        "--kill-link");
  check_wishes(spec);
  topology::Graph rest = *spec.graph;
  for (const KilledLink& link : spec.killed) {
    try {
      rest = topology::without_link(rest, link.a, link.b);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--kill-link: {}", error.what()));
    }
  }
}

void check_sizes(const RunSpec& spec) {
  const std::pair<const char*, std::uint64_t> times[] = {{"--spread", spec.spread},
                                                         {"--split", spec.split},
                                                         {"--warmup", spec.warmup},
                                                         {"--min-cycles", spec.min_cycles},
                                                         {"--max-wait", spec.max_wait}};
  for (const auto& [option, cycles] : times)
    if (cycles > kMostCycles)
      throw InputError(
          fmt::format("{} {}: a run takes at most {} cycles for it", option, cycles, kMostCycles));
  if (spec.barriers > kMostBarriers / std::max<std::size_t>(spec.groups.size(), 1))
    throw InputError(fmt::format("--barriers {}: a run takes at most {} barriers of {} groups",
                                 spec.barriers, kMostBarriers, spec.groups.size()));
}

}  // namespace

void check_spec(const RunSpec& spec) {
  check_sizes(spec);
  if (spec.profile.clock_ns <= 0.0)
    throw InputError("profile: the clock period must be above 0 ns");
  if (spec.load_flits < 0.0) throw InputError("load: must not be negative");
  if (spec.load_flits > 0.0 && spec.graph->nodes() < 2) {
    throw InputError("load: background data needs at least two nodes");
  }
  for (const StoppedChannel& s : spec.stopped) {
    if (s.channel >= 2 * (spec.graph->links().size() + spec.graph->nodes())) {
      throw InputError(fmt::format("fault: there is no channel {}", s.channel));
    }
  }
  check_changes(spec);
  if (spec.congestion && !spec.killed.empty())
    throw InputError("--congestion: both it and --kill-link write registers; run without one");
  if (const auto fault = topology::delivery_fault(*spec.graph, *spec.routes)) {
    throw InputError("routes: " + *fault);
  }
  const auto cycle = topology::DependencyGraph(*spec.graph, *spec.routes).cycle();
  if (!cycle.empty()) {
    throw InputError("routes: not free of deadlock, a cycle of channel dependencies: " +
                     topology::describe(cycle));
  }
}

namespace {

// As far as the register map reaches (docs/registers.md).
constexpr std::uint32_t kMaxRegisters = 16;
constexpr std::uint32_t kMaxDestinations =
    (1u << fabric::registers::kAddressWidth) - fabric::registers::kRoutes;

/// Barrier registers of the largest switch that may be chosen.
std::uint32_t registers_available(const RunSpec& spec, const fabric::Requirement& need) {
  if (spec.config) return spec.config->regs;
  SwitchConfig large;
  large.name = "large";
  large.ports = std::max(need.ports, 3u);
  large.regs = kMaxRegisters;
  large.kind = need.kind;
  large.serial = need.serial;
  if (spec.engine->supports(large)) return kMaxRegisters;
  std::uint32_t most = 0;
  for (const SwitchConfig& c : fabric::configurations())
    if (c.kind == need.kind && c.serial == need.serial && spec.engine->supports(c))
      most = std::max(most, c.regs);
  return most;
}

/// By switch, not 0 if groups that find no register there may be spilled; empty if none may.
std::vector<std::uint16_t> spill_ports(const RunSpec& spec) {
  if (!spec.spill) return {};
  return btin::plan_keepers(*spec.graph, *spec.routes).spill_ports;
}

/// Throws InputError if the busiest switch needs more registers than a switch has.
void check_registers(const RunSpec& spec, std::span<const btin::PlannedGroup> groups,
                     const std::vector<std::uint32_t>& needed, std::uint32_t available) {
  const auto busiest = std::max_element(needed.begin(), needed.end());
  if (busiest == needed.end() || *busiest <= available) return;
  const auto s = static_cast<topology::SwitchId>(busiest - needed.begin());
  std::vector<std::string> names;
  for (const btin::PlannedGroup& group : groups) {
    const auto& order = group.tree.order;
    if (group.tree.alone() || std::find(order.begin(), order.end(), s) == order.end()) continue;
    names.push_back("'" + group.name + "'");
  }
  throw InputError(fmt::format(
      "switch {} is in the trees of {} groups, {}, but has {} barrier registers; run fewer groups "
      "at once{}",
      s, names.size(), fmt::join(names, ", "), available,
      spec.spill ? "; it has no node to spill them to" : ", or with --spill"));
}

}  // namespace

SwitchConfig choose_config(const RunSpec& spec, const SchemePlan& plan) {
  if (spec.config) require_kind(*spec.config, plan.switch_kind());
  auto used = btin::registers_needed(plan.trees());
  const std::vector<std::uint16_t> ports = spill_ports(spec);
  for (std::size_t s = 0; s < std::min(used.size(), ports.size()); ++s)
    if (ports[s] != 0) used[s] = 0;  // any number will do
  if (spec.spill && plan.trees().empty() && !spec.groups.empty())
    throw InputError(
        fmt::format("--spill: scheme '{}' has nothing in switches to spill", spec.scheme));
  if (spec.serial && plan.trees().empty() && !spec.groups.empty())
    throw InputError(
        fmt::format("--serial: scheme '{}' has no barrier registers in switches", spec.scheme));
  if (spec.in_band && plan.trees().empty() && !spec.groups.empty())
    throw InputError(
        fmt::format("--setup in-band: scheme '{}' has nothing to set up in switches", spec.scheme));
  const fabric::Requirement need{
      .ports = spec.graph->max_ports(),
      .regs = used.empty() ? plan.entries() : *std::max_element(used.begin(), used.end()),
      .dests = spec.graph->destinations(),
      .vcs = spec.own_barrier_vc ? 2u : info(plan.switch_kind()).min_vcs,
      .kind = plan.switch_kind(),
      .serial = spec.serial};
  if (need.dests > kMaxDestinations) {
    throw InputError(fmt::format(
        "{} nodes and {} switches are {} destinations, but routing tables hold {}; take a smaller "
        "network",
        spec.graph->nodes(), spec.graph->switches(), need.dests, kMaxDestinations));
  }
  check_registers(spec, plan.trees(), used, registers_available(spec, need));
  if (!spec.config) return choose(fabric::configurations(), need, *spec.engine);
  SwitchConfig config = *spec.config;
  if (spec.serial && !config.serial) {
    config.serial = true;
    config.name += "-serial";
  }
  validate(config);
  require(config, need);
  if (!spec.engine->supports(config)) {
    throw InputError(fmt::format("engine '{}' has no switch configuration '{}'",
                                 spec.engine->name(), config.name));
  }
  return config;
}

std::uint32_t most_spilled(const RunSpec& spec, const SchemePlan& plan,
                           const SwitchConfig& config) {
  if (!spec.spill) return 0;
  std::uint32_t most = 0;
  for (const std::uint32_t groups : btin::registers_needed(plan.trees()))
    most = std::max(most, groups - std::min(groups, config.regs));
  return most;
}

std::unique_ptr<Arrivals> make_arrivals(RunSpec& spec) {
  std::unique_ptr<Arrivals> arrivals = std::move(spec.arrivals);
  if (!arrivals) arrivals = std::make_unique<UniformArrivals>(spec.spread, spec.seed);
  if (spec.absent.empty()) return arrivals;
  return std::make_unique<WithAbsence>(std::move(arrivals), spec.absent);
}

std::unique_ptr<fabric::Network> build_network(const RunSpec& spec, const SwitchConfig& config,
                                               fabric::NicBanks nics) {
  namespace regs = fabric::registers;
  const topology::Graph& graph = *spec.graph;
  fabric::BankOptions options = spec.bank;
  if (nics.nics) options.wave_file.clear();  // which shows the NICs
  auto switches = spec.engine->make_switches(config, graph.switches(), options);
  const btin::Keepers keepers = btin::plan_keepers(graph, *spec.routes);
  for (topology::SwitchId s = 0; s < graph.switches(); ++s) {
    switches->write_register(s, regs::kMode, spec.own_barrier_vc ? regs::kModeOwn : 0);
    for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
      switches->write_register(s, regs::kRoutes + d, spec.routes->mask(s, d));
    }
    switches->write_register(s, regs::kRoutes + graph.nodes() + s, regs::kRouteSelf);
    switches->write_register(s, regs::kPermits, keepers.permits[s]);
    if (spec.spill) switches->write_register(s, regs::kSpill, keepers.spill_ports[s]);
  }
  const fabric::EndpointConfig nodes{.nodes = graph.nodes(),
                                     .vcs = config.vcs,
                                     .depth = config.depth,
                                     .own_barrier_vc = spec.own_barrier_vc ||
                                                       info(config.kind).worms ||
                                                       info(config.kind).preempts,
                                     .send_delay = spec.profile.send,
                                     .receive_delay = spec.profile.receive};
  const fabric::PipeConfig pipes{
      .delay = spec.profile.pipe, .vcs = config.vcs, .depth = config.depth};
  auto network = std::make_unique<fabric::Network>(
      graph, std::move(switches),
      std::make_unique<fabric::EndpointBank>(nodes, fabric::Formats(config.flit_w, config.gid_w)),
      pipes, std::move(nics));
  network->engine().set_skip(spec.skip);
  return network;
}

std::uint64_t check_waits(const RunSpec& spec, const SchemePlan& plan) {
  std::vector<btin::RegisterImage> images;
  for (const btin::PlannedGroup& group : plan.trees()) {
    const auto more = btin::register_images(group.tree, group.gid, group.turn);
    images.insert(images.end(), more.begin(), more.end());
  }
  const btin::WaitGraph waits(*spec.graph, *spec.routes, images, spill_ports(spec));
  if (const std::string cycle = waits.cycle(); !cycle.empty())
    throw InternalError("barriers wait for each other in a circle: " + cycle);
  return waits.edges();
}

}  // namespace muster::run
