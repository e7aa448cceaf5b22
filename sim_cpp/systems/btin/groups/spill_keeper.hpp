// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "systems/btin/groups/group_message.hpp"
#include "systems/btin/groups/member_group.hpp"
#include "systems/btin/groups/switch_setup.hpp"
#include "systems/btin/spill_nodes.hpp"

namespace muster::btin {

/// What one node says and hears about groups that find no register (docs/systems/groups.md,
/// "Spill"): as the node that sets up a switch, and as a spill node.
class SpillClient {
 public:
  using Send =
      std::function<void(Kind, NodeId, std::uint32_t gid, std::vector<std::uint32_t> words)>;

  /// `spill`: the memory of all spill nodes, each of which uses its own; null if there are none.
  SpillClient(SpillNodes* const& spill, Send send) : spill_(spill), send_(std::move(send)) {}

  /// Has the spill node of the switch do the phase; false if the switch has none.
  bool ask(Phase phase, const RegisterImage& image, SwitchSetup::Done done);
  void receive(const GroupMessage& message);

 private:
  void serve(const GroupMessage& m);

  SpillNodes* const& spill_;
  Send send_;
  /// What is to be done when a spill node has answered, by switch and group.
  std::map<std::pair<SwitchId, std::uint32_t>, SwitchSetup::Done> asked_;
};

/// The keeper of a switch, in its spill node (docs/systems/groups.md): brings groups that are
/// used from its memory back into registers, and has the group that has been idle longest moved out
/// for them. It asks; the root nodes of the groups lead the moves.
class SpillKeeper {
 public:
  /// To a node, of a group, the words of a kChange message.
  using Send = std::function<void(NodeId, std::uint32_t gid, std::vector<std::uint32_t>)>;

  /// A node that is not a spill node, or where nothing is moved, keeps nothing.
  SpillKeeper(NodeId node, const NodeWorld& world, RegisterClient& client, Send send);

  /// Once a cycle.
  void clock(std::uint64_t cycle);
  /// True if the kChange message is for a keeper.
  bool receive(const GroupMessage& m);
  /// It has asked for something.
  bool working() const { return serving_.has_value(); }
  /// A group that is used waits for it, or has not been seen yet.
  bool wanted() const;
  std::uint64_t refused() const { return refused_; }  ///< moves

 private:
  /// A group in a register of the switch.
  struct Holder {
    std::uint32_t gid = 0;
    bool claimed = false;               ///< by a group that is being created or changed
    std::optional<std::uint64_t> idle;  ///< once told, if it may be moved out
  };
  void read_from(std::uint32_t r);
  void ask_holders();
  void told_idle(const GroupMessage& m);
  void choose_victim();
  void ask_place(std::uint32_t gid, bool to_memory);
  void placed(const GroupMessage& m);
  void rest();

  NodeId node_;
  const NodeWorld& world_;
  RegisterClient& client_;
  Send send_;
  std::optional<SwitchId> here_;  ///< the switch that it keeps
  std::deque<std::uint32_t> used_;
  std::optional<std::uint32_t> serving_;  ///< the group that is to have a register
  std::vector<Holder> holders_;           ///< by register
  std::uint32_t awaited_ = 0;             ///< answers of root nodes
  std::uint64_t now_ = 0, rests_until_ = 0, refused_ = 0;
};

}  // namespace muster::btin
