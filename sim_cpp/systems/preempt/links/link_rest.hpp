// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/dead_links.hpp"

namespace muster::preempt {

/// Tells when nothing moves on one link any more: no flit and no credit for as long as one takes
/// through it, and no channel of it cut, whose padding end is still to come. It sees the links from
/// the first cycle of a run on.
class LinkRest : public core::Observer {
 public:
  /// `pipe`: cycles of the delay pipe in every channel. The layout outlives this.
  LinkRest(const fabric::Layout& layout, std::uint64_t pipe)
      : layout_(layout), pipe_(pipe), cut_(layout.channels().size(), 0) {}
  /// From `cycle` on it is about this link. REQUIRES: it is there.
  void watch(std::uint64_t cycle, const run::KilledLink& link);
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
  /// Between two cycles.
  bool at_rest(std::uint64_t cycle) const {
    return cycle > moved_ + delay_ && cut_[channels_[0]] == 0 && cut_[channels_[1]] == 0;
  }

 private:
  bool of_link(core::ChannelId channel) const {
    return channel == channels_[0] || channel == channels_[1];
  }

  const fabric::Layout& layout_;
  std::uint64_t pipe_, delay_ = 0, moved_ = 0;
  std::array<core::ChannelId, 2> channels_{};  ///< of the link
  std::vector<std::uint8_t> cut_;              ///< by channel, 1: a request has gone, no end since
};

}  // namespace muster::preempt
