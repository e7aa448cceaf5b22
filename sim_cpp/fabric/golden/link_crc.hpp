// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/link_frame.hpp"

namespace muster::golden {

/// CRC-16 of a frame, of all bits above its CRC, highest first: polynomial 0x3D65, from all ones.
inline std::uint16_t link_crc(const fabric::LinkFormat& format, const core::Flit& frame) {
  constexpr std::uint32_t kPolynomial = 0x3D65, kTop = 0x8000;
  std::uint32_t crc = 0xffff;
  for (unsigned at = format.width(); at-- > fabric::LinkFormat::kCrcW;) {
    const bool feedback = ((crc & kTop) != 0) != format.bit(frame, at);
    crc = (crc << 1 & 0xffff) ^ (feedback ? kPolynomial : 0);
  }
  return static_cast<std::uint16_t>(crc);
}

}  // namespace muster::golden
