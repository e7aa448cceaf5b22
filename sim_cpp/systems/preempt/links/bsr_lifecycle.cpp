// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/bsr_lifecycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fabric/register_map.hpp"
#include "systems/preempt/blocks/preempt_registers.hpp"
#include "systems/preempt/links/bsr_ways.hpp"
#include "systems/preempt/links/routes_left.hpp"

namespace muster::preempt {

using topology::SwitchId;

namespace {

std::uint32_t bsr_nodes(const BsrTree& tree) {
  return static_cast<std::uint32_t>(std::count_if(tree.switches.begin(), tree.switches.end(),
                                                  [](const BsrSwitch& s) { return s.bsr_node; }));
}

}  // namespace

BsrLifecycle::BsrLifecycle(const run::SchemeParts& parts, const std::vector<const BsrTree*>& trees,
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
  for (const BsrTree* tree : trees)
    groups_.push_back({.tree = tree, .bsr_nodes = bsr_nodes(*tree)});
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
  const BsrWays ways(network_.graph(), dead.before, dead.next);
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
    network_.switches().request({end.sw, true, registers::kClosed, closed_[end.sw]});
    network_.engine().wake(0, end.sw);
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
