// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/formats.hpp"

/// Addresses and fields of a NIC's register port and event port, for the host's side; the prose is
/// docs/systems/nic-engine.md and docs/systems/nic-link.md.
namespace muster::nic::registers {

inline constexpr std::uint32_t kKind = 6, kMapVersion = 1;  ///< in the identity word
inline constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002;
inline constexpr std::uint32_t kAddress = 0x003, kTimes = 0x004, kQuiet = 0x005, kSend = 0x006;
inline constexpr std::uint32_t kDrops = 0x008, kRefused = 0x009;
inline constexpr std::uint32_t kStart = 1, kRelease = 2;  ///< doorbells

/// Of context c.
constexpr std::uint32_t control(std::uint32_t c) { return 0x040 + 4 * c; }
constexpr std::uint32_t doorbell(std::uint32_t c) { return 0x041 + 4 * c; }
constexpr std::uint32_t received(std::uint32_t c) { return 0x042 + 4 * c; }
constexpr std::uint32_t sent(std::uint32_t c) { return 0x043 + 4 * c; }
constexpr std::uint32_t entry(std::uint32_t c, std::uint32_t s) { return 0x400 + 32 * c + s; }
constexpr std::uint32_t connection(std::uint32_t k) { return 0x080 + k; }

constexpr std::uint32_t address_word(std::uint32_t node, std::uint32_t channel) {
  return channel << 12 | static_cast<std::uint32_t>(fabric::address_bits(node));
}
constexpr std::uint32_t times_word(std::uint32_t timeout, std::uint32_t retries,
                                   std::uint32_t gap) {
  return gap << 20 | retries << 16 | timeout;
}
constexpr std::uint32_t control_word(std::uint32_t group, std::uint32_t sequence, bool direct) {
  return 1u << 31 | std::uint32_t{direct} << 30 | group << 8 | sequence;
}
constexpr std::uint32_t connection_word(std::uint32_t peer) { return 1u << 31 | peer; }
constexpr std::uint32_t send_word(std::uint32_t peer, std::uint32_t slot, std::uint32_t group,
                                  std::uint32_t barrier) {
  return peer << 21 | slot << 16 | group << 8 | barrier;
}

/// What an event word says first.
enum class Event : std::uint32_t { kDone, kDead, kReleased, kReceived, kSent, kDeadConnection };
constexpr Event event(std::uint32_t word) { return static_cast<Event>(word >> 29); }
constexpr std::uint32_t event_slot(std::uint32_t word) { return word >> 24 & 31; }  ///< connection
constexpr std::uint32_t event_context(std::uint32_t word) { return word >> 16 & 7; }
constexpr std::uint32_t event_group(std::uint32_t word) { return word >> 8 & 0xff; }
constexpr std::uint32_t event_barrier(std::uint32_t word) { return word & 0xff; }
constexpr std::uint32_t event_peer(std::uint32_t word) { return word & 0xffff; }

}  // namespace muster::nic::registers
