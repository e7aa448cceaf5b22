// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_map.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::nic::registers {

/// Addresses and fields of a NIC's register port and event port besides the identity word
/// (fabric/register_map.hpp), for the host's side; the prose is docs/systems/nic-engine.md and
/// docs/systems/nic-link.md.

// registers, written by scripts/registers from rdl/nic_engine.rdl
inline constexpr std::uint32_t kKind = 6;
inline constexpr std::uint32_t kIdentity = 0x000;
inline constexpr std::uint32_t kIdentityMagicValue = 0x4d53;
inline constexpr fabric::RegisterField kIdentityMagic{16, 16};
inline constexpr fabric::RegisterField kIdentityKind{8, 8};
inline constexpr std::uint32_t kIdentityVersionValue = 0x1;
inline constexpr fabric::RegisterField kIdentityVersion{0, 8};
inline constexpr std::uint32_t kSizes = 0x001;
inline constexpr fabric::RegisterField kSizesChained{31, 1};
inline constexpr fabric::RegisterField kSizesContexts{24, 4};
inline constexpr fabric::RegisterField kSizesSteps{16, 8};
inline constexpr fabric::RegisterField kSizesConns{8, 8};
inline constexpr fabric::RegisterField kSizesRecords{0, 8};
inline constexpr std::uint32_t kWidths = 0x002;
inline constexpr fabric::RegisterField kWidthsVcs{24, 8};
inline constexpr fabric::RegisterField kWidthsDepth{16, 8};
inline constexpr fabric::RegisterField kWidthsSeqW{8, 8};
inline constexpr fabric::RegisterField kWidthsFlitW{0, 8};
inline constexpr std::uint32_t kAddress = 0x003;
inline constexpr fabric::RegisterField kAddressChannel{12, 2};
inline constexpr fabric::RegisterField kAddressNode{0, 11};
inline constexpr std::uint32_t kTimes = 0x004;
inline constexpr fabric::RegisterField kTimesGap{20, 12};
inline constexpr fabric::RegisterField kTimesRetries{16, 4};
inline constexpr fabric::RegisterField kTimesTimeout{0, 16};
inline constexpr std::uint32_t kQuiet = 0x005;
inline constexpr fabric::RegisterField kQuietCycles{0, 24};
inline constexpr std::uint32_t kSend = 0x006;
inline constexpr fabric::RegisterField kSendPeer{21, 11};
inline constexpr fabric::RegisterField kSendSlot{16, 5};
inline constexpr fabric::RegisterField kSendGid{8, 8};
inline constexpr fabric::RegisterField kSendBarrier{0, 8};
inline constexpr std::uint32_t kDrops = 0x008;
inline constexpr fabric::RegisterField kDropsLimited{24, 8};
inline constexpr fabric::RegisterField kDropsStale{16, 8};
inline constexpr fabric::RegisterField kDropsUnknown{8, 8};
inline constexpr fabric::RegisterField kDropsMalformed{0, 8};
inline constexpr std::uint32_t kRefused = 0x009;
inline constexpr fabric::RegisterField kRefusedCount{0, 8};
inline constexpr std::uint32_t kContextsControl = 0x040;
inline constexpr std::uint32_t kContextsWords = 4;
inline constexpr fabric::RegisterField kContextsControlValid{31, 1};
inline constexpr fabric::RegisterField kContextsControlDirect{30, 1};
inline constexpr fabric::RegisterField kContextsControlPhase{28, 2};
inline constexpr fabric::RegisterField kContextsControlPast{27, 1};
inline constexpr fabric::RegisterField kContextsControlNotice{24, 2};
inline constexpr fabric::RegisterField kContextsControlPc{16, 5};
inline constexpr fabric::RegisterField kContextsControlGid{8, 8};
inline constexpr fabric::RegisterField kContextsControlSeq{0, 8};
inline constexpr std::uint32_t kContextsDoorbell = 0x041;
inline constexpr fabric::RegisterField kContextsDoorbellReleases{1, 1};
inline constexpr fabric::RegisterField kContextsDoorbellStarts{0, 1};
inline constexpr std::uint32_t kContextsReceived = 0x042;
inline constexpr fabric::RegisterField kContextsReceivedEntries{0, 32};
inline constexpr std::uint32_t kContextsSent = 0x043;
inline constexpr fabric::RegisterField kContextsSentEntries{0, 32};
inline constexpr std::uint32_t kConnections = 0x080;
inline constexpr fabric::RegisterField kConnectionsValid{31, 1};
inline constexpr fabric::RegisterField kConnectionsDead{30, 1};
inline constexpr fabric::RegisterField kConnectionsBusy{29, 1};
inline constexpr fabric::RegisterField kConnectionsTokens{27, 2};
inline constexpr fabric::RegisterField kConnectionsNext{19, 8};
inline constexpr fabric::RegisterField kConnectionsExpected{11, 8};
inline constexpr fabric::RegisterField kConnectionsPeer{0, 11};
inline constexpr std::uint32_t kListsEntry = 0x400;
inline constexpr std::uint32_t kListsWords = 32;
inline constexpr fabric::RegisterField kListsEntrySend{31, 1};
inline constexpr fabric::RegisterField kListsEntryLast{30, 1};
inline constexpr fabric::RegisterField kListsEntryNext{24, 5};
inline constexpr fabric::RegisterField kListsEntrySlot{16, 5};
inline constexpr fabric::RegisterField kListsEntryPeer{0, 11};
// end of registers

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
constexpr Event event(std::uint32_t word) { return static_cast<Event>(word >> 29); }
constexpr std::uint32_t event_slot(std::uint32_t word) { return word >> 24 & 31; }  ///< connection
constexpr std::uint32_t event_context(std::uint32_t word) { return word >> 16 & 7; }
constexpr std::uint32_t event_group(std::uint32_t word) { return word >> 8 & 0xff; }
constexpr std::uint32_t event_barrier(std::uint32_t word) { return word & 0xff; }
constexpr std::uint32_t event_peer(std::uint32_t word) { return word & 0xffff; }

}  // namespace muster::nic::registers

namespace muster::nic::event_registers {

/// What a NIC with parameter Chained has in the place of step lists, for the host's side; the prose
/// is docs/systems/nic-events.md.

// registers, written by scripts/registers from rdl/nic_events.rdl
inline constexpr std::uint32_t kEventsWord = 0x400;
inline constexpr std::uint32_t kEventsWords = 32;
inline constexpr fabric::RegisterField kEventsWordWrite{31, 1};
inline constexpr fabric::RegisterField kEventsWordLast{30, 1};
inline constexpr fabric::RegisterField kEventsWordNeed{26, 4};
inline constexpr fabric::RegisterField kEventsWordNext{21, 5};
inline constexpr fabric::RegisterField kEventsWordSlot{16, 5};
inline constexpr fabric::RegisterField kEventsWordPeer{0, 11};
// end of registers

}  // namespace muster::nic::event_registers
