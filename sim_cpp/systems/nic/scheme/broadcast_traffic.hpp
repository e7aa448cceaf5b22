// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/run/barrier_traffic.hpp"

namespace muster::nic {

/// The messages of barriers by hardware broadcast, groups numbered as their identifiers: questions,
/// answers, the release and what acknowledges it, all of the barrier that the root is at.
class BroadcastTraffic : public run::BarrierTraffic {
 public:
  BroadcastTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
                   fabric::Formats formats)
      : run::BarrierTraffic(groups, barriers),
        formats_(formats),
        channels_(channels),
        begun_(groups, 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (!event.flit.sync() || event.channel >= channels_) continue;
      const fabric::BarrierMessage message = formats_.barrier_message(event.flit);
      if (message.gid >= begun_.size() || begun_[message.gid] == 0) continue;
      const bool down = message.type == fabric::MessageType::kDistribution;
      count(cycle, message.gid, begun_[message.gid] - 1, down && (message.data.lo & 1) == 0);
    }
  }
  /// The last barrier's messages have all arrived, or there was none.
  void next(std::uint32_t group) { ++begun_[group]; }

 private:
  fabric::Formats formats_;
  std::size_t channels_;              ///< those behind a delay pipe are not counted again
  std::vector<std::uint32_t> begun_;  ///< by group
};

}  // namespace muster::nic
