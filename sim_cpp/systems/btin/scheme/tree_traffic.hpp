// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/run/barrier_traffic.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// The messages of barrier trees. The n-th message of a kind and group on a channel belongs to the
/// n-th barrier, whatever else is going on, because a channel carries at most one of each for a
/// barrier and keeps them in order.
class TreeTraffic : public run::BarrierTraffic {
 public:
  TreeTraffic(const std::vector<PlannedGroup>& groups, std::uint32_t barriers, std::size_t channels,
              fabric::Formats formats);
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;

  /// The group has another tree from this barrier on; none of its messages is on any link.
  void begin_tree(std::uint32_t group, std::uint32_t barrier) {
    seen_[group].assign(seen_[group].size(), barrier);
  }
  /// Messages of a group seen on a channel so far, as if its tree had always been the same.
  std::uint32_t reductions(std::uint32_t group, core::ChannelId channel) const {
    return seen_[group][2 * channel];
  }
  std::uint32_t distributions(std::uint32_t group, core::ChannelId channel) const {
    return seen_[group][2 * channel + 1];
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  fabric::Formats formats_;
  std::size_t channels_;  ///< those behind a delay pipe are not counted again
  std::vector<std::vector<std::uint32_t>> seen_;  ///< by group, channel and type
  std::vector<std::uint32_t> group_of_gid_;
};

}  // namespace muster::btin
