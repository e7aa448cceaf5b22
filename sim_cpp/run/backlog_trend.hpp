// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace muster::run {

/// Decides if source queues still grow. It keeps at most kSamples samples of the backlog (packets
/// generated and not yet started, all nodes together) at equal distances over the whole run,
/// thinned out as the run gets longer.
///
/// Rule: a run is saturated if the mean backlog of the last quarter exceeds that of the third by
/// more than is seen of N packets generated in a quarter, the lesser of 3 % and 3 sqrt(N), and by
/// more than one packet for every four nodes. So the share of the load that may be left without
/// being seen is 3 % in short runs and falls with the length of the run: arrivals are random, and N
/// of them differ by sqrt(N). The second bound keeps the noise of short queues out. A run with
/// fewer than 16 samples is never called saturated.
class BacklogTrend {
 public:
  static constexpr std::uint64_t kFirstPeriod = 64;  ///< cycles between samples of a short run
  static constexpr std::size_t kSamples = 256;

  bool due(std::uint64_t cycle) const { return cycle >= next_; }
  void add(std::uint64_t cycle, std::uint64_t backlog, std::uint64_t generated);
  bool saturated(std::uint32_t nodes) const;

 private:
  struct Sample {
    std::uint64_t backlog, generated;
  };
  std::vector<Sample> samples_;
  std::uint64_t period_ = kFirstPeriod, next_ = 0;
};

}  // namespace muster::run
