// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "systems/esc/blocks/box_packet.hpp"
#include "systems/esc/scheme/cube.hpp"

namespace muster::esc {

/// Broadcast bits that take a packet to all PEs: those of every stage that sets a digit of the link
/// number. With both outer stages enabled the input stage is left to the tag.
inline std::uint32_t broadcast_mask(const Cube& cube, const OuterStages& stages) {
  const unsigned m = cube.input_stage();
  if (stages.output) return (1u << m) - 1;  // stages m - 1 .. 0
  return ((1u << (m + 1)) - 1) & ~1u;       // stages m .. 1
}

/// Link on which a packet leaves `stage`, for a packet from PE `source` whose tag is `tag`.
inline std::uint32_t link_after(const Cube& cube, const OuterStages& stages, std::uint32_t source,
                                std::uint32_t tag, unsigned stage) {
  std::uint32_t link = source;
  for (unsigned s = stages.first(cube) + 1; s-- > stage;)
    link = cube.with_digit(link, cube.exchanged(s), cube.digit(tag, s));
  return link;
}

}  // namespace muster::esc
