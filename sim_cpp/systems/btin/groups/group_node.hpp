// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "systems/btin/groups/group_changes.hpp"
#include "systems/btin/groups/group_message.hpp"
#include "systems/btin/groups/member_group.hpp"
#include "systems/btin/groups/spill_keeper.hpp"

namespace muster::btin {

/// One node's messages to other nodes where packets can be lost (docs/reliability.md).
/// To each other node one message is under way at a time; it carries the number of the message in
/// its last word, and is repeated until the other node acknowledges the number. What comes twice is
/// acknowledged twice and taken once. Packets of two nodes stay in order, so messages do.
class PeerChannels {
 public:
  using Send = std::function<void(std::vector<core::Flit>)>;

  explicit PeerChannels(Send send) : send_(std::move(send)) {}

  /// To another node.
  void send(GroupMessage message);
  /// From another node: true if it is new, and `message` is as it was sent. Acknowledgements and
  /// what has come before end here.
  bool receive(GroupMessage& message);
  /// Once a cycle: sends what is new, repeats what is not acknowledged.
  void clock(std::uint64_t cycle);
  /// Everything has been acknowledged.
  bool done() const;
  std::uint64_t repetitions() const { return repetitions_; }

 private:
  friend struct NodeState;  // in tests

  struct Peer {
    std::deque<GroupMessage> pending;  ///< the first is under way if sent
    bool sent = false;
    std::uint32_t number = 0, expected = 0;  ///< of the first pending, of the next to come
    std::uint64_t retry_after = 0, due = 0;
  };

  std::map<std::uint32_t, Peer> peers_;  ///< by node
  Send send_;
  std::uint64_t repetitions_ = 0;
};

/// The software of one node that creates, changes and releases groups: as creator, member,
/// representative, home node of switches and home of identifiers. docs/systems/groups.md has the
/// protocol. It waits for answers and never for other groups.
class GroupNode {
 public:
  GroupNode(NodeId node, const NodeWorld& world);

  /// As a member, creates a group of `members`, ascending. The id must not be in use at this node.
  void create(std::uint32_t gid, const std::vector<NodeId>& members, const GroupOptions& options);
  /// This member will not arrive at a barrier of the group any more. REQUIRES: it has been told
  /// that the group is alive, and has been released from its last barrier.
  void leave(std::uint32_t gid);

  /// Live groups change between two barriers: requests of this node, news for all.
  GroupChanges& changes() { return changes_; }
  const GroupChanges& changes() const { return changes_; }
  /// Of the switch whose spill node this is.
  const SpillKeeper& keeper() const { return keeper_; }

  /// The tree of a group of this member uses the link, named by one end.
  bool uses(topology::PortRef link) const;

  /// From another node.
  void receive_message(GroupMessage message);
  void receive_answer(const fabric::RegisterAnswer& answer) { client_.receive(answer); }
  void clock(std::uint64_t cycle);
  /// All messages to other nodes have been acknowledged, where they are.
  bool heard() const { return peers_.done(); }
  std::uint64_t repetitions() const { return client_.repetitions(); }
  std::uint64_t repeated_messages() const { return peers_.repetitions(); }
  std::uint64_t requests() const { return client_.requests(); }
  /// Sent to other nodes for changes of a group.
  std::uint64_t change_messages(std::uint32_t gid) const;

 private:
  friend struct NodeState;  // in tests: everything that decides what comes next

  void send(Kind kind, NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words = {});
  void act(const GroupMessage& m);
  void announced(const GroupMessage& m);
  void begin(std::uint32_t gid, Phase phase);
  void part_done(std::uint32_t gid, Outcome outcome, SwitchId sw);
  void phase_done(std::uint32_t gid);
  void decided_at_root(std::uint32_t gid, MemberGroup& group);
  void reported(const GroupMessage& m);
  void one_left(std::uint32_t gid);
  void release_if_left(std::uint32_t gid);
  void asked(const GroupMessage& m);
  void tell(std::uint32_t gid, Verdict verdict);

  NodeId node_;
  const NodeWorld& world_;
  PeerChannels peers_;
  RegisterClient client_;
  SpillClient spill_;
  SwitchSetup setup_;
  std::map<std::uint32_t, MemberGroup> groups_;
  std::map<std::uint32_t, Announcement> wanted_;  ///< as creator, until the id is granted
  std::set<std::uint32_t> ids_;                   ///< in use, of those this node is the home of
  std::vector<GroupMessage> to_self_;
  std::map<std::uint32_t, std::uint64_t> change_messages_;  ///< to other nodes, by group
  GroupChanges changes_;
  SpillKeeper keeper_;
};

}  // namespace muster::btin
