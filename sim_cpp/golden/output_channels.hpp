// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/error.hpp"
#include "golden/lanes.hpp"

namespace muster::golden {

/// The output side's knowledge of the queues behind the links: credits, and which packet has a
/// channel. An output channel belongs to one packet from its first flit to its tail.
class OutputChannels {
 public:
  static constexpr std::uint8_t kFree = 0xff;

  explicit OutputChannels(std::uint32_t depth) : depth_(depth) {
    channels_.fill({static_cast<std::uint8_t>(depth), kFree});
  }

  std::uint32_t credits(std::uint32_t lane) const { return channels_[lane].credits; }
  /// The input port whose packet, of the same virtual channel, has this channel; or kFree.
  std::uint8_t owner(std::uint32_t lane) const { return channels_[lane].owner; }
  void set_owner(std::uint32_t lane, std::uint32_t input) {
    channels_[lane].owner = static_cast<std::uint8_t>(input);
  }

  void spend(std::uint32_t lane) { --channels_[lane].credits; }
  /// Throws InternalError if more come back than were spent.
  void give_back(std::uint64_t lanes) {
    for_each_bit(lanes, [&](std::uint32_t lane) {
      if (channels_[lane].credits == depth_) throw InternalError("a credit that nobody spent");
      ++channels_[lane].credits;
    });
  }

 private:
  struct Channel {
    std::uint8_t credits, owner;
  };
  std::array<Channel, kMaxLanes> channels_;
  std::uint32_t depth_;
};

}  // namespace muster::golden
