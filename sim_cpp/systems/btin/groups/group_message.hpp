// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/register_packets.hpp"

namespace muster::btin {

/// What nodes say to each other about a group, docs/systems/groups.md.
enum class Kind : std::uint8_t {
  kClaimId,      ///< to the home of the identifier
  kIdGranted,    ///< from it
  kIdInUse,      ///< from it
  kFreeId,       ///< to it
  kIdFreed,      ///< from it
  kAnnounce,     ///< options, creator, member bitmap
  kAsk,          ///< to the home node of a switch: phase, switch, register image
  kAnswer,       ///< from it: phase, outcome, switch
  kReport,       ///< to the parent in the tree: phase, outcome, switch, digest of the plan
  kDecide,       ///< to the children: phase
  kLeave,        ///< to the parent: this member, or all below it, will not arrive any more
  kResult,       ///< to the children and local members: outcome, switch
  kChange,       ///< of a live group between two barriers: systems/btin/groups/change_message.hpp
  kSpill,        ///< to the spill node of a switch: phase, switch, register image
  kSpilled,      ///< from it: phase, switch
  kAcknowledge,  ///< where packets can be lost: number of the message that has come
};

/// A packet with opcode 3.
struct GroupMessage {
  Kind kind = Kind::kClaimId;
  std::uint32_t gid = 0;
  std::uint32_t source = 0, destination = 0;  ///< nodes
  std::vector<std::uint32_t> words;           ///< 16 bits each, by kind
};

inline std::vector<core::Flit> encode(const GroupMessage& m, std::uint8_t vc) {
  std::vector<std::uint32_t> words{
      m.destination | std::uint32_t{fabric::kOpcodeGroup} << fabric::kDestinationWidth,
      m.source | std::uint32_t{vc} << fabric::kSourceWidth,
      m.gid | static_cast<std::uint32_t>(m.kind) << 12};
  words.insert(words.end(), m.words.begin(), m.words.end());
  return fabric::word_packet(words, vc);
}

/// REQUIRES: a packet of at least three flits with kOpcodeGroup.
inline GroupMessage decode(std::span<const core::Flit> flits) {
  GroupMessage m;
  m.destination = fabric::Formats::destination(flits[0]);
  m.source = fabric::Formats::source(flits[1]);
  m.gid = fabric::word_of(flits[2]) & 0xfffu;
  m.kind = static_cast<Kind>(fabric::word_of(flits[2]) >> 12);
  for (const core::Flit& flit : flits.subspan(3)) m.words.push_back(fabric::word_of(flit));
  return m;
}

}  // namespace muster::btin
