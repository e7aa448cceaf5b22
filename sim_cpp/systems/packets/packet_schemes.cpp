// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/packet_schemes.hpp"

namespace muster::packets {

using fabric::BarrierPacket;
using fabric::Formats;

namespace {

bool counted(std::uint8_t opcode) {
  return fabric::is_barrier_opcode(opcode) || fabric::is_unit_opcode(opcode);
}

/// The barrier packets of groups 0, 1, ..., whose identifiers are their numbers. A packet is
/// counted on each channel, when its last flit, which says of which barrier it is, stands there.
class PacketTraffic : public run::BarrierTraffic {
 public:
  PacketTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels, std::uint32_t vcs,
                Formats formats)
      : run::BarrierTraffic(groups, barriers),
        channels_(channels),
        vcs_(vcs),
        formats_(formats),
        opcode_(channels * vcs, fabric::kOpcodeData),
        newest_(groups, 0) {}
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
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

 private:
  std::size_t channels_;  ///< those behind a delay pipe are not counted again
  std::uint32_t vcs_;
  fabric::Formats formats_;
  std::vector<std::uint8_t> opcode_;   ///< of the packet on a channel and virtual channel
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
};

}  // namespace

PacketScheme::PacketScheme(std::size_t groups, const run::SchemeParts& parts)
    : Scheme(parts.members),
      spec_(parts.spec),
      network_(parts.network),
      formats_(parts.formats()),
      traffic_(std::make_unique<PacketTraffic>(groups, parts.spec.barriers,
                                               parts.network.layout().channels().size(),
                                               parts.config.vcs, formats_)) {
  const std::size_t identifiers = std::size_t{1} << formats_.gid_width();
  if (groups > identifiers)
    throw InputError("{} groups, but a group identifier of {} bits has {} values", groups,
                     formats_.gid_width(), identifiers);
}

void PacketScheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                                  std::span<const core::Flit> flits) {
  const bool whole = flits.size() == fabric::kBarrierPacketFlits;
  const BarrierPacket packet = whole ? formats_.barrier_packet(flits) : BarrierPacket{};
  if (!whole || packet.destination != node || packet.gid >= places_.size() || !expected(packet))
    throw InternalError(
        "cycle {}, node {}: packet of {} flits with opcode {} that it does not wait for", cycle,
        node, flits.size(), fabric::Formats::opcode(flits.front()));
  take(cycle, packet);
}

std::vector<std::uint32_t> binomial_children(std::uint32_t place, std::uint32_t count) {
  std::vector<std::uint32_t> children;
  const std::uint32_t limit = place == 0 ? std::bit_ceil(count) : place & -place;
  for (std::uint32_t step = limit / 2; step != 0; step /= 2)
    if (place + step < count) children.push_back(place + step);
  return children;
}

}  // namespace muster::packets
