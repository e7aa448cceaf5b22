// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::esc {

/// A packet of the Extra Stage Cube: one word, laid out in docs/systems/esc.md. 0 is an empty wire.
using BoxPacket = std::uint64_t;

enum class BoxKind : std::uint8_t {
  kNone = 0,
  kBackground = 1,
  kSynchronization = 2,
  kRelease = 3
};

constexpr unsigned kBoxTagBits = 18;    ///< 17..0
constexpr unsigned kBoxSourceLsb = 18;  ///< 33..18
constexpr unsigned kBoxBirthLsb = 34;   ///< 61..34; of a release packet the broadcast mask
constexpr unsigned kBoxBirthBits = 28;
constexpr unsigned kBoxStages = 17;  ///< 0..16, the most a network has

/// REQUIRES: tag < 2^18, source < 2^16, birth < 2^28.
constexpr BoxPacket make_packet(BoxKind kind, std::uint64_t birth, std::uint32_t source,
                                std::uint32_t tag) {
  return (static_cast<BoxPacket>(kind) << 62) | (birth << kBoxBirthLsb) |
         (BoxPacket{source} << kBoxSourceLsb) | tag;
}

/// A packet that is broadcast in the stages of `mask`, bit i for stage i.
constexpr BoxPacket make_release(std::uint32_t mask, std::uint32_t source, std::uint32_t tag) {
  return make_packet(BoxKind::kRelease, mask, source, tag);
}

constexpr BoxKind kind_of(BoxPacket p) { return static_cast<BoxKind>(p >> 62); }
constexpr std::uint32_t source_of(BoxPacket p) { return (p >> kBoxSourceLsb) & 0xFFFF; }
constexpr std::uint32_t tag_of(BoxPacket p) { return p & ((1u << kBoxTagBits) - 1); }
/// Cycle of generation, of a packet that is not a release.
constexpr std::uint64_t birth_of(BoxPacket p) {
  return (p >> kBoxBirthLsb) & ((1u << kBoxBirthBits) - 1);
}
constexpr bool broadcast_in(BoxPacket p, unsigned stage) {
  return kind_of(p) == BoxKind::kRelease && ((p >> (kBoxBirthLsb + stage)) & 1) != 0;
}

}  // namespace muster::esc
