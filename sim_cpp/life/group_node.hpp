// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "life/group_message.hpp"
#include "life/role.hpp"
#include "life/switch_setup.hpp"

namespace muster::life {

/// What became of a group, as a member is told.
struct Verdict {
  enum class Kind : std::uint8_t { kAlive, kRefused, kGone } kind = Kind::kAlive;
  Outcome reason = Outcome::kDone;  ///< of a refusal
  SwitchId sw = 0;                  ///< where
};

/// What all nodes know, and how a node is heard. The references outlive the nodes.
struct NodeWorld {
  const topology::Graph& graph;
  const Keepers& keepers;
  /// Flits of a packet of virtual channel 0 for the network.
  std::function<void(NodeId, std::vector<network::Flit>)> send;
  /// A member has been told.
  std::function<void(NodeId, std::uint32_t gid, const Verdict&)> told;
};

/// The software of one node for the life of groups: as creator, member, representative, keeper of
/// switches and home of identifiers. docs/group-life.md has the protocol. It waits for answers and
/// never for other groups.
class GroupNode {
 public:
  GroupNode(NodeId node, const NodeWorld& world);

  /// As a member, creates a group of `members`, ascending. The id must not be in use at this node.
  void create(std::uint32_t gid, const std::vector<NodeId>& members, const GroupOptions& options);
  /// This member will not arrive at a barrier of the group any more. REQUIRES: it has been told
  /// that the group is alive, and has been released from its last barrier.
  void leave(std::uint32_t gid);

  void receive_message(const GroupMessage& message);
  void receive_answer(const network::RegisterAnswer& answer) { client_.receive(answer); }
  void clock(std::uint64_t cycle);
  std::uint64_t repetitions() const { return client_.repetitions(); }

 private:
  /// A group at a member.
  struct Group {
    GroupOptions options;
    NodeId creator = 0;
    std::vector<NodeId> members;
    Role role;
    Phase phase = Phase::kReserve;
    std::uint32_t awaited = 0;  ///< answers and reports of this phase
    std::uint32_t leaving = 0;  ///< leaves still to come: this node, children, locals
    Verdict verdict;            ///< what the phase will come to
  };

  void send(Kind kind, NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words = {});
  void dispatch(const GroupMessage& m);
  void announced(const GroupMessage& m);
  void begin(std::uint32_t gid, Phase phase);
  void part_done(std::uint32_t gid, Outcome outcome, SwitchId sw);
  void phase_done(std::uint32_t gid);
  void decided_at_root(std::uint32_t gid, Group& group);
  void reported(const GroupMessage& m);
  void one_left(std::uint32_t gid);
  void asked(const GroupMessage& m);
  void tell(std::uint32_t gid, const Verdict& verdict);

  NodeId node_;
  const NodeWorld& world_;
  RegisterClient client_;
  SwitchSetup setup_;
  std::map<std::uint32_t, Group> groups_;
  std::map<std::uint32_t, Group> wanted_;  ///< as creator, until the id is granted
  std::set<std::uint32_t> ids_;            ///< in use, of those this node is the home of
  std::vector<GroupMessage> to_self_;
};

}  // namespace muster::life
