// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/lifecycle.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/systems/preempt.hpp"
#include "run/links/link_losses.hpp"
#include "systems/preempt/links/link_rest.hpp"
#include "systems/preempt/scheme/bsr_traffic.hpp"
#include "systems/preempt/scheme/bsr_tree.hpp"

namespace muster::preempt {

/// What links that die mean to groups whose messages build their own tree
/// (docs/systems/bsr-tree.md, Dead links). Trees are addresses, so no status table is touched; what
/// changes are the routes on which the messages find these addresses. A group whose first messages
/// would go another way finishes its first barrier before tables are rewritten; where old and new
/// routes together are not free of deadlock, groups with changed ways stand between two barriers
/// meanwhile.
class BsrLifecycle final : public run::Lifecycle, private run::LinkUsers {
 public:
  /// `trees`, `traffic`, and what `parts` refers to, outlive this.
  BsrLifecycle(const run::SchemeParts& parts, const std::vector<const BsrTree*>& trees,
               const BsrTraffic& traffic);

  void create(std::uint64_t) override {}
  void go() override {}
  void release(std::uint64_t) override {}
  void step(std::uint64_t cycle) override;
  bool settled() const override { return true; }
  std::string unsettled() const override { return {}; }
  std::string refusals() const override { return {}; }
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
    bool first_differs = false;   ///< of the link in hand
    bool differs = false;         ///< likewise
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
  std::size_t first_change_ = 0;       ///< of the link in hand
  std::vector<std::uint32_t> closed_;  ///< by switch: ports
  LinkRest rest_;
  run::LinkLosses links_;
  std::uint64_t now_ = 0, steps_ = 0, moved_ = 0;
};

}  // namespace muster::preempt
