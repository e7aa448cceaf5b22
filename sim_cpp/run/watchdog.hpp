// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "muster/core/digest.hpp"
#include "muster/run/members.hpp"
#include "muster/run/resolve.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/deaths.hpp"

namespace muster::run {

/// Turns a hang into a report. It looks at the run now and then; every rule is about what no longer
/// happens, never about how slow it is, as long as something happens within the bounds.
class Watchdog {
 public:
  static constexpr std::uint64_t kPeriod = 256;  ///< cycles between looks
  /// Cycles without any flit or credit on any link after which what is in the network is stuck;
  /// more than twice the longest link.
  static constexpr std::uint64_t kSilence = 1024;
  /// Cycles for which packets may be held: links may be lost one after the other, and each may hold
  /// a flit for more than a thousand.
  static constexpr std::uint64_t kLongestHold = 1'000'000;

  /// `traffic` and `deaths` may be absent. The arguments must outlive the watchdog.
  Watchdog(fabric::Network& network, const Members& members, const Scheme& scheme,
           const core::Digest& links, const DataTraffic* traffic, const HangLimits& hang_limits,
           const Deaths* deaths = nullptr)
      : network_(network),
        members_(members),
        scheme_(scheme),
        links_(links),
        traffic_(traffic),
        limits_(hang_limits),
        deaths_(deaths) {}

  /// A report if the run makes no progress, else empty.
  std::string look(std::uint64_t cycle) const;
  /// A report if a link that retries is down, except for those of blocks that have died. REQUIRES:
  /// links that retry.
  std::string look_at_ends(std::uint64_t cycle) const;

 private:
  bool hangs(std::uint64_t cycle, std::uint32_t group) const;
  std::string look_at_hold(std::uint64_t cycle) const;
  std::string look_at_links(std::uint64_t cycle) const;
  std::string busy_switches() const;
  fabric::Network& network_;
  const Members& members_;
  const Scheme& scheme_;
  const core::Digest& links_;
  const DataTraffic* traffic_;
  HangLimits limits_;
  const Deaths* deaths_;
};

}  // namespace muster::run
