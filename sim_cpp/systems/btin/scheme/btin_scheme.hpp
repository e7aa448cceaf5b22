// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "muster/run/barrier_data.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"
#include "systems/btin/spill_nodes.hpp"
#include "topology/places.hpp"

namespace muster::btin {

class GroupLifecycle;

/// The members of BTIN groups (section 3.2). A member sends a reduction message when it arrives and
/// is released by a distribution message. The root node is told by a reduction message that all
/// others have arrived; once it has arrived too, it sends the distribution message and goes on. A
/// `reflect` group has no such node: its root switch reflects, and the root node is a member like
/// the others. A group of one needs no message.
///
/// A member's message carries its synchronization data; the root node adds its own to those of its
/// notification. Every release is checked: a member that is not released with what the
/// data of all members make together of this barrier is an InternalError, whatever the switches
/// between have done.
class BtinScheme : public run::Scheme, private run::FaultHandler {
 public:
  /// Gives each group a register, or a place in the spill node, on every switch of its tree; group
  /// g has the identifier groups[g].gid, members in the order of groups[g].tree.members. Throws
  /// InputError if there are too few registers or the identifiers do not fit.
  BtinScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts);
  ~BtinScheme() override;

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  bool holds(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) const override {
    return barrier >= groups_[group].members[member].held;
  }
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  /// With the registers that the groups really have: set up in band they are not known beforehand.
  RegisterPlan registers() const;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  void clock(std::uint64_t cycle) override;
  run::Lifecycle* lifecycle() override;
  const topology::Routes* routes() const override;
  run::FaultHandler& fault_handler() override { return *this; }
  void check_with(checkers::CheckerList& checkers) override;
  void fill(run::RunResult& result) const override;
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override;

  // Changes of groups between two barriers (systems/btin/groups/member_group.hpp); group g has the
  // identifier g.

  /// The first barrier for which the root node has not sent its message.
  std::uint64_t next(std::uint32_t group) const;
  /// Barriers that the member at this node has been released from.
  std::uint64_t left(std::uint32_t group, std::uint32_t node) const;
  /// The member at this node has arrived at a barrier and waits for its release.
  bool arrived(std::uint32_t group, std::uint32_t node) const {
    const Group& g = groups_[group];
    return g.members[g.places[node]].waiting;
  }
  /// The cycle in which the root node last arrived or was released; 0 before its first barrier.
  std::uint64_t last_use(std::uint32_t group) const { return groups_[group].last_use; }
  /// The member at this node arrives at no barrier from `barrier` on, and as the root node
  /// distributes none.
  void hold(std::uint64_t cycle, std::uint32_t group, std::uint32_t node, std::uint64_t barrier);
  /// Another tree from barrier `first` on, for its members; those of the old one have all been
  /// released from the barrier before.
  void regroup(std::uint32_t group, const BarrierTree& tree, std::uint64_t first);
  /// The place of a node in the group, also of one that is a member no more.
  std::uint32_t member_at(std::uint32_t group, std::uint32_t node) const {
    return groups_[group].places[node];
  }
  const PlannedGroup& planned(std::uint32_t group) const { return planned_[group]; }
  /// The groups are alive: what their barriers are counted as, by where they live now.
  void note_places();

 private:
  // run::FaultHandler
  void write_again(topology::SwitchId sw) override;
  std::string survivors_need() const override { return may_retry_ ? "--retry" : ""; }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNoBarrier = ~std::uint64_t{0};
  struct Member {
    std::uint32_t node = 0;
    std::uint64_t barrier = 0;        ///< that it waits for or goes to next
    std::uint64_t held = kNoBarrier;  ///< from this one on it does not arrive
    bool waiting = false;             ///< arrived, not released
    bool active = true;               ///< a member now
  };
  struct Group {
    std::uint32_t gid = 0;
    bool alone = false;
    std::uint32_t root = 0;                   ///< the member at the root node
    std::uint32_t root_member = kNone;        ///< kNone if the root switch reflects
    std::uint64_t last_use = 0;               ///< cycle, at the root node
    bool notified = false;                    ///< the root node: all others have arrived
    fabric::Payload notification;             ///< the data that told it
    std::uint64_t expected_for = kNoBarrier;  ///< the barrier of `expected`
    fabric::Payload expected;                 ///< of all members' data, see expected()
    std::vector<Member> members;
    topology::Places places;  ///< of all that ever were members

    std::uint32_t size() const { return static_cast<std::uint32_t>(members.size()); }
  };
  void make_spill(const run::SchemeParts& parts);
  void add_group(const PlannedGroup& planned);
  void note_place(std::uint32_t group, std::uint64_t first);
  void load_registers();
  void load(const RegisterSlot& slot);
  void set_tree(Group& group, const PlannedGroup& planned);
  void send(std::uint32_t node, fabric::MessageType type, std::uint32_t gid,
            const fabric::Payload& data);
  fabric::Payload brings(const Group& group, std::uint32_t member) const;
  const fabric::Payload& expected(Group& group, std::uint64_t barrier) const;
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
               const fabric::Payload& data);
  void distribute_if_complete(std::uint64_t cycle, std::uint32_t group);

  std::vector<PlannedGroup> planned_;
  RegisterPlan planned_registers_;
  bool many_ = false;                  ///< switches with groups in block RAM
  bool may_retry_ = false;             ///< the run would not be refused with --retry
  std::unique_ptr<SpillNodes> spill_;  ///< nullptr if no group may be spilled
  fabric::Network& network_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  run::BarrierData data_;
  std::vector<Group> groups_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> spilled_;  ///< as in Result
  std::vector<std::uint32_t> group_of_gid_;
  TreeTraffic traffic_;
  std::unique_ptr<GroupLifecycle> lifecycle_;  ///< nullptr if the host writes the registers
};

}  // namespace muster::btin
