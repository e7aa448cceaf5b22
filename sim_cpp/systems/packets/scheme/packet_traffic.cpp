// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/packet_traffic.hpp"

#include <algorithm>

namespace muster::packets {

using fabric::Formats;

namespace {
bool counted(std::uint8_t opcode) {
  return fabric::is_barrier_opcode(opcode) || fabric::is_unit_opcode(opcode);
}
}  // namespace

PacketTraffic::PacketTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
                             std::uint32_t vcs, Formats formats)
    : run::BarrierTraffic(groups, barriers),
      channels_(channels),
      vcs_(vcs),
      formats_(formats),
      opcode_(channels * vcs, fabric::kOpcodeData),
      newest_(groups, 0) {}

void PacketTraffic::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                            std::span<const core::CreditEvent> /*credits*/) {
  for (const core::FlitEvent& event : flits) {
    if (event.flit.sync() || event.channel >= channels_) continue;
    std::uint8_t& opcode = opcode_[event.channel * vcs_ + event.flit.vc];
    if (event.flit.head()) opcode = Formats::opcode(event.flit);
    if (!event.flit.tail() || !counted(opcode)) continue;
    const auto last = formats_.barrier_of(event.flit);
    if (last.gid >= newest_.size()) continue;
    // Barriers of a group that are on the links at once are neighbours.
    const std::uint64_t barrier = formats_.barrier_near(newest_[last.gid], last.number);
    newest_[last.gid] = std::max(newest_[last.gid], barrier);
    count(cycle, last.gid, static_cast<std::uint32_t>(barrier),
          opcode != fabric::kOpcodeArrival && opcode != fabric::kOpcodeUnitArrival);
  }
}

}  // namespace muster::packets
