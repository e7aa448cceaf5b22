// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/link_registers.hpp"
#include "muster/fabric/network.hpp"
#include "run/deaths/restart.hpp"

namespace muster::run {

/// The manager of the network polls: now and then it reads a register of each switch and asks
/// the host of each node. Of a block that has not answered twice it has the ends at the other side
/// of its links put down, if they are not; and the other end of a link of which one is down. An end
/// whose flits are all acknowledged waits for nothing, and would not notice, even if its block
/// waits for credits.
class Rounds {
 public:
  /// `network` and `restart` outlive this. REQUIRES: link ends.
  Rounds(fabric::Network& network, const Restart& restart);
  /// Before every cycle.
  void step(std::uint64_t cycle) {
    if (cycle % period_ == 0) go_round();
  }
  /// Cycles from a death until all ends behind its links are down, at the latest.
  std::uint64_t longest() const { return 2 * period_; }

 private:
  void go_round();
  fabric::link_registers::LinkState state(core::ChannelId end) const;
  std::uint8_t& missed(const fabric::End& block) {
    return missed_[block.node ? network_.graph().switches() + block.id : block.id];
  }

  bool calls_in_vain(core::ChannelId end);

  fabric::Network& network_;
  const Restart& restart_;
  std::uint64_t period_;               ///< cycles; longer than an end takes to notice
  std::vector<std::uint8_t> missed_;   ///< by switch, then by node: silent the last time
  std::vector<std::uint8_t> calling_;  ///< by channel: the end looked for the other the last time
};

}  // namespace muster::run
