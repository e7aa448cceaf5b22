// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"

namespace muster::run {

/// Draws the number of trials up to and including the first success, each succeeding with
/// probability p in (0, 1]: the gap between the events of a Bernoulli process, without drawing
/// every cycle of it. The number of failures is geometric, and the binary digits of a geometric
/// variable are independent: digit k is 1 with probability q^(2^k) / (1 + q^(2^k)), q = 1 - p. So
/// it takes no logarithm, whose last bit differs between machines.
class Geometric {
 public:
  explicit Geometric(double p) {
    double power = 1.0 - p;  // q^(2^k)
    for (int digit = 0; digit < 40; ++digit) {
      const auto threshold = static_cast<std::uint64_t>(power / (1.0 + power) * 0x1.0p63) * 2;
      if (threshold == 0) break;
      thresholds_.push_back(threshold);
      power *= power;
    }
  }
  std::uint64_t operator()(Rng& rng) const {
    std::uint64_t failures = 0;
    for (std::size_t k = 0; k < thresholds_.size(); ++k) {
      failures |= std::uint64_t{rng.next() < thresholds_[k]} << k;
    }
    return failures + 1;
  }

 private:
  std::vector<std::uint64_t> thresholds_;
};

}  // namespace muster::run
