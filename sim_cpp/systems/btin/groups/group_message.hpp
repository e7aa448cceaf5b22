// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_packets.hpp"
#include "systems/btin/tree.hpp"

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
  kChange,       ///< of a live group between two barriers: systems/btin/groups/group_changes.hpp
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
  const std::uint32_t kind_and_group = fabric::word_of(flits[2]);
  GroupMessage m{static_cast<Kind>(kind_and_group >> 12),
                 kind_and_group & 0xfffu,
                 fabric::Formats::source(flits[1]),
                 fabric::Formats::destination(flits[0]),
                 {}};
  for (const core::Flit& flit : flits.subspan(3)) m.words.push_back(fabric::word_of(flit));
  return m;
}

/// First word of a group message of Kind::kChange, docs/systems/groups.md; the words after it.
enum class ChangeKind : std::uint8_t {
  kMembership,  ///< to the home, from there or directly to the root node: node, join, barrier (2)
  kRefused,     ///< to who requested it: outcome, switch
  kAdjust,      ///< root node to home node: phase, switch, register before (2), after (2)
  kAdjusted,    ///< back: phase, outcome, switch
  kStop,        ///< down the tree: the last barrier before the change (2), changes so far
  kAgreed,      ///< up: all below will stop after it
  kQuiet,       ///< up: all below have been released from it
  kMove,        ///< old root node to the home: new root node
  kMoved,       ///< back
  kChanged,  ///< down the old tree, and to new members: first barrier (2), then as an announcement
  // Of moves between register and memory, docs/systems/groups.md.
  kAskIdle,  ///< keeper of a switch, by the home, to the root node: keeper
  kIdleFor,  ///< back: it may be moved out, cycles (2)
  kPlace,    ///< as kAskIdle: keeper, switch, to memory
  kPlaced,   ///< back: outcome, switch
  kPause,    ///< down the tree: barrier at which no member may arrive (2), changes so far
  kPaused,   ///< up: a member below has arrived at it
  kGoOn,     ///< down: the group is not moved
};

/// The word of kAdjust that has the phase.
inline constexpr std::uint32_t kAdjustSpill = 1u << 4,  ///< memory will do where no register is
    kAdjustMove = 1u << 5,                              ///< the same words in another place
    kAdjustToMemory = 1u << 6;                          ///< of a move

/// A kind, phase, outcome or operation as a word.
template <class Enum>
constexpr std::uint32_t word(Enum value) {
  return static_cast<std::uint32_t>(value);
}

/// A barrier number, or cycles, as two words: the first, the second, and what both say.
constexpr std::uint32_t low_word(std::uint64_t n) { return n & 0xffff; }
constexpr std::uint32_t high_word(std::uint64_t n) { return n >> 16 & 0xffff; }
inline std::uint64_t barrier_at(const std::vector<std::uint32_t>& words, std::size_t place) {
  return words[place] | std::uint64_t{words[place + 1]} << 16;
}

/// The child mask in a word: where nodes set up groups switches have 16 ports at most.
inline std::uint32_t mask_word(const RegisterImage& image) {
  return static_cast<std::uint32_t>(image.child_mask);
}

/// A register image in two words, without switch and group: a flag that there is one, turn, the
/// operation, the parent port; the child mask.
inline void put_image(std::vector<std::uint32_t>& words,
                      const std::optional<RegisterImage>& image) {
  if (!image) {
    words.insert(words.end(), {0, 0});
    return;
  }
  words.push_back(1u | std::uint32_t{image->reflect} << 1 |
                  static_cast<std::uint32_t>(image->op) << 2 | image->parent_port << 8);
  words.push_back(mask_word(*image));
}
inline std::optional<RegisterImage> image_at(const std::vector<std::uint32_t>& words,
                                             std::size_t place, topology::SwitchId sw,
                                             std::uint32_t gid) {
  const std::uint32_t word = words[place];
  if ((word & 1) == 0) return std::nullopt;
  return RegisterImage{sw,
                       gid,
                       (word >> 1 & 1) != 0,
                       word >> 8,
                       words[place + 1],
                       static_cast<fabric::ReduceOp>(word >> 2 & 7)};
}

}  // namespace muster::btin
