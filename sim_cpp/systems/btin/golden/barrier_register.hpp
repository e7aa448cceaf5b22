// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"

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
  bool reflect = false;    ///< root switch that answers by itself
  bool claimed = false;    ///< a mark of the writer, no effect
  std::uint8_t op = 0;     ///< operation on the data, docs/systems/barrier-switch.md
  std::uint8_t width = 6;  ///< bits of the data
  bool serial = false;     ///< one message a cycle: no data ever wait
  bool sent = false;       ///< reduction sent, distribution awaited
  bool fresh = false;      ///< has taken a message, or become full, at the last edge
  std::uint8_t parent = 0;
  std::uint16_t gid = 0;
  std::uint16_t children = 0;
  std::uint16_t arrived = 0;
  std::uint16_t serve = 0;    ///< children still to be released
  std::uint16_t folding = 0;  ///< arrived, data still to be combined
  std::uint16_t chosen = 0;   ///< of these the one whose data are, at this edge; at most one
  fabric::Payload up, down;
  std::array<fabric::Payload, kMaxPorts> latch{};  ///< data of the ports in `folding`

  bool all_here() const { return valid && children != 0 && arrived == children; }
  bool full() const { return all_here() && folding == 0; }
  /// Has something to do, whatever comes.
  bool busy() const { return folding != 0 || fresh; }

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

 private:
  __extension__ using Wide = unsigned __int128;
  bool at_once() const { return serial || (op & 3) == 0; }
  Wide ones() const { return (Wide{1} << width) - 1; }
  Wide complemented(const fabric::Payload& data) const;
  void combine(const fabric::Payload& data);
  fabric::Payload result() const;
};

}  // namespace muster::golden
