// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/endpoint_clients.hpp"

namespace muster::run {

/// Counts the messages of each barrier on all channels, node links included. A scheme derives from
/// it what tells its messages apart.
class BarrierTraffic : public core::Observer {
 public:
  /// Of so many groups with so many barriers each.
  BarrierTraffic(std::size_t groups, std::uint32_t barriers)
      : barriers_(barriers), records_(groups * barriers) {}

  /// Links traversed by the messages of a barrier so far.
  std::uint32_t hops(std::uint32_t group, std::uint32_t barrier) const {
    return records_[index(group, barrier)].hops;
  }
  /// Cycle in which the first message that releases is on a link, or kNever.
  std::uint64_t first_release(std::uint32_t group, std::uint32_t barrier) const {
    return records_[index(group, barrier)].first_release;
  }

 protected:
  /// A message on a channel; `releases`: it is of the distribution phase. One of a barrier that
  /// there is not is left to the checkers.
  void count(std::uint64_t cycle, std::uint32_t group, std::uint32_t barrier, bool releases) {
    if (barrier >= barriers_) return;
    Record& record = records_[index(group, barrier)];
    ++record.hops;
    if (releases) record.first_release = std::min(record.first_release, cycle);
  }

 private:
  struct Record {
    std::uint32_t hops = 0;
    std::uint64_t first_release = fabric::kNever;
  };
  std::size_t index(std::uint32_t group, std::uint32_t barrier) const {
    return std::size_t{group} * barriers_ + barrier;
  }

  std::uint32_t barriers_;
  std::vector<Record> records_;  ///< by group and barrier
};

}  // namespace muster::run
