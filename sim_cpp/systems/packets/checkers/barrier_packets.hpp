// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

/// The packets of barriers on the channels of the nodes, put together from their flits. Other
/// checkers have seen that packets are whole.
class BarrierPackets {
 public:
  explicit BarrierPackets(const Subject& subject)
      : subject_(subject),
        first_(subject.layout.into_switch(0)),
        passing_(std::size_t{2} * subject.graph.nodes() * subject.vcs) {}

  /// Calls judge(node, leaves, packet) when the last flit of a packet leaves or reaches a node; for
  /// a worm once for each of its addresses. False for a packet of a length that none has.
  template <class Judge>
  bool pass(const core::FlitEvent& event, Judge&& judge) {
    if (event.channel < first_ || event.flit.sync()) return true;
    const std::uint32_t place = event.channel - first_;
    std::vector<core::Flit>& flits = passing_[place * subject_.vcs + event.flit.vc];
    if (event.flit.head()) {
      flits.clear();
      if (!fabric::is_barrier_opcode(fabric::Formats::opcode(event.flit))) return true;
    } else if (flits.empty()) {
      return true;  // of a packet of data
    }
    flits.push_back(event.flit);
    if (!event.flit.tail()) return true;
    const std::vector<core::Flit> all = std::move(flits);
    flits.clear();
    const bool worm = fabric::Formats::opcode(all.front()) == fabric::kOpcodeWorm;
    const std::size_t size = all.size();
    if (size < fabric::kBarrierPacketFlits || (!worm && size > fabric::kBarrierPacketFlits))
      return false;
    for (std::size_t address = 0; address + 2 < size; ++address) {
      const std::array<core::Flit, 3> one{all[address], all[size - 2], all[size - 1]};
      judge(place / 2, place % 2 == 0, subject_.formats.barrier_packet(one));
    }
    return true;
  }

 private:
  Subject subject_;
  core::ChannelId first_;
  std::vector<std::vector<core::Flit>> passing_;  ///< by node channel and virtual channel
};

}  // namespace muster::checkers
