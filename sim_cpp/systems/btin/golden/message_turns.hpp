// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/port_messages.hpp"

namespace muster::golden {

/// Whose turn it is in a switch whose barrier unit takes one message a cycle
/// (docs/systems/serial-unit.md, many-groups.md). In another switch no message waits for a turn.
class MessageTurns {
 public:
  explicit MessageTurns(const fabric::SwitchConfig& config)
      : formats_(config.flit_w, config.gid_w),
        ports_(config.ports),
        serial_(config.serial || config.groups != 0) {}

  /// What the turns make of the messages of a cycle.
  struct Choice {
    std::uint16_t ports = 0;           ///< those whose message unit and spill see
    std::optional<std::uint32_t> one;  ///< the one of them that has the turn
  };
  /// On the state at the beginning of the cycle. `blocked`: no port has the turn.
  Choice choose(const PortMessages& messages, bool blocked) const {
    Choice choice{messages.ports, {}};
    if (!serial_) return choice;
    std::uint16_t asking = 0;
    for_each_bit(messages.ports, [&](std::uint32_t port) {
      const auto type = formats_.barrier_message(messages.at(port)).type;
      if (type <= fabric::MessageType::kDistribution)
        asking |= static_cast<std::uint16_t>(bit(port));
    });
    choice.ports = static_cast<std::uint16_t>(choice.ports & ~asking);
    if (asking == 0 || blocked) return choice;
    choice.one = round_robin(asking, pointer_);
    choice.ports |= static_cast<std::uint16_t>(bit(*choice.one));
    return choice;
  }

  /// The clock edge: the messages of the ports `taken` leave.
  void edge(const Choice& choice, std::uint16_t taken) {
    if (choice.one && has(taken, *choice.one)) pointer_ = (*choice.one + 1) % ports_;
  }

 private:
  fabric::Formats formats_;
  std::uint32_t ports_;
  bool serial_;
  std::uint32_t pointer_ = 0;  // round robin over the ports
};

}  // namespace muster::golden
