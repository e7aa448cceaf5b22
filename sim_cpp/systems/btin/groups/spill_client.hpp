// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "systems/btin/groups/group_message.hpp"
#include "systems/btin/groups/spill_nodes.hpp"
#include "systems/btin/groups/switch_setup.hpp"

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

}  // namespace muster::btin
