// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/plan.hpp"
#include "run/links/link_losses.hpp"
#include "systems/preempt/bsr_traffic.hpp"
#include "systems/preempt/bsr_tree.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::preempt {

enum class Known : std::uint8_t { kNot, kFree, kConcerned };

/// Whether the ways from a switch to one destination lead over what is lost; `known`: by switch.
/// The ways are acyclic, so this ends.
inline bool concerned(const topology::Graph& rest, const topology::Routes& routes,
                      std::uint32_t destination, topology::SwitchId s, std::vector<Known>& known) {
  if (known[s] != Known::kNot) return known[s] == Known::kConcerned;
  known[s] = Known::kFree;
  core::for_each_bit(routes.mask(s, destination), [&](std::uint32_t port) {
    const topology::Peer& peer = rest.peer(s, port);
    if (peer.kind == topology::Peer::Kind::kOpen ||
        (peer.kind == topology::Peer::Kind::kSwitch &&
         concerned(rest, routes, destination, peer.id, known)))
      known[s] = Known::kConcerned;
  });
  return known[s] == Known::kConcerned;
}

/// Routes of a connected network that has lost links, by the levels by which the routes `before`
/// go: entries whose ways did not lead over what is lost stay as they are, others are up*/down* by
/// these levels. Where the levels leave some switch without a way, or there are none (`levels` is
/// empty), all is up*/down* by new levels. `levels` is then that of the result.
///
/// Why the two kinds of entries go together: what follows an entry that stays stays too; and where
/// a new entry leads down, the next switch has a way down in what is left, so it had one before,
/// and its entry leads down, whether it stays or not. So no way goes up after it went down.
inline topology::Routes routes_left(const topology::Graph& rest, const topology::Routes& before,
                                    std::vector<std::uint32_t>& levels) {
  if (!levels.empty()) {
    topology::Routes routes = topology::up_down_routes(rest, levels);
    for (std::uint32_t d = 0; d < before.destinations(); ++d) {
      std::vector<Known> known(rest.switches(), Known::kNot);
      for (topology::SwitchId s = 0; s < rest.switches(); ++s)
        if (!concerned(rest, before, d, s, known)) routes.set(s, d, before.mask(s, d));
    }
    if (!topology::delivery_fault(rest, routes) &&
        topology::DependencyGraph(rest, routes).deadlock_free())
      return routes;
  }
  levels = topology::up_down_levels(rest);
  return topology::up_down_routes(rest, levels);
}

/// Two sets of routes of one network part for the messages of a group (docs/systems/bsr-tree.md,
/// The steps): first messages, and *free*, meet a switch whose deterministic port differs. The
/// messages of a first barrier that is not over could find another tree than they have begun.
inline bool first_differ(const topology::Graph& graph, const topology::Routes& before,
                         const topology::Routes& next, const BsrTree& tree) {
  const std::uint32_t center = graph.nodes() + tree.center_switch;
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    if (tree.switches[s].in_tree && before.next_port(s, center) != next.next_port(s, center))
      return true;
  return false;
}

/// Messages between two switches meet one whose mask differs, on some way that the old masks allow,
/// every bit of which is followed. If they meet none, all their ways are as they were.
inline bool differ(const topology::Graph& graph, const topology::Routes& before,
                   const topology::Routes& next, topology::SwitchId from, topology::SwitchId to) {
  const std::uint32_t destination = graph.nodes() + to;
  std::vector<std::uint8_t> seen(graph.switches(), 0);
  std::vector<topology::SwitchId> open{from};
  seen[from] = seen[to] = 1;
  while (!open.empty()) {
    const topology::SwitchId at = open.back();
    open.pop_back();
    const core::PortMask mask = before.mask(at, destination);
    if (mask != next.mask(at, destination)) return true;
    core::for_each_bit(mask, [&](std::uint32_t port) {
      const topology::SwitchId behind = graph.peer(at, port).id;
      if (std::exchange(seen[behind], 1) == 0) open.push_back(behind);
    });
  }
  return false;
}

/// The same of messages between a BSR node and its parent, either way.
inline bool later_differ(const topology::Graph& graph, const topology::Routes& before,
                         const topology::Routes& next, const BsrTree& tree) {
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    if (const auto& parent = tree.switches[s].parent;
        parent &&
        (differ(graph, before, next, s, *parent) || differ(graph, before, next, *parent, s)))
      return true;
  return false;
}

/// Tells when nothing moves on one link any more: no flit and no credit for as long as one takes
/// through it, and no channel of it cut, whose padding end is still to come. It sees the links from
/// the first cycle of a run on.
class LinkQuiet : public core::Observer {
 public:
  /// `pipe`: cycles of the delay pipe in every channel. The layout outlives this.
  LinkQuiet(const fabric::Layout& layout, std::uint64_t pipe)
      : layout_(layout), pipe_(pipe), cut_(layout.channels().size(), 0) {}
  /// From `cycle` on it is about this link. REQUIRES: it is there.
  void watch(std::uint64_t cycle, const run::KilledLink& link) {
    for (core::ChannelId c = 0; c < layout_.channels().size(); ++c) {
      const fabric::End& from = layout_.channels()[c].from;
      if (from == fabric::End{false, link.a.sw, link.a.port}) channels_[0] = c;
      if (from == fabric::End{false, link.b.sw, link.b.port}) channels_[1] = c;
    }
    delay_ = layout_.channels()[channels_[0]].latency + pipe_ + 1;
    moved_ = cycle;
  }
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override {
    for (const core::FlitEvent& event : flits) {
      if (event.channel >= cut_.size()) continue;  // behind a pipe
      if (fabric::is_control(event.flit))
        cut_[event.channel] = fabric::link_control(event.flit).end ? 0 : 1;
      if (of_link(event.channel)) moved_ = cycle;
    }
    for (const core::CreditEvent& event : credits)
      if (of_link(event.channel)) moved_ = cycle;
  }
  /// Between two cycles.
  bool at_rest(std::uint64_t cycle) const {
    return cycle > moved_ + delay_ && cut_[channels_[0]] == 0 && cut_[channels_[1]] == 0;
  }

 private:
  bool of_link(core::ChannelId channel) const {
    return channel == channels_[0] || channel == channels_[1];
  }

  const fabric::Layout& layout_;
  std::uint64_t pipe_, delay_ = 0, moved_ = 0;
  std::array<core::ChannelId, 2> channels_{};  ///< of the link
  std::vector<std::uint8_t> cut_;              ///< by channel, 1: a request has gone, no end since
};

/// What links that die mean to groups whose messages build their own tree
/// (docs/systems/bsr-tree.md, The steps). Trees are addresses, so no status table is touched; what
/// changes are the routes on which the messages find these addresses. A group whose first messages
/// would go another way finishes its first barrier before tables are rewritten; where old and new
/// routes together are not free of deadlock, groups with changed ways stand between two barriers
/// meanwhile.
class BsrLifecycle final : public run::Lifecycle, private run::LinkUsers {
 public:
  /// `trees`, `traffic`, and what `parts` refers to, outlive this.
  BsrLifecycle(const run::SchemeParts& parts, const std::vector<BsrTree>& trees,
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
    for (const BsrTree& tree : trees) {
      const auto bsr_nodes = std::ranges::count(tree.switches, true, &BsrSwitch::bsr_node);
      groups_.push_back({.tree = &tree, .bsr_nodes = static_cast<std::uint32_t>(bsr_nodes)});
    }
    network_.engine().observe_with(rest_);
  }

  void step(std::uint64_t cycle) override {
    now_ = cycle;
    links_.step(cycle);
  }
  bool unchanging() const override { return links_.done(); }
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool) const override {
    if (!links_.under_way()) return {};
    std::uint64_t last = links_.last_step(cycle);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      last = std::max(last, members_.last_event(g));
      // Members that are on their way to a barrier: what waits for them is no trouble.
      if (groups_[g].held == kNever && members_.scheduled(g) != 0) return {};
    }
    if (cycle - last <= hang_limit) return {};
    return fmt::format("cycle {}: a dead link makes no progress since cycle {}", cycle, last);
  }
  std::string residue() const override {
    for (topology::SwitchId s = 0; s < closed_.size(); ++s)
      if (const auto dropped =
              network_.switches().read_register(s, fabric::registers::kNoRouteDrops);
          dropped != 0)
        return fmt::format("switch {} has dropped {} packets or messages without a route", s,
                           dropped);
    return {};
  }
  std::vector<run::LinkResult> links() const override { return links_.results(); }

  /// The member may not arrive at that barrier yet.
  bool holds(std::uint32_t group, std::uint32_t barrier) const {
    return barrier >= groups_[group].held;
  }
  /// Those in force.
  const topology::Routes& routes() const { return routes_; }
  /// Those whose masks messages under way may have read besides; the same if there are none.
  const topology::Routes& older() const { return older_; }
  std::vector<Change> changes() const {
    std::vector<Change> changes = changes_;
    for (Change& change : changes) {
      const auto& rounds = members_.rounds(change.group);
      if (change.confirmed == 0 || change.first_barrier >= rounds.size()) continue;
      const auto& round = rounds[change.first_barrier];
      if (round.releases == round.members) change.first_release = round.last_release;
    }
    return changes;
  }

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  struct Group {
    const BsrTree* tree;
    std::uint32_t bsr_nodes = 0;
    std::uint32_t held = kNever;  ///< from this barrier on members do not arrive
    bool first_differs = false;   ///< first messages would go another way without the dead link
    bool differs = false;         ///< those after the first would
    std::uint32_t until = 0;      ///< old ways are not used from this barrier on
  };

  // run::LinkUsers
  topology::Routes routes_of(const topology::Graph& rest) override {
    return routes_left(rest, routes_, levels_);
  }
  bool adaptive() const override { return true; }
  bool declare_dead(const run::DeadLink& dead) override {
    const topology::Graph& graph = network_.graph();
    older_ = dead.before;
    first_change_ = changes_.size();
    bool held = false;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      group.first_differs =
          !first_over(g) && first_differ(graph, dead.before, dead.next, *group.tree);
      group.differs =
          group.first_differs || later_differ(graph, dead.before, dead.next, *group.tree);
      if (!group.differs) continue;
      changes_.push_back({.group = g, .kept = group.bsr_nodes, .decided = dead.link.cycle});
      // A group that has not begun its first barrier finishes it too: that is its creation.
      if (!dead.acyclic) group.held = std::max(arrived(g), 1u);
      held |= !dead.acyclic;
    }
    return held;
  }
  bool lets_rewrite() override {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (group.first_differs && !first_over(g)) return false;
      if (group.differs && group.held != kNever && !passed(g, group.held)) return false;
    }
    return true;
  }
  void rewritten(std::uint64_t cycle, const run::KilledLink& link) override {
    for (std::size_t c = first_change_; c < changes_.size(); ++c) {
      Group& group = groups_[changes_[c].group];
      group.until = arrived(changes_[c].group);
      changes_[c].first_barrier = group.until;
      group.held = kNever;
    }
    rest_.watch(cycle, link);
  }
  bool uses(const run::KilledLink&) override {
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
  void taken_out(std::uint64_t, const run::KilledLink& link) override {
    for (const topology::PortRef& end : {link.a, link.b}) {
      closed_[end.sw] |= 1u << end.port;
      network_.write_to_switch(end.sw, registers::kClosed, closed_[end.sw]);
    }
    older_ = routes_;
  }

  /// Also that of *free*, the last of its messages: it comes to the parent of each BSR node but the
  /// center's switch.
  bool first_over(std::uint32_t group) const {
    if (!passed(group, 1)) return false;
    const BsrTree& tree = *groups_[group].tree;
    std::uint32_t come = 0;
    for (topology::SwitchId s = 0; s < tree.switches.size(); ++s)
      if (tree.switches[s].bsr_node) come += traffic_.frees(group, s);
    return come + 1 == groups_[group].bsr_nodes;
  }
  /// Barriers at which a member has arrived.
  std::uint32_t arrived(std::uint32_t group) const {
    const auto& rounds = members_.rounds(group);
    std::uint32_t barrier = members_.current(group);
    while (barrier < rounds.size() && rounds[barrier].arrivals != 0) ++barrier;
    return barrier;
  }
  bool passed(std::uint32_t group, std::uint32_t barrier) const {
    return members_.current(group) >= barrier;
  }

  fabric::Network& network_;
  const run::Members& members_;
  const BsrTraffic& traffic_;
  topology::Routes routes_, older_;
  std::vector<std::uint32_t> levels_;  ///< that the routes go by; empty: by none
  std::vector<Group> groups_;
  std::vector<Change> changes_;
  std::size_t first_change_ = 0;       ///< of the link that is being taken out
  std::vector<std::uint32_t> closed_;  ///< by switch: ports
  LinkQuiet rest_;
  run::LinkLosses links_;
  std::uint64_t now_ = 0;
};

}  // namespace muster::preempt
