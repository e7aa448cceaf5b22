// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/deaths.hpp"

namespace muster::run {

/// Which links are down in a run with deaths, as hosts see it.
class Health {
 public:
  /// `network` outlives this.
  explicit Health(fabric::Network& network);
  /// Every time that an end of a link has gone down until now, in the order in which hosts saw it.
  /// Of runs with deaths; nothing of ends that are dead themselves.
  std::span<const DownEnd> down() const { return down_; }
  /// That end is down now: `irq_o`.
  bool is_down(core::ChannelId end) const { return seen_[end] != 0; }

  /// Before every cycle of a run with deaths: what hosts see.
  void look(std::uint64_t cycle);

 private:
  fabric::Network& network_;
  std::vector<std::uint8_t> seen_;  ///< by channel: down when last looked at
  std::vector<DownEnd> down_;
};

}  // namespace muster::run
