// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/groups/group_message.hpp"
#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {

/// A switch whose register of a group another plan wants otherwise: a register more (no `before`),
/// one less (no `after`), or other words in it.
struct SwitchDifference {
  topology::SwitchId sw = 0;
  std::optional<RegisterImage> before, after;
};

/// By switch, ascending; switches whose image stays are left out. REQUIRES: images of one group.
std::vector<SwitchDifference> plan_difference(std::span<const RegisterImage> before,
                                              std::span<const RegisterImage> after);

/// The part of one node in the changes of live groups: members join and leave, trees move away from
/// dead links, registers move to memory and back, each time between two barriers
/// (docs/systems/groups.md, Changes and Moves). As a member it stops when it is told to; as
/// root node it collects requests and leads the change; as home node it writes registers; as home
/// of an identifier it knows the root node.
///
/// A change is two steps. Until all registers that it needs are reserved nothing has changed and
/// no member waits; then the group stops between two barriers, registers are written, and it goes
/// on.
class GroupChanges {
 public:
  /// To a node, of a group, the words of a kChange message.
  using Send = std::function<void(NodeId, std::uint32_t gid, std::vector<std::uint32_t>)>;

  GroupChanges(NodeId node, const NodeWorld& world, SwitchSetup& setup,
               std::map<std::uint32_t, MemberGroup>& groups, Send send)
      : node_(node), world_(world), setup_(setup), groups_(groups), send_(std::move(send)) {}

  /// This node requests to be a member, or none, from `barrier` on (at least 1), or from the next
  /// barrier between which and its predecessor it can be arranged.
  void request(std::uint32_t gid, bool join, std::uint64_t barrier);
  /// A link has been declared dead, or the group is alive only now: as its root node, moves its
  /// tree if it uses one.
  void look_at(std::uint32_t gid);
  void look_at_all();
  /// The group has been released, or never was.
  void gone(std::uint32_t gid);

  void keep_root(std::uint32_t gid, NodeId root) { roots_[gid] = root; }
  void forget_root(std::uint32_t gid) { roots_.erase(gid); }
  void receive(const GroupMessage& m);
  /// Once a cycle.
  void clock();
  /// No request waits and no change is under way, as far as this node knows.
  bool idle() const {
    return requests_.empty() && changes_.empty() && stops_.empty() && pauses_.empty() && open_ == 0;
  }
  /// This node is root node and leads a change of the group.
  bool leads(std::uint32_t gid) const { return changes_.count(gid) != 0; }

 private:
  struct MembershipRequest {
    NodeId node = 0;
    bool join = false, link = false;  ///< link: of the group itself, away from a dead link
    std::uint64_t stop = 0;           ///< the change comes after this barrier
  };
  /// At the root node.
  struct Change {
    std::vector<MembershipRequest> requests;
    NodeId keeper = 0;  ///< who has asked for a move
    std::uint64_t stop = 0;
    Announcement next;
    BarrierTree tree;  ///< the next one
    std::vector<SwitchDifference> differences;
    Phase phase = Phase::kReserve;
    std::uint32_t awaited = 0;
    ChangeRecord record;
  };
  /// At a member that has been told to stop.
  struct Stop {
    std::uint64_t after = 0;
    std::uint32_t to_agree = 0, to_be_quiet = 0;  ///< this member, children, locals
    bool quiet = false;                           ///< this member
  };
  /// At a member that must not arrive at a barrier: whether any member has.
  struct Pause {
    std::uint64_t before = 0;
    std::uint32_t to_answer = 0;  ///< this member, children, locals
    bool answered = false;        ///< this member
    bool arrived = false;         ///< a member below
  };

  bool is_root(const MemberGroup& group) const { return group.role.root_node == node_; }
  std::uint64_t earliest(std::uint32_t gid) const;

  // Root node (group_changes.cpp).
  bool passed_on(const GroupMessage& m);
  void requested(const GroupMessage& m);
  void add_request(std::uint32_t gid, MembershipRequest request, std::uint64_t barrier);
  void add_requests_again(std::uint32_t gid);
  void refuse(std::uint32_t gid, const MembershipRequest& request, Outcome outcome, SwitchId sw);
  void consider(std::uint32_t gid);
  void start(std::uint32_t gid, std::uint64_t stop);
  std::vector<MembershipRequest> take_requests(Change& change);
  bool collect_members(Change& change);
  void adjust(std::uint32_t gid, Phase phase);
  void adjusted(const GroupMessage& m);
  void phase_done(std::uint32_t gid);
  void hold_all(ChangeKind kind, std::uint32_t gid, std::uint64_t barrier);
  void all_refused(std::uint32_t gid);
  void finish(std::uint32_t gid);
  void hand_on_requests(std::uint32_t gid, NodeId root);
  void hold_for_requests(std::uint32_t gid);

  // Root node of a group that moves between register and memory.
  bool movable(std::uint32_t gid, const MemberGroup& group, bool to_memory) const;
  void tell_idle(const GroupMessage& m);
  void place(const GroupMessage& m);
  /// A keeper has asked for a move: how that went.
  void tell_placed(NodeId keeper, std::uint32_t gid, Outcome outcome, SwitchId sw) {
    send_(keeper, gid, {word(ChangeKind::kPlaced), word(outcome), sw});
  }
  void pause_all(std::uint32_t gid);
  void all_paused(std::uint32_t gid, bool arrived);

  // Member and home node.
  const MemberGroup* known_or_early(const GroupMessage& m);
  void stop(const GroupMessage& m);
  void one_agreed(std::uint32_t gid);
  void one_quiet(std::uint32_t gid);
  void pause(const GroupMessage& m);
  void one_paused(std::uint32_t gid, bool arrived);
  void look_at_pauses();
  void go_on(const GroupMessage& m);
  void changed(const GroupMessage& m);
  void goes_on_with(std::uint32_t gid, Membership membership, std::uint64_t barrier);
  void keep(const GroupMessage& m);
  void keep_moved(Phase phase, bool to_memory, const RegisterImage& image,
                  const SwitchSetup::Done& done);

  NodeId node_;
  const NodeWorld& world_;
  SwitchSetup& setup_;
  std::map<std::uint32_t, MemberGroup>& groups_;
  Send send_;
  std::map<std::uint32_t, std::vector<MembershipRequest>>
      requests_;  ///< at the root node, for later changes
  std::map<std::uint32_t, Change> changes_;
  std::map<std::uint32_t, Stop> stops_;
  std::map<std::uint32_t, Pause> pauses_;
  /// Told to stop or to pause before it was told of the change before.
  std::map<std::uint32_t, GroupMessage> early_;
  std::map<std::uint32_t, NodeId> roots_;  ///< of identifiers this node is the home of
  std::uint32_t open_ = 0;                 ///< requests of this node without answer
};

}  // namespace muster::btin
