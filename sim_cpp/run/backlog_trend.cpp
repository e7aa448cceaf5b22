// SPDX-License-Identifier: Apache-2.0
#include "run/backlog_trend.hpp"

#include <algorithm>
#include <cmath>

namespace muster::run {

void BacklogTrend::add(std::uint64_t cycle, std::uint64_t backlog, std::uint64_t generated) {
  samples_.push_back({backlog, generated});
  next_ = cycle + period_;
  if (samples_.size() < kSamples) return;
  for (std::size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = samples_[2 * i];
  samples_.resize(samples_.size() / 2);
  period_ *= 2;
  next_ = cycle + period_ / 2;  // the last sample kept is one old period back
}

bool BacklogTrend::saturated(std::uint32_t nodes) const {
  const std::size_t quarter = samples_.size() / 4;
  if (quarter < 4) return false;
  const auto mean = [&](std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < first + quarter; ++i) {
      sum += static_cast<double>(samples_[i].backlog);
    }
    return sum / static_cast<double>(quarter);
  };
  const std::size_t last = samples_.size() - quarter;
  const double growth = mean(last) - mean(last - quarter);
  const double offered =
      static_cast<double>(samples_.back().generated - samples_[last - 1].generated);
  const double seen = std::min(0.03 * offered, 3.0 * std::sqrt(offered));
  return growth > std::max(seen, nodes / 4.0);
}

}  // namespace muster::run
