// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/health.hpp"

#include "fabric/link_registers.hpp"

namespace muster::run {

Health::Health(fabric::Network& network)
    : network_(network), seen_(network.link_ends() == nullptr ? 0 : network.channels(), 0) {}

void Health::look(std::uint64_t cycle) {
  core::Bank& ends = *network_.link_ends();
  for (core::ChannelId c = 0; c < seen_.size(); ++c) {
    const bool down = ends.irq(c) && network_.end_alive(c);
    if (down && seen_[c] == 0) {
      const std::uint32_t status = ends.read_register(c, fabric::link_registers::kStatus);
      down_.push_back(
          {c, cycle, static_cast<std::uint32_t>(fabric::link_registers::reason(status))});
    }
    seen_[c] = down;
  }
}

}  // namespace muster::run
