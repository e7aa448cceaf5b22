// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/system.hpp>
#include <vector>

#include "ring.hpp"

namespace token_ring {

/// What the checker knows of the group of a run.
struct CheckedRing : muster::run::CheckedGroups {
  Ring ring;
};

/// No member is released before all have arrived, each link of the ring carries every barrier's
/// token once, and each member is released once. Without a ring there must be no message at all.
class RingChecker : public muster::checkers::LinkChecker {
 public:
  RingChecker(const muster::checkers::Subject& subject, const Ring& ring);
  muster::checkers::Sees sees() const override { return {.sync = true}; }
  void flit(std::uint64_t cycle, const muster::core::FlitEvent& event) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  /// What a channel may carry, and what it has carried.
  struct Channel {
    bool arrivals = false, releases = false;
    std::uint32_t arrived = 0, released = 0;
  };
  std::uint32_t barriers_of_slowest() const;

  std::vector<Channel> channels_;
  std::vector<muster::core::ChannelId> of_members_;  ///< into their switches
};

}  // namespace token_ring
