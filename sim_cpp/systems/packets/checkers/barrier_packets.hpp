// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "topology/routes/route_walk.hpp"

namespace muster::checkers {

/// The packets of barriers on the channels of the nodes, put together from their flits. Other
/// checkers have seen that packets are whole, except for those that a cut mark ends after a loss,
/// which are left out.
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
    if (event.flit.cut() && !losses_.empty()) return true;
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

  void lose(const Loss& loss) {
    losses_.push_back(loss);
    // What the block was sending has no more flits.
    const auto& channels = subject_.layout.channels();
    for (std::uint32_t i = 0; i < passing_.size(); ++i) {
      if (loss.is(channels[first_ + i / subject_.vcs].from)) passing_[i].clear();
    }
  }
  void recovered() {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }
  /// Packets between the two may be lost with what is lost.
  bool may_lose(std::uint32_t a, std::uint32_t b) const {
    if (losses_.empty()) return false;
    std::vector<topology::PortRef> ports;
    topology::add_ways(subject_.graph, subject_.routes, a, b, ports);
    return std::any_of(losses_.begin(), losses_.end(), [&](const Loss& loss) {
      if (loss.node) return loss.id == a || loss.id == b;
      return std::any_of(ports.begin(), ports.end(), [&](const topology::PortRef& port) {
        return loss.at(subject_.layout, port);
      });
    });
  }

 private:
  Subject subject_;
  core::ChannelId first_;
  std::vector<Loss> losses_;                      ///< not recovered
  std::vector<std::vector<core::Flit>> passing_;  ///< by node channel and virtual channel
};

}  // namespace muster::checkers
