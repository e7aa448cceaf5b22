// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/run/barrier_traffic.hpp"

namespace muster::packets {

/// Cycles of a hop of a packet's head over a link of latency 1 (docs/systems/barrier-switch.md).
inline constexpr std::uint32_t kPacketHop = 4;

/// The barrier packets of groups 0, 1, ..., whose identifiers are their numbers. A packet is
/// counted on each channel, when its last flit, which says of which barrier it is, stands there.
class PacketTraffic : public run::BarrierTraffic {
 public:
  PacketTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels, std::uint32_t vcs,
                fabric::Formats formats);
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;

 private:
  std::size_t channels_;  ///< those behind a delay pipe are not counted again
  std::uint32_t vcs_;
  fabric::Formats formats_;
  std::vector<std::uint8_t> opcode_;   ///< of the packet on a channel and virtual channel
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
};

}  // namespace muster::packets
