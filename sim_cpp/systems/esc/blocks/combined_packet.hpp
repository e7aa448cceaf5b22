// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "systems/esc/blocks/box_packet.hpp"

namespace muster::esc {

/// Synchronization packets of boxes that combine (docs/systems/esc-references.md): in place of the
/// source the number of messages less 1, in place of the cycle of generation the sum of those
/// cycles.

/// As a PE sends it, made of a packet that names its source.
constexpr BoxPacket one_message(BoxPacket p) {
  return make_packet(BoxKind::kSynchronization, birth_of(p), 0, tag_of(p));
}
constexpr std::uint32_t messages_of(BoxPacket p) { return source_of(p) + 1; }

/// REQUIRES: both are synchronization packets with the same tag, of at most 2^16 messages together.
constexpr BoxPacket merged(BoxPacket a, BoxPacket b) {
  const std::uint64_t births = (birth_of(a) + birth_of(b)) & ((1u << kBoxBirthBits) - 1);
  return make_packet(BoxKind::kSynchronization, births, source_of(a) + messages_of(b), tag_of(a));
}

}  // namespace muster::esc
