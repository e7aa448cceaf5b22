// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/system.hpp>
#include <vector>

namespace token_ring {

/// The messages on the links by barrier: each channel carries one of a phase for each barrier.
class RingTraffic : public muster::run::BarrierTraffic {
 public:
  RingTraffic(std::uint32_t barriers, std::size_t channels, muster::fabric::Formats formats)
      : BarrierTraffic(1, barriers), formats_(formats), seen_(channels) {}
  void observe(std::uint64_t cycle, std::span<const muster::core::FlitEvent> flits,
               std::span<const muster::core::CreditEvent>) override {
    for (const auto& [channel, flit] : flits) {
      if (!flit.sync() || channel >= seen_.size()) continue;
      const bool releases =
          formats_.barrier_message(flit).type == muster::fabric::MessageType::kDistribution;
      count(cycle, 0, releases ? seen_[channel].releases++ : seen_[channel].arrivals++, releases);
    }
  }

 private:
  struct Seen {
    std::uint32_t arrivals = 0, releases = 0;
  };
  muster::fabric::Formats formats_;
  std::vector<Seen> seen_;  ///< by channel
};

}  // namespace token_ring
