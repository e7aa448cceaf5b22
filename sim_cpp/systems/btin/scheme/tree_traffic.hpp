// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/fabric/retry_message.hpp"
#include "muster/run/barrier_traffic.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// The messages of barrier trees. The n-th message of a kind and group on a channel belongs to the
/// n-th barrier, whatever else is going on, because a channel carries at most one of each for a
/// barrier and keeps them in order. Where messages are repeated, those of one phase in a row are of
/// one barrier.
class TreeTraffic : public run::BarrierTraffic {
 public:
  enum class Messages : std::uint8_t { kOnce, kRepeat };
  TreeTraffic(const std::vector<PlannedGroup>& groups, std::uint32_t barriers, std::size_t channels,
              fabric::Formats formats, Messages messages = Messages::kOnce);
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;

  /// The group has another tree, or epoch, from this barrier on; none of its messages is on any
  /// link.
  void begin_tree(std::uint32_t group, std::uint32_t barrier) {
    seen_[group].assign(seen_[group].size(), barrier);
    first_[group] = barrier;
  }
  /// Messages on all channels, and those of them that had been on their channel before.
  std::uint64_t messages() const { return messages_; }
  std::uint64_t repeated() const { return repeated_; }
  /// Those that have come out of a link whose ends retry, or of a delay pipe.
  std::uint64_t arrived() const { return arrived_; }
  /// Barriers of a group of which a message has been seen on a channel so far, as if its tree had
  /// always been the same.
  std::uint32_t reductions(std::uint32_t group, core::ChannelId channel) const {
    return seen_[group][2 * channel];
  }
  std::uint32_t distributions(std::uint32_t group, core::ChannelId channel) const {
    return seen_[group][2 * channel + 1];
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  bool again(const fabric::RetryMessage& message, std::uint32_t of_epoch);

  fabric::Formats formats_;
  Messages kind_;
  std::uint64_t messages_ = 0, repeated_ = 0, arrived_ = 0;
  std::size_t channels_;  ///< behind them those out of link ends and delay pipes
  std::vector<std::vector<std::uint32_t>> seen_;  ///< by group, channel and type
  std::vector<std::uint32_t> first_;              ///< barrier of the epoch, by group
  std::vector<std::uint32_t> group_of_gid_;
};

}  // namespace muster::btin
