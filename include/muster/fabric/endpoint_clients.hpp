// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "muster/fabric/formats.hpp"

namespace muster::fabric {

/// A cycle that does not come.
inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/// What the nodes do with what is not background data, barrier messages and packets: the scheme and
/// its members.
class SyncClient {
 public:
  virtual ~SyncClient() = default;
  /// `flit` is on the wires into `node` in this cycle.
  virtual void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) = 0;
  /// The last flit of a barrier message of several flits is on the wires into `node`; `flits` are
  /// all of it. Of switches with a barrier buffer, whose nodes get no receive_sync().
  virtual void receive_message(std::uint64_t /*cycle*/, std::uint32_t /*node*/,
                               std::span<const core::Flit> /*flits*/) {}
  /// The tail of a packet that is not data is on the wires into `node`; `flits` are all of it. A
  /// client that sends none need not listen.
  virtual void receive_packet(std::uint64_t /*cycle*/, std::uint32_t /*node*/,
                              std::span<const core::Flit> /*flits*/) {}
  /// Once per cycle, after all receptions of the cycle. Here and in the calls above the client may
  /// call EndpointBank::send_sync, send_message and send_packet; what is sent is on the wires in
  /// the next cycle at the earliest.
  virtual void clock(std::uint64_t cycle) = 0;
};

/// What the nodes do with packets of data: background traffic. ready() and take() of different
/// nodes may be called by several threads at once.
class PacketClient {
 public:
  virtual ~PacketClient() = default;
  /// The cycle from which on the next packet of `node` can be taken, kNever if there is none. Asked
  /// at the start, after each take() and after EndpointBank::wake().
  virtual std::uint64_t ready(std::uint32_t node) = 0;
  /// Takes that packet for virtual channel `vc`; its head is on the wires in the next cycle.
  virtual Packet take(std::uint64_t cycle, std::uint32_t node, std::uint8_t vc) = 0;
  /// The tail of a data packet is on the wires into `node` in this cycle.
  virtual void deliver(std::uint64_t cycle, std::uint32_t node, const Packet& packet) = 0;
};

}  // namespace muster::fabric
