// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/tree_traffic.hpp"

namespace muster::btin {

using fabric::MessageType;

TreeTraffic::TreeTraffic(const std::vector<PlannedGroup>& groups, std::uint32_t barriers,
                         std::size_t channels, fabric::Formats formats, Messages messages)
    : run::BarrierTraffic(groups.size(), barriers),
      formats_(formats),
      kind_(messages),
      channels_(channels),
      first_(groups.size(), 0),
      group_of_gid_(std::size_t{1} << formats.gid_width(), kNone) {
  for (const PlannedGroup& group : groups) {
    group_of_gid_.at(group.gid) = static_cast<std::uint32_t>(seen_.size());
    seen_.emplace_back(2 * channels);
  }
}

/// It is of the last barrier that has been seen on its channel, of so many in this epoch; the first
/// has phase 0.
bool TreeTraffic::again(const fabric::RetryMessage& message, std::uint32_t of_epoch) {
  const bool now = message.phase == ((of_epoch & 1) != 0);
  repeated_ += !now;
  return !now;
}

void TreeTraffic::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                          std::span<const core::CreditEvent> /*credits*/) {
  for (const core::FlitEvent& event : flits) {
    if (!event.flit.sync()) continue;
    const fabric::BarrierMessage message = formats_.barrier_message(event.flit);
    const std::uint32_t g = group_of_gid_[message.gid];
    if (g == kNone || message.type > MessageType::kDistribution) continue;
    if (event.channel >= channels_) {
      ++arrived_;
      continue;
    }
    const bool down = message.type == MessageType::kDistribution;
    std::uint32_t& seen = seen_[g][2 * event.channel + (down ? 1 : 0)];
    bool repeated = false;
    if (kind_ == Messages::kRepeat) {
      ++messages_;
      const fabric::RetryMessage retry = fabric::retry_message(formats_, message);
      if (retry.fail) continue;  // it is of no barrier that will be done
      repeated = again(retry, seen - first_[g]);
    }
    count(cycle, g, repeated ? seen - 1 : seen++, down);
  }
}

}  // namespace muster::btin
