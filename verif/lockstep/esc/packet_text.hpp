// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "systems/esc/blocks/box_packet.hpp"

namespace muster::verif {

/// "background from 7 to tag 0x1, born in cycle 2 (0x40000008001c0001)"; empty without a packet.
/// Boxes that combine have a count of messages in the place of the source.
inline std::string packet_text(esc::BoxPacket packet) {
  static constexpr const char* kNames[] = {"none", "background", "synchronization", "release"};
  if (packet == 0) return {};
  const auto kind = esc::kind_of(packet);
  const std::string when = kind == esc::BoxKind::kRelease
                               ? fmt::format("broadcast mask {:#x}", esc::birth_of(packet))
                               : fmt::format("born in cycle {}", esc::birth_of(packet));
  return fmt::format("{} from {} to tag {:#x}, {} ({:#018x})", kNames[static_cast<unsigned>(kind)],
                     esc::source_of(packet), esc::tag_of(packet), when, packet);
}

/// What was offered to a box or a policy.
struct OfferedPacket {
  std::uint64_t cycle = 0;
  std::uint32_t input = 0;
  esc::BoxPacket packet = 0;
};

/// A line each, of a block with one input.
inline std::vector<std::string> packet_lines(const std::vector<OfferedPacket>& packets) {
  std::vector<std::string> lines;
  for (const OfferedPacket& p : packets)
    lines.push_back(fmt::format("cycle {}: {}", p.cycle, packet_text(p.packet)));
  return lines;
}

}  // namespace muster::verif
