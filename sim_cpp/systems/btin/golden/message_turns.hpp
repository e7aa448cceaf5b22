// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden {

/// Whose turn it is in a switch whose barrier unit takes one message a cycle
/// (docs/systems/serial-unit.md). In another switch nobody waits for a turn.
class MessageTurns {
 public:
  explicit MessageTurns(const fabric::SwitchConfig& config)
      : formats_(config.flit_w, config.gid_w), ports_(config.ports), serial_(config.serial) {}

  /// What the turns make of the sync heads of a cycle.
  struct Choice {
    std::uint64_t lanes = 0;           ///< those that unit and spill see
    std::optional<std::uint32_t> one;  ///< the lane of them that has the turn
  };
  /// On the state at the beginning of the cycle.
  Choice choose(std::uint64_t sync, const InputQueues& queues, std::uint32_t barrier_vc) const {
    Choice choice{sync, {}};
    if (!serial_) return choice;
    std::uint32_t asking = 0;
    for_each_bit(sync, [&](std::uint32_t lane) {
      if (vc_of(lane) != barrier_vc) return;
      const auto type = formats_.barrier_message(queues.head(lane)).type;
      if (type > fabric::MessageType::kDistribution) return;
      asking |= 1u << port_of(lane);
      choice.lanes &= ~bit(lane);
    });
    if (asking == 0) return choice;
    choice.one = lane_of(round_robin(asking, pointer_), barrier_vc);
    choice.lanes |= bit(*choice.one);
    return choice;
  }

  /// The clock edge: the heads of the lanes `taken` leave their queues.
  void edge(const Choice& choice, std::uint64_t taken) {
    if (choice.one && has(taken, *choice.one)) pointer_ = (port_of(*choice.one) + 1) % ports_;
  }

 private:
  fabric::Formats formats_;
  std::uint32_t ports_;
  bool serial_;
  std::uint32_t pointer_ = 0;  // round robin over the ports
};

}  // namespace muster::golden
