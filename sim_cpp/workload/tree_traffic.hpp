// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "barrier/register_plan.hpp"
#include "network/formats.hpp"
#include "workload/barrier_traffic.hpp"

namespace muster::workload {

/// The messages of barrier trees. The n-th message of a kind and group on a channel belongs to the
/// n-th barrier, whatever else is going on, because a channel carries at most one of each for a
/// barrier and keeps them in order.
class TreeTraffic : public BarrierTraffic {
 public:
  TreeTraffic(const std::vector<barrier::PlannedGroup>& groups, std::uint32_t barriers,
              std::size_t channels, network::Formats formats);
  void observe(std::uint64_t cycle, std::span<const network::FlitEvent> flits,
               std::span<const network::CreditEvent> credits) override;

  /// The group has another tree from this barrier on; none of its messages is on any link.
  void begin_tree(std::uint32_t group, std::uint32_t barrier) {
    seen_[group].assign(seen_[group].size(), barrier);
  }
  /// Messages of a group seen on a channel so far, as if its tree had always been the same.
  std::uint32_t reductions(std::uint32_t group, network::ChannelId channel) const {
    return seen_[group][2 * channel];
  }
  std::uint32_t distributions(std::uint32_t group, network::ChannelId channel) const {
    return seen_[group][2 * channel + 1];
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  network::Formats formats_;
  std::size_t channels_;  ///< those behind a delay pipe are not counted again
  std::vector<std::vector<std::uint32_t>> seen_;  ///< by group, channel and type
  std::vector<std::uint32_t> group_of_gid_;
};

}  // namespace muster::workload
