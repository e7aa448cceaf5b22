// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::run {

/// How often each latency came: single cycles below 8192, above that 4096 ranges for each doubling,
/// so that a saturated run of any length needs no more than some hundred thousand counts.
class LatencyHistogram {
 public:
  void add(std::uint64_t latency) {
    const std::size_t at = place(latency);
    if (at >= counts_.size()) counts_.resize(at + kRanges, 0);
    ++counts_[at];
    ++all_;
  }

  /// The least latency that `percent` of all do not exceed, or the greatest of its range. REQUIRES:
  /// one was added; `percent` is 1 to 100.
  std::uint64_t percentile(std::uint64_t percent) const {
    std::uint64_t missing = (all_ * percent + 99) / 100;
    std::size_t at = 0;
    while (counts_[at] < missing) missing -= counts_[at++];
    return last_of(at);
  }

 private:
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kRanges = std::size_t{1} << kBits;

  static std::size_t place(std::uint64_t latency) {
    if (latency < 2 * kRanges) return latency;
    const unsigned doublings = static_cast<unsigned>(std::bit_width(latency)) - kBits - 1;
    return doublings * kRanges + (latency >> doublings);
  }
  static std::uint64_t last_of(std::size_t place) {
    if (place < 2 * kRanges) return place;
    const std::size_t doublings = place / kRanges - 1;
    return ((place - doublings * kRanges + 1) << doublings) - 1;
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t all_ = 0;
};

}  // namespace muster::run
