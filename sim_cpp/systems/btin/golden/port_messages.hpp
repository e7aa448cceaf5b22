// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/core/flit.hpp"

namespace muster::golden {

/// The barrier messages that a switch sees in a cycle, one a port at most.
struct PortMessages {
  std::uint16_t ports = 0;              ///< that have one
  std::uint16_t stored = 0;             ///< of these, in their pocket; the others are on the wires
  const core::Flit* wires = nullptr;    ///< by port
  const core::Flit* pockets = nullptr;  ///< likewise
  const core::Flit& at(std::uint32_t port) const {
    return has(stored, port) ? pockets[port] : wires[port];
  }
};

/// The pockets of a switch in which a message may have to wait (docs/systems/barrier-switch.md,
/// Spill): a place for one message at each port.
class Pockets {
 public:
  /// Ports whose pocket is full.
  std::uint16_t full() const { return full_; }

  /// What the switch sees if the sync flits of `arriving` are on the wires. The pockets of these
  /// ports are empty, by their credit.
  PortMessages messages(std::uint16_t arriving, const core::Flit* wires) const {
    return {static_cast<std::uint16_t>(arriving | full_), full_, wires, flits_.data()};
  }
  /// The clock edge: the messages of the ports `taken` leave, the others are in their pockets.
  void edge(const PortMessages& messages, std::uint16_t taken) {
    for_each_bit(messages.ports & ~messages.stored & ~taken,
                 [&](std::uint32_t port) { flits_[port] = messages.wires[port]; });
    full_ = static_cast<std::uint16_t>(messages.ports & ~taken);
  }

 private:
  std::uint16_t full_ = 0;
  std::array<core::Flit, kMaxPorts> flits_{};
};

}  // namespace muster::golden
