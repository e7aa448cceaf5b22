// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/scheme.hpp"
#include "muster/systems/preempt.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "run/links/link_losses.hpp"
#include "systems/preempt/bsr_traffic.hpp"
#include "systems/preempt/bsr_tree.hpp"

namespace muster::preempt {

/// Routes of a connected network that has lost links, by the levels by which the routes `before`
/// go: entries whose ways did not lead over what is lost stay as they are, others are up*/down* by
/// these levels. Where the levels leave some switch without a way, or there are none (`levels` is
/// empty), all is up*/down* by new levels. `levels` is then that of the result.
///
/// Why the two kinds of entries go together: what follows an entry that stays stays too; and where
/// a new entry leads down, the next switch has a way down in what is left, so it had one before,
/// and its entry leads down, whether it stays or not. So no way goes up after it went down.
topology::Routes routes_left(const topology::Graph& rest, const topology::Routes& before,
                             std::vector<std::uint32_t>& levels);

/// Two sets of routes of one network, and where they part for the messages of a group
/// (docs/systems/bsr-tree.md, Dead links). The references outlive this.
class RouteDifference {
 public:
  RouteDifference(const topology::Graph& graph, const topology::Routes& before,
                  const topology::Routes& next)
      : graph_(graph), before_(before), next_(next) {}

  /// First messages, and *free*, meet a switch whose deterministic port differs: the messages of a
  /// first barrier that is not over could find another tree than they have begun.
  bool first_differ(const BsrTree& tree) const;
  /// Messages between a BSR node and its parent meet a switch whose mask differs, on some way that
  /// the old masks allow. If they meet none, all their ways are as they were.
  bool later_differ(const BsrTree& tree) const;

 private:
  bool meets(topology::SwitchId from, topology::SwitchId to) const;

  const topology::Graph& graph_;
  const topology::Routes& before_;
  const topology::Routes& next_;
};

/// Tells when nothing moves on one link any more: no flit and no credit for as long as one takes
/// through it, and no channel of it cut, whose padding end is still to come. It sees the links from
/// the first cycle of a run on.
class LinkQuiet : public core::Observer {
 public:
  /// `pipe`: cycles of the delay pipe in every channel. The layout outlives this.
  LinkQuiet(const fabric::Layout& layout, std::uint64_t pipe)
      : layout_(layout), pipe_(pipe), cut_(layout.channels().size(), 0) {}
  /// From `cycle` on it is about this link. REQUIRES: it is there.
  void watch(std::uint64_t cycle, const run::KilledLink& link);
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
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
/// (docs/systems/bsr-tree.md, Dead links). Trees are addresses, so no status table is touched; what
/// changes are the routes on which the messages find these addresses. A group whose first messages
/// would go another way finishes its first barrier before tables are rewritten; where old and new
/// routes together are not free of deadlock, groups with changed ways stand between two barriers
/// meanwhile.
class BsrLifecycle final : public run::Lifecycle, private run::LinkUsers {
 public:
  /// `trees`, `traffic`, and what `parts` refers to, outlive this.
  BsrLifecycle(const run::SchemeParts& parts, const std::vector<BsrTree>& trees,
               const BsrTraffic& traffic);

  void step(std::uint64_t cycle) override;
  bool unchanging() const override { return links_.done(); }
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const override;
  std::string residue() const override;
  std::vector<run::LinkResult> links() const override { return links_.results(); }

  /// The member may not arrive at that barrier yet.
  bool holds(std::uint32_t group, std::uint32_t barrier) const {
    return barrier >= groups_[group].held;
  }
  /// Those in force.
  const topology::Routes& routes() const { return routes_; }
  /// Those whose masks messages under way may have read besides; the same if there are none.
  const topology::Routes& older() const { return older_; }
  std::vector<Change> changes() const;

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
  topology::Routes routes_of(const topology::Graph& rest) override;
  bool adaptive() const override { return true; }
  bool declare_dead(const run::DeadLink& dead) override;
  bool lets_rewrite() override;
  void rewritten(std::uint64_t cycle, const run::KilledLink& link) override;
  bool uses(const run::KilledLink& link) override;
  void taken_out(std::uint64_t cycle, const run::KilledLink& link) override;

  bool first_over(std::uint32_t group) const;
  std::uint32_t arrived(std::uint32_t group) const;
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
  std::uint64_t now_ = 0, steps_ = 0, moved_ = 0;
};

}  // namespace muster::preempt
