// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <muster/bank.hpp>

namespace token_ring {

/// The kind of switch: its name, its limits, its top module and its golden bank.
extern const muster::fabric::SwitchKind kRingSwitch;

/// The registers of a ring switch, as in the header of rtl/ring_switch.sv.
inline constexpr std::uint32_t kWidths = 0x002, kControl = 0x040, kMembers = 0x041,
                               kProgress = 0x042;
/// The bits of control that a switch of so many ports keeps.
inline std::uint32_t control_bits(std::uint32_t ports) {
  const std::uint32_t port = std::bit_ceil(ports) - 1;
  return 3u << 30 | port << 8 | port;
}
inline std::uint32_t control_word(bool home, std::uint32_t previous, std::uint32_t next) {
  return 1u << 31 | std::uint32_t{home} << 30 | previous << 8 | next;
}
inline std::uint32_t previous_port(std::uint32_t control) { return control >> 8 & 0xf; }
inline std::uint32_t next_port(std::uint32_t control) { return control & 0xf; }

}  // namespace token_ring
