// SPDX-License-Identifier: Apache-2.0
#include "workload/barrier_traffic.hpp"

#include <algorithm>

namespace muster::workload {

using network::MessageType;

BarrierTraffic::BarrierTraffic(const std::vector<barrier::PlannedGroup>& groups,
                               std::uint32_t barriers, std::size_t channels,
                               network::Formats formats)
    : formats_(formats), group_of_gid_(std::size_t{1} << formats.gid_width(), kNone) {
  for (const barrier::PlannedGroup& group : groups) {
    group_of_gid_.at(group.gid) = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({std::vector<std::uint32_t>(2 * channels),
                       std::vector<std::uint32_t>(barriers),
                       std::vector<std::uint64_t>(barriers, network::kNever)});
  }
}

void BarrierTraffic::observe(std::uint64_t cycle, std::span<const network::FlitEvent> flits,
                             std::span<const network::CreditEvent> /*credits*/) {
  for (const network::FlitEvent& event : flits) {
    if (!event.flit.sync()) continue;
    const network::BarrierMessage message = formats_.barrier_message(event.flit);
    const std::uint32_t g = group_of_gid_[message.gid];
    if (g == kNone || message.type > MessageType::kDistribution) continue;
    const bool down = message.type == MessageType::kDistribution;
    Group& group = groups_[g];
    const std::uint32_t barrier = group.seen[2 * event.channel + (down ? 1 : 0)]++;
    if (barrier >= group.hops.size()) continue;  // one too many: the checkers say so
    ++group.hops[barrier];
    if (down)
      group.first_distribution[barrier] = std::min(group.first_distribution[barrier], cycle);
  }
}

}  // namespace muster::workload
