// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/register_packets.hpp"

namespace muster::life {

/// What nodes say to each other about a group, docs/group-life.md.
enum class Kind : std::uint8_t {
  kClaimId,    ///< to the home of the identifier
  kIdGranted,  ///< from it
  kIdInUse,    ///< from it
  kFreeId,     ///< to it
  kIdFreed,    ///< from it
  kAnnounce,   ///< options, creator, member bitmap
  kAsk,        ///< to the keeper of a switch: phase, switch, register image
  kAnswer,     ///< from it: phase, outcome, switch
  kReport,     ///< to the parent in the tree: phase, outcome, switch, digest of the plan
  kDecide,     ///< to the children: phase
  kLeave,      ///< to the parent: this member, or all below it, will not arrive any more
  kResult,     ///< to the children and local members: outcome, switch
  kChange,     ///< of a live group between two barriers: life/change_message.hpp
  kSpill,      ///< to the spill node of a switch: phase, switch, register image
  kSpilled,    ///< from it: phase, switch
};

/// A packet with opcode 3.
struct GroupMessage {
  Kind kind = Kind::kClaimId;
  std::uint32_t gid = 0;
  std::uint32_t source = 0, destination = 0;  ///< nodes
  std::vector<std::uint32_t> words;           ///< 16 bits each, by kind
};

inline std::vector<network::Flit> encode(const GroupMessage& m, std::uint8_t vc) {
  std::vector<std::uint32_t> words{
      m.destination | std::uint32_t{network::kOpcodeGroup} << network::kDestinationWidth,
      m.source | std::uint32_t{vc} << network::kSourceWidth,
      m.gid | static_cast<std::uint32_t>(m.kind) << 12};
  words.insert(words.end(), m.words.begin(), m.words.end());
  return network::word_packet(words, vc);
}

/// REQUIRES: a packet of at least three flits with kOpcodeGroup.
inline GroupMessage decode(std::span<const network::Flit> flits) {
  GroupMessage m;
  m.destination = network::Formats::destination(flits[0]);
  m.source = network::Formats::source(flits[1]);
  m.gid = network::word_of(flits[2]) & 0xfffu;
  m.kind = static_cast<Kind>(network::word_of(flits[2]) >> 12);
  for (const network::Flit& flit : flits.subspan(3)) m.words.push_back(network::word_of(flit));
  return m;
}

}  // namespace muster::life
