// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_lifecycle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "muster/fabric/barrier_end.hpp"
#include "systems/preempt/preempt_registers.hpp"
#include "topology/route_check.hpp"

namespace muster::preempt {

using topology::Graph;
using topology::Routes;
using topology::SwitchId;

namespace {

enum class Known : std::uint8_t { kNot, kFree, kConcerned };

/// Whether the ways from a switch to one destination lead over what is lost; `known`: by switch.
/// The ways are acyclic, so this ends.
bool concerned(const Graph& rest, const Routes& routes, std::uint32_t destination, SwitchId s,
               std::vector<Known>& known) {
  if (known[s] != Known::kNot) return known[s] == Known::kConcerned;
  known[s] = Known::kFree;
  const std::uint32_t mask = routes.mask(s, destination);
  for (std::uint32_t p = 0; p < rest.ports(s); ++p) {
    if ((mask >> p & 1) == 0) continue;
    const topology::Peer& peer = rest.peer(s, p);
    if (peer.kind == topology::Peer::Kind::kOpen ||
        (peer.kind == topology::Peer::Kind::kSwitch &&
         concerned(rest, routes, destination, peer.id, known)))
      known[s] = Known::kConcerned;
  }
  return known[s] == Known::kConcerned;
}

bool usable(const Graph& graph, const Routes& routes) {
  return !topology::delivery_fault(graph, routes) &&
         topology::DependencyGraph(graph, routes).deadlock_free();
}

}  // namespace

Routes routes_left(const Graph& rest, const Routes& before, std::vector<std::uint32_t>& levels) {
  if (!levels.empty()) {
    Routes routes = topology::up_down_routes(rest, levels);
    for (std::uint32_t d = 0; d < before.destinations(); ++d) {
      std::vector<Known> known(rest.switches(), Known::kNot);
      for (SwitchId s = 0; s < rest.switches(); ++s)
        if (!concerned(rest, before, d, s, known)) routes.set(s, d, before.mask(s, d));
    }
    if (usable(rest, routes)) return routes;
  }
  levels = topology::up_down_levels(rest);
  return topology::up_down_routes(rest, levels);
}

bool RouteDifference::first_differ(const BsrTree& tree) const {
  const std::uint32_t center = graph_.nodes() + tree.center_switch;
  for (SwitchId s = 0; s < graph_.switches(); ++s)
    if (tree.switches[s].in_tree && before_.next_port(s, center) != next_.next_port(s, center))
      return true;
  return false;
}

bool RouteDifference::later_differ(const BsrTree& tree) const {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    const auto& parent = tree.switches[s].parent;
    if (parent && (meets(s, *parent) || meets(*parent, s))) return true;
  }
  return false;
}

/// Follows every bit of every mask that a message may meet.
bool RouteDifference::meets(SwitchId from, SwitchId to) const {
  const std::uint32_t destination = graph_.nodes() + to;
  std::vector<std::uint8_t> seen(graph_.switches(), 0);
  std::vector<SwitchId> open{from};
  seen[from] = seen[to] = 1;
  while (!open.empty()) {
    const SwitchId at = open.back();
    open.pop_back();
    const std::uint32_t mask = before_.mask(at, destination);
    if (mask != next_.mask(at, destination)) return true;
    for (std::uint32_t p = 0; p < graph_.ports(at); ++p) {
      if ((mask >> p & 1) == 0) continue;
      const SwitchId next = graph_.peer(at, p).id;
      if (seen[next] != 0) continue;
      seen[next] = 1;
      open.push_back(next);
    }
  }
  return false;
}

void LinkQuiet::watch(std::uint64_t cycle, const run::KilledLink& link) {
  const auto leaves = [](const fabric::End& end, const topology::PortRef& port) {
    return !end.node && end.id == port.sw && end.port == port.port;
  };
  for (core::ChannelId c = 0; c < layout_.channels().size(); ++c) {
    const fabric::Channel& channel = layout_.channels()[c];
    if (leaves(channel.from, link.a)) channels_[0] = c;
    if (leaves(channel.from, link.b)) channels_[1] = c;
  }
  delay_ = layout_.channels()[channels_[0]].latency + pipe_ + 1;
  moved_ = cycle;
}

void LinkQuiet::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                        std::span<const core::CreditEvent> credits) {
  for (const core::FlitEvent& event : flits) {
    if (event.channel >= cut_.size()) continue;  // behind a pipe
    if (fabric::is_control(event.flit))
      cut_[event.channel] = fabric::link_control(event.flit).end ? 0 : 1;
    if (of_link(event.channel)) moved_ = cycle;
  }
  for (const core::CreditEvent& event : credits)
    if (of_link(event.channel)) moved_ = cycle;
}

namespace {

std::uint32_t bsr_nodes(const BsrTree& tree) {
  return static_cast<std::uint32_t>(std::count_if(tree.switches.begin(), tree.switches.end(),
                                                  [](const BsrSwitch& s) { return s.bsr_node; }));
}

}  // namespace

BsrLifecycle::BsrLifecycle(const run::SchemeParts& parts, const std::vector<BsrTree>& trees,
                           const BsrTraffic& traffic)
    : network_(parts.network),
      members_(parts.members),
      traffic_(traffic),
      routes_(*parts.spec.routes),
      older_(routes_),
      closed_(parts.spec.graph->switches(), 0),
      rest_(parts.network.layout(), parts.spec.profile.pipe),
      links_(parts.spec, parts.network, *this, routes_) {
  if (!parts.spec.graph->mesh) levels_ = topology::up_down_levels(*parts.spec.graph);
  for (const BsrTree& tree : trees)
    groups_.push_back({.tree = &tree, .bsr_nodes = bsr_nodes(tree)});
  network_.engine().observe_with(rest_);
}

void BsrLifecycle::step(std::uint64_t cycle) {
  now_ = cycle;
  links_.step(cycle);
  if (const std::uint64_t steps = links_.steps(); steps != steps_) {
    steps_ = steps;
    moved_ = cycle;
  }
}

topology::Routes BsrLifecycle::routes_of(const topology::Graph& rest) {
  return routes_left(rest, routes_, levels_);
}

bool BsrLifecycle::declare_dead(const run::DeadLink& dead) {
  const RouteDifference ways(network_.graph(), dead.before, dead.next);
  older_ = dead.before;
  first_change_ = changes_.size();
  bool held = false;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    group.first_differs = ways.first_differ(*group.tree) && !first_over(g);
    group.differs = group.first_differs || ways.later_differ(*group.tree);
    if (!group.differs) continue;
    changes_.push_back({.group = g, .kept = group.bsr_nodes, .decided = dead.link.cycle});
    // A group that has not begun its first barrier finishes it too: that is its creation.
    if (!dead.acyclic) group.held = std::max(arrived(g), 1u);
    held |= !dead.acyclic;
  }
  return held;
}

bool BsrLifecycle::lets_rewrite() {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.first_differs && !first_over(g)) return false;
    if (group.differs && group.held != kNever && !passed(g, group.held)) return false;
  }
  return true;
}

void BsrLifecycle::rewritten(std::uint64_t cycle, const run::KilledLink& link) {
  for (std::size_t c = first_change_; c < changes_.size(); ++c) {
    Group& group = groups_[changes_[c].group];
    group.until = arrived(changes_[c].group);
    changes_[c].first_barrier = group.until;
    group.held = kNever;
  }
  rest_.watch(cycle, link);
}

bool BsrLifecycle::uses(const run::KilledLink&) {
  bool used = !rest_.at_rest(now_);
  for (std::size_t c = first_change_; c < changes_.size(); ++c) {
    Change& change = changes_[c];
    if (change.confirmed == 0 && passed(change.group, groups_[change.group].until))
      change.confirmed = now_;
    used |= change.confirmed == 0;
  }
  return used;
}

/// Nothing goes there any more; were something to, it would be dropped and counted, not lost.
void BsrLifecycle::taken_out(std::uint64_t, const run::KilledLink& link) {
  for (const topology::PortRef& end : {link.a, link.b}) {
    closed_[end.sw] |= 1u << end.port;
    network_.write_to_switch(end.sw, registers::kClosed, closed_[end.sw]);
  }
  older_ = routes_;
}

/// Also that of *free*, the last of its messages: it comes to the parent of each BSR node but the
/// center's switch.
bool BsrLifecycle::first_over(std::uint32_t group) const {
  if (!passed(group, 1)) return false;
  const BsrTree& tree = *groups_[group].tree;
  std::uint32_t come = 0;
  for (SwitchId s = 0; s < tree.switches.size(); ++s)
    if (tree.switches[s].bsr_node) come += traffic_.frees(group, s);
  return come + 1 == groups_[group].bsr_nodes;
}

/// Barriers at which a member has arrived.
std::uint32_t BsrLifecycle::arrived(std::uint32_t group) const {
  const auto& rounds = members_.rounds(group);
  std::uint32_t barrier = members_.current(group);
  while (barrier < rounds.size() && rounds[barrier].arrivals != 0) ++barrier;
  return barrier;
}

std::string BsrLifecycle::trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool) const {
  if (!links_.under_way()) return {};
  std::uint64_t last = std::max(moved_, links_.declared_before(cycle));
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    last = std::max(last, members_.last_event(g));
    // Members that are on their way to a barrier: what waits for them is no trouble.
    if (groups_[g].held == kNever && members_.scheduled(g) != 0) return {};
  }
  if (cycle - last <= hang_limit) return {};
  return fmt::format("cycle {}: a dead link makes no progress since cycle {}", cycle, last);
}

std::string BsrLifecycle::residue() const {
  for (SwitchId s = 0; s < closed_.size(); ++s)
    if (const auto dropped = network_.switches().read_register(s, fabric::registers::kNoRouteDrops);
        dropped != 0)
      return fmt::format("switch {} has dropped {} packets or messages without a route", s,
                         dropped);
  return {};
}

std::vector<Change> BsrLifecycle::changes() const {
  std::vector<Change> changes = changes_;
  for (Change& change : changes) {
    const auto& rounds = members_.rounds(change.group);
    if (change.confirmed == 0 || change.first_barrier >= rounds.size()) continue;
    const auto& round = rounds[change.first_barrier];
    if (round.releases == round.members) change.first_release = round.last_release;
  }
  return changes;
}

}  // namespace muster::preempt
