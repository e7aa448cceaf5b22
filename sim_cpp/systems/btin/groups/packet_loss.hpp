// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/rng.hpp"

namespace muster::btin {

/// Which of the packets of group membership are lost: fault injection at the nodes, since the
/// network itself loses none.
class PacketLoss {
 public:
  PacketLoss(double share, std::uint64_t seed) : share_(share), seed_(mix64(seed ^ kStream)) {}

  /// Of the next packet.
  bool loses() {
    if (share_ == 0.0) return false;
    const bool loses = Rng(seed_, packets_++).uniform() < share_;
    lost_ += loses;
    return loses;
  }
  std::uint64_t lost() const { return lost_; }

 private:
  static constexpr std::uint64_t kStream = 0x6c6f737365;  ///< apart from others of the same seed

  double share_;
  std::uint64_t seed_, packets_ = 0, lost_ = 0;
};

}  // namespace muster::btin
