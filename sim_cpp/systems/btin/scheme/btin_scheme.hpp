// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
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

/// The members of BTIN groups (section 3.2), whether their messages are repeated or not. A member's
/// message carries its synchronization data; the root node adds its own to those of its
/// notification. Every release is checked: a member that is not released with what the data of all
/// members make together of this barrier is an InternalError, whatever the switches between have
/// done.
class TreeScheme : public run::Scheme {
 public:
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override;

 protected:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNoBarrier = ~std::uint64_t{0};
  struct Member {
    std::uint32_t node = 0;
    std::uint32_t name = 0;           ///< identifier of the group, or label, in its messages
    std::uint64_t barrier = 0;        ///< that it waits for or goes to next
    std::uint64_t held = kNoBarrier;  ///< from this one on it does not arrive
    bool waiting = false;             ///< arrived, not released
    bool active = true;               ///< a member now
  };
  struct Group {
    std::uint32_t gid = 0;
    bool alone = false;                       ///< needs no message
    std::uint32_t root = 0;                   ///< the member at the root node
    std::uint32_t root_member = kNone;        ///< the same; kNone if the root switch reflects
    std::uint64_t last_use = 0;               ///< cycle in which the root arrived or was released
    std::uint64_t expected_for = kNoBarrier;  ///< the barrier of `expected`
    fabric::Payload expected;                 ///< of all members' data
    std::vector<Member> members;
    topology::Places places;  ///< of all that ever were members

    std::uint32_t size() const { return static_cast<std::uint32_t>(members.size()); }
  };
  /// Group g has the identifier groups[g].gid, members in the order of groups[g].tree.members.
  /// `data_width`: bits of a message.
  TreeScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts,
             unsigned data_width, TreeTraffic::Messages messages);

  /// Where the groups are now.
  virtual RegisterPlan registers() const { return registers_; }
  /// Writes a register through the port of its switch.
  void load(const RegisterSlot& slot);
  /// Of switches with labels: what registers and members have in their messages.
  void name_registers(const topology::Graph& graph);
  static void set_tree(Group& group, const PlannedGroup& planned);
  /// Of the group with this identifier; kNone if there is none.
  std::uint32_t group_of(std::uint32_t gid) const { return traffic_.group_of(gid); }
  void send(std::uint32_t node, const fabric::BarrierMessage& message) {
    network_.endpoints().send_sync(node, formats_.barrier_flit(message, 0));
  }
  fabric::Payload brings(const Group& g, std::uint32_t member) const {
    return data_.of(g.gid, g.size(), member, g.members[member].barrier);
  }
  /// The member waits for its release, or no more.
  void wait(Member& member, bool waiting) {
    waiting_ += waiting;
    waiting_ -= member.waiting;
    member.waiting = waiting;
  }
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
               const fabric::Payload& data);

  std::vector<PlannedGroup> planned_;
  RegisterPlan registers_;             ///< as planned
  bool many_;                          ///< switches with groups in block RAM
  bool labels_;                        ///< switches with labels
  std::unique_ptr<SpillNodes> spill_;  ///< nullptr if no group may be spilled
  fabric::Network& network_;
  fabric::Formats formats_;
  run::BarrierData data_;
  std::vector<Group> groups_;
  std::uint64_t waiting_ = 0;  ///< members
  TreeTraffic traffic_;
};

/// A member sends a reduction message when it arrives and is released by a distribution message.
/// The root node is told by a reduction message that all others have arrived; once it has arrived
/// too, it sends the distribution message and goes on. A `reflect` group has no such node: its root
/// switch reflects, and the root node is a member like the others.
class BtinScheme : public TreeScheme, private run::FaultHandler {
 public:
  /// Gives each group a register, or a place in the spill node, on every switch of its tree. Throws
  /// InputError if there are too few registers or the identifiers do not fit.
  BtinScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  bool holds(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) const override {
    return barrier >= groups_[group].members[member].held;
  }
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  run::FaultHandler& fault_handler() override { return *this; }
  void fill(run::RunResult& result) const override;

 protected:
  void distribute_if_complete(std::uint64_t cycle, std::uint32_t group);
  /// What barriers of the group are counted as from barrier `first` on, by where it lives now.
  void note_place(std::uint32_t group, std::uint64_t first);
  /// The same of all groups, from their first barrier on.
  void note_places() {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) note_place(g, 0);
  }

  /// By group: the data with which its root node was told that all others have arrived.
  std::vector<std::optional<fabric::Payload>> notified_;

 private:
  // run::FaultHandler
  void write_again(topology::SwitchId sw) override;
  std::string survivors_need() const override { return may_retry_ ? "--retry" : ""; }

  bool may_retry_;  ///< the run would not be refused with --retry
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> spilled_;  ///< as in Result
};

/// BtinScheme with groups that are set up, and may change, by messages (group_lifecycle.cpp).
std::unique_ptr<run::Scheme> in_band_scheme(const std::vector<PlannedGroup>& groups,
                                            const run::SchemeParts& parts);
/// TreeScheme with registers that repeat (retry_scheme.cpp).
std::unique_ptr<run::Scheme> retry_scheme(const std::vector<PlannedGroup>& groups,
                                          const run::SchemeParts& parts);

}  // namespace muster::btin
