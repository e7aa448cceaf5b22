// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/observer.hpp"

namespace muster::fabric {
class Network;
}

namespace muster::run {

struct ResolvedRun;

/// Sees a run as its links show it and, besides, its members and what its switches hold. It changes
/// nothing: a run with a watcher has the digest of one without.
class Watcher : public core::Observer {
 public:
  /// The network stands and has not begun. Both outlive the run.
  virtual void begin(const ResolvedRun& run, fabric::Network& network) = 0;
  /// The member's program has reached a barrier in this cycle, which may lie before the one that is
  /// under way. Members are places in the group's list, ascending by node.
  virtual void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// The member goes on in this cycle, which may lie behind the one that is under way.
  virtual void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// Between two cycles: what the blocks hold now is what they hold in `next`, which comes.
  virtual void look(std::uint64_t next) = 0;
};

}  // namespace muster::run
