// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "systems/btin/golden/group_data.hpp"

namespace muster::golden {

/// The messages that a register has accepted in one cycle.
struct Arrivals {
  std::uint16_t reductions = 0;           ///< ports
  const fabric::Payload* data = nullptr;  ///< of the reductions, by port
  bool distribution = false;
  fabric::Payload down;  ///< of the distribution
};

/// One barrier register (BTIN sections 3.1 and 3.2): combines the reduction messages of its
/// children into one for the parent, and replicates the parent's answer to them. Masks have one bit
/// a port.
///
/// Invariant while the host leaves `children` alone: `arrived` and `serve` are disjoint parts of
/// `children`, so upward and downward state of two consecutive barriers can overlap.
struct BarrierRegister {
  bool valid = false;
  bool reflect = false;  ///< root switch that answers by itself
  bool claimed = false;  ///< a mark of the writer, no effect
  bool sent = false;     ///< reduction sent, distribution awaited
  bool fresh = false;    ///< has taken a message, or become full, at the last edge
  std::uint8_t parent = 0;
  std::uint16_t gid = 0;
  std::uint16_t children = 0;
  std::uint16_t arrived = 0;
  std::uint16_t serve = 0;  ///< children still to be released
  GroupData data;           ///< of those that have arrived
  fabric::Payload down;     ///< of the last release

  bool all_here() const { return valid && children != 0 && arrived == children; }
  bool full() const { return all_here() && data.folding == 0; }
  /// Has something to do, whatever comes.
  bool busy() const { return data.folding != 0 || fresh; }

  /// The outputs at which a message of this register waits.
  std::uint16_t requests(std::uint32_t ports) const;

  /// The message that waits at output `port`, one of requests().
  fabric::BarrierMessage message(std::uint32_t port) const;

  /// Whether a message for this group is accepted at `port`.
  bool accepts(fabric::MessageType type, std::uint32_t port) const;

  /// The clock edge: messages accepted on the state before it, and outputs through which a message
  /// of this register has left.
  void edge(const Arrivals& accepted, std::uint16_t departed);

  /// Forgets the barrier under way.
  void clear();
};

}  // namespace muster::golden
