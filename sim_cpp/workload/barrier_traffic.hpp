// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "barrier/register_plan.hpp"
#include "network/endpoint_clients.hpp"
#include "network/formats.hpp"
#include "network/observer.hpp"

namespace muster::workload {

/// Counts the barrier messages of each barrier on all channels. The n-th message of a kind and
/// group on a channel belongs to the n-th barrier, whatever else is going on, because a channel
/// carries at most one of each for a barrier and keeps them in order.
class BarrierTraffic : public network::Observer {
 public:
  BarrierTraffic(const std::vector<barrier::PlannedGroup>& groups, std::uint32_t barriers,
                 std::size_t channels, network::Formats formats);
  void observe(std::uint64_t cycle, std::span<const network::FlitEvent> flits,
               std::span<const network::CreditEvent> credits) override;

  std::uint32_t hops(std::uint32_t group, std::uint32_t barrier) const {
    return groups_[group].hops[barrier];
  }
  /// Cycle in which the first distribution message of a barrier is on a link, or kNever.
  std::uint64_t first_distribution(std::uint32_t group, std::uint32_t barrier) const {
    return groups_[group].first_distribution[barrier];
  }
  /// Messages of a group seen on a channel so far.
  std::uint32_t reductions(std::uint32_t group, network::ChannelId channel) const {
    return groups_[group].seen[2 * channel];
  }
  std::uint32_t distributions(std::uint32_t group, network::ChannelId channel) const {
    return groups_[group].seen[2 * channel + 1];
  }

 private:
  struct Group {
    std::vector<std::uint32_t> seen;  ///< by channel and type
    std::vector<std::uint32_t> hops;  ///< by barrier
    std::vector<std::uint64_t> first_distribution;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  network::Formats formats_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_gid_;
};

}  // namespace muster::workload
