// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/number_map.hpp"

namespace muster::checkers {

/// A packet between the nodes: its head has been injected, its tail has not been ejected.
struct Travelling {
  std::uint64_t injected = 0;  ///< cycle of the head
  std::uint64_t hash = 0;      ///< of all flits; with `flits` valid once the tail is injected
  std::uint32_t flits = 0;     ///< 0 until then
  std::uint32_t source = 0, destination = 0;
  std::uint16_t sequence = 0;
  std::uint8_t category = 0;
  bool may_be_lost = false;  ///< see PacketTable::forgive
};

/// All travelling packets: of each flow (source, destination, category) in the order of
/// injection, and of the whole network in that order too. Constant time, and no allocation once as
/// many packets have been under way as ever will be and every flow has begun.
class PacketTable {
 public:
  using Handle = std::uint32_t;
  static constexpr Handle kNone = ~Handle{0};

  /// `categories`: what else keeps flows apart, numbered by the owner.
  PacketTable(std::uint32_t nodes, std::uint32_t categories)
      : categories_(categories), flows_(nodes) {}

  /// The new youngest packet of its flow; numbered on from its predecessor, modulo 2^16.
  Handle add(std::uint32_t source, std::uint32_t destination, std::uint8_t category,
             std::uint64_t cycle);
  /// The oldest of a flow, or kNone.
  Handle oldest_of(std::uint32_t source, std::uint32_t destination, std::uint8_t category) const;
  /// Takes out the oldest of its flow.
  void remove_oldest(std::uint32_t source, std::uint32_t destination, std::uint8_t category);

  /// It may be lost: it stays in its flow, and is no more among those of the network.
  void forgive(Handle h);
  /// The next of its flow, or kNone.
  Handle next_of_flow(Handle h) const { return slots_[h].next_of_flow; }
  /// The next younger one of the network, or kNone. REQUIRES: not forgiven.
  Handle younger(Handle h) const { return slots_[h].younger; }

  Travelling& operator[](Handle h) { return slots_[h].packet; }
  const Travelling& operator[](Handle h) const { return slots_[h].packet; }
  Handle oldest() const { return oldest_; }     ///< of the network, or kNone
  std::uint32_t size() const { return size_; }  ///< of the network

 private:
  struct Slot {
    Travelling packet;
    Handle next_of_flow = kNone;            ///< also links the free slots
    Handle older = kNone, younger = kNone;  ///< neighbours in the order of injection
  };
  struct Flow {
    Handle oldest = kNone, youngest = kNone;
    std::uint16_t sent = 0;  ///< packets injected so far, modulo 2^16
  };
  void unlink(const Slot& slot);
  std::uint32_t index(std::uint32_t destination, std::uint8_t category) const {
    return destination * categories_ + category;
  }

  std::uint32_t categories_;
  std::vector<core::NumberMap<Flow>> flows_;  ///< by source
  std::vector<Slot> slots_;
  Handle free_ = kNone, oldest_ = kNone, youngest_ = kNone;
  std::uint32_t size_ = 0;
};

}  // namespace muster::checkers
