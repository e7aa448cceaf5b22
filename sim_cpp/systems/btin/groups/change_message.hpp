// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "systems/btin/tree/register_image.hpp"

namespace muster::btin {

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
  // Of moves between register and memory, docs/systems/group-moves.md.
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

inline std::uint32_t word(ChangeKind kind) { return static_cast<std::uint32_t>(kind); }

/// A barrier number, or cycles, as two words.
inline void put_barrier(std::vector<std::uint32_t>& words, std::uint64_t barrier) {
  words.push_back(static_cast<std::uint32_t>(barrier & 0xffff));
  words.push_back(static_cast<std::uint32_t>(barrier >> 16 & 0xffff));
}
inline std::uint64_t barrier_at(const std::vector<std::uint32_t>& words, std::size_t place) {
  return words[place] | std::uint64_t{words[place + 1]} << 16;
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
  words.push_back(image->child_mask);
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
                       static_cast<std::uint16_t>(words[place + 1]),
                       static_cast<fabric::ReduceOp>(word >> 2 & 7)};
}

}  // namespace muster::btin
