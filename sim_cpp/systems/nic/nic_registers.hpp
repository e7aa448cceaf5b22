// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::nic::registers {

/// Addresses and fields of a NIC's register port and event port besides the identity word
/// (fabric/register_map.hpp), for the host's side; the prose is docs/systems/nic-engine.md and
/// docs/systems/nic-link.md.

#include "systems/nic/nic_engine_registers.inc"

/// Of context c.
constexpr std::uint32_t control(std::uint32_t c) { return kContextsControl + kContextsWords * c; }
constexpr std::uint32_t doorbell(std::uint32_t c) { return kContextsDoorbell + kContextsWords * c; }
constexpr std::uint32_t received(std::uint32_t c) { return kContextsReceived + kContextsWords * c; }
constexpr std::uint32_t sent(std::uint32_t c) { return kContextsSent + kContextsWords * c; }
constexpr std::uint32_t entry(std::uint32_t c, std::uint32_t s) {
  return kListsEntry + kListsWords * c + s;
}
constexpr std::uint32_t connection(std::uint32_t k) { return kConnections + k; }

/// Not cut to 11 bits: golden engines have addresses of up to 16.
constexpr std::uint32_t address_word(std::uint32_t node, std::uint32_t channel) {
  return kAddressChannel.put(channel) | static_cast<std::uint32_t>(fabric::address_bits(node));
}
constexpr std::uint32_t times_word(std::uint32_t timeout, std::uint32_t retries,
                                   std::uint32_t gap) {
  return kTimesGap.put(gap) | kTimesRetries.put(retries) | kTimesTimeout.put(timeout);
}
constexpr std::uint32_t control_word(std::uint32_t group, std::uint32_t sequence, bool direct) {
  return kContextsControlValid.put(1) | kContextsControlDirect.put(direct) |
         kContextsControlGid.put(group) | kContextsControlSeq.put(sequence);
}
/// Not cut to 11 bits, as address_word().
constexpr std::uint32_t connection_word(std::uint32_t peer) {
  return kConnectionsValid.put(1) | peer;
}
constexpr std::uint32_t send_word(std::uint32_t peer, std::uint32_t slot, std::uint32_t group,
                                  std::uint32_t barrier) {
  return kSendPeer.put(peer) | kSendSlot.put(slot) | kSendGid.put(group) |
         kSendBarrier.put(barrier);
}

/// What an event word says first.
enum class Event : std::uint32_t { kDone, kDead, kReleased, kReceived, kSent, kDeadConnection };
constexpr std::uint32_t event_word(Event event, std::uint32_t info) {
  return static_cast<std::uint32_t>(event) << 29 | info;
}
constexpr Event event(std::uint32_t word) { return static_cast<Event>(word >> 29); }
constexpr std::uint32_t event_slot(std::uint32_t word) { return word >> 24 & 31; }  ///< connection
constexpr std::uint32_t event_context(std::uint32_t word) { return word >> 16 & 7; }
constexpr std::uint32_t event_group(std::uint32_t word) { return word >> 8 & 0xff; }
constexpr std::uint32_t event_barrier(std::uint32_t word) { return word & 0xff; }
constexpr std::uint32_t event_peer(std::uint32_t word) { return word & 0xffff; }

}  // namespace muster::nic::registers

namespace muster::nic::event_registers {

/// What a NIC with parameter Chained has in the place of step lists, for the host's side; the prose
/// is docs/systems/nic-engine.md.

#include "systems/nic/nic_events_registers.inc"

}  // namespace muster::nic::event_registers
