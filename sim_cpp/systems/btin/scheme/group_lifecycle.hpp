// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/scheme.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/btin.hpp"
#include "run/links/link_losses.hpp"
#include "systems/btin/groups/group_manager.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"

namespace muster::checkers {
class BarrierSafety;
}

namespace muster::btin {

/// BtinScheme with the groups of a run from their creation by messages through the network to their
/// release (docs/systems/groups.md), and what changes between, between two barriers: members by
/// their requests, and trees that leave links that are declared dead. What is decided is done to
/// the groups, to the members as programs and to the checkers, who judge every barrier by the
/// members that are in force for it.
class InBandScheme : public BtinScheme,
                     private run::Lifecycle,
                     private GroupUser,
                     private run::LinkUsers {
 public:
  /// Group g gets the identifier g.
  InBandScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts);

  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  void clock(std::uint64_t cycle) override;
  run::Lifecycle* lifecycle() override { return this; }
  const topology::Routes* routes() const override { return &routes_; }
  void check_with(checkers::CheckerList& checkers) override;
  void fill(run::RunResult& result) const override;

 private:
  /// With the registers that the groups really have.
  RegisterPlan registers() const override;

  // run::Lifecycle
  void create(std::uint64_t cycle) override;
  void go() override;
  /// REQUIRES: all are alive, and all members have been released from their last barrier.
  void release(std::uint64_t cycle) override;
  void step(std::uint64_t cycle) override;
  /// All members have been told what has become of their groups, and it is known that they have.
  bool settled() const override { return manager_.settled() && manager_.heard(); }
  std::string unsettled() const override;
  std::string refusals() const override;
  bool unchanging() const override { return !manager_.changing() && links_.settled(); }
  bool finished() const override { return links_.done(); }
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const override;
  std::vector<run::LinkResult> links() const override { return links_.results(); }
  /// A barrier register that is not free, by its switch; empty if there is none. The network is
  /// idle.
  std::string residue() const override;

  // GroupUser
  std::uint64_t next(std::uint32_t gid) const override;
  std::uint64_t left(topology::NodeId node, std::uint32_t gid) const override {
    return member(gid, node).barrier;
  }
  bool arrived(topology::NodeId node, std::uint32_t gid) const override {
    return member(gid, node).waiting;
  }
  std::uint64_t idle(std::uint32_t gid) const override {
    return network_.engine().cycle() - groups_[gid].last_use;
  }
  std::uint64_t barriers(std::uint32_t) const override { return spec_.barriers; }
  void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) override;
  void changed(const ChangeRecord& record, const BarrierTree& tree) override;
  void told(topology::NodeId node, std::uint32_t gid, Membership membership,
            std::uint64_t first_barrier) override;
  void refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
               topology::SwitchId sw) override;

  // run::LinkUsers
  std::vector<std::uint16_t> permits(const topology::Routes& routes) const override {
    return manager_.permits(routes);
  }
  bool declare_dead(const run::DeadLink& dead) override {
    manager_.declare_dead(dead.link.a, dead.rest);
    return false;
  }
  bool uses(const run::KilledLink& link) override { return manager_.uses(link.a); }

  /// Moves between register and memory that were done, or all that is none.
  std::vector<ChangeResult> changes(bool moves) const;
  RequestResult* open_request(topology::NodeId node, std::uint32_t gid);
  /// Registers of all groups as planned now, with the routes in force, have no dependency
  /// cycle.
  void check_waits() const;

  /// Also of a node that is a member no more.
  const Member& member(std::uint32_t gid, topology::NodeId node) const {
    return groups_[gid].members[groups_[gid].places[node]];
  }
  /// Another tree from barrier `first` on, for its members; those of the old one have all been
  /// released from the barrier before.
  void regroup(std::uint32_t gid, const BarrierTree& tree, std::uint64_t first);

  const run::RunSpec& spec_;
  GroupManager manager_;
  std::vector<GroupTimes> times_;
  topology::Routes routes_;
  std::vector<RegisterSlot> at_go_;  ///< registers that the groups had when their members went
  checkers::BarrierSafety* checker_ = nullptr;
  std::vector<RequestResult> requests_;
  std::vector<ChangeResult> changes_;
  std::string stuck_;  ///< a tree that could not leave a dead link, and why
  run::LinkLosses links_;
  std::uint64_t seen_steps_ = 0;  ///< changes and steps of links
  std::uint64_t moved_ = 0;
};

}  // namespace muster::btin
