// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "network/digest.hpp"
#include "workload/data_traffic.hpp"
#include "workload/hang_report.hpp"

namespace muster::workload {

/// Turns a hang into a report. It looks at the run now and then; every rule is about what no longer
/// happens, so no network, however slow, trips it as long as something moves within the bounds.
class Watchdog {
 public:
  static constexpr std::uint64_t kPeriod = 256;  ///< cycles between looks
  /// Cycles without any flit or credit on any link after which what is in the network is stuck;
  /// more than twice the longest link.
  static constexpr std::uint64_t kSilence = 1024;

  /// `traffic` may be absent. The arguments must outlive the watchdog. `max_wait`: cycles that a
  /// group may be without arrival and release while all its members wait or will never come.
  Watchdog(const Scene& scene, const network::Digest& links, const DataTraffic* traffic,
           std::uint64_t max_wait)
      : scene_(scene), links_(links), traffic_(traffic), max_wait_(max_wait) {}

  /// A report if the run stands still, else empty.
  std::string look(std::uint64_t cycle) const;

 private:
  std::string look_at_links(std::uint64_t cycle) const;
  Scene scene_;
  const network::Digest& links_;
  const DataTraffic* traffic_;
  std::uint64_t max_wait_;
};

}  // namespace muster::workload
