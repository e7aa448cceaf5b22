// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/restart.hpp"

#include "fabric/link_bank.hpp"
#include "fabric/link_registers.hpp"

namespace muster::run {

namespace regs = fabric::link_registers;

Restart::Restart(const RunSpec& spec, fabric::Network& network, const Health& health)
    : network_(network),
      health_(health),
      restarting_(spec.graph->switches(), 0),
      patience_(4 * dynamic_cast<fabric::LinkBank&>(*network.link_ends()).config().longest_hold()) {
}

bool Restart::concerns(core::ChannelId end) const {
  const fabric::Channel& channel = network_.layout().channels()[end];
  return (!channel.from.node && restarting_[channel.from.id]) ||
         (!channel.to.node && restarting_[channel.to.id]);
}

void Restart::begin(std::uint64_t cycle, topology::SwitchId sw) {
  restarting_[sw] = 1;
  under_way_ = true;
  since_ = cycle;
}

bool Restart::step(std::uint64_t cycle) {
  if (!under_way_ || !all_started(cycle)) return false;
  under_way_ = false;
  restarting_.assign(restarting_.size(), 0);
  return true;
}

/// Asks those that are down to restart. One that the host has put down has a dead block behind it,
/// or a link that is cut.
bool Restart::all_started(std::uint64_t cycle) {
  const bool in_time = cycle - since_ < patience_;
  bool all = true;
  for (core::ChannelId c = 0; c < network_.channels(); ++c) {
    if (!concerns(c) || !network_.end_alive(c)) continue;
    const std::uint32_t word = network_.link_ends()->read_register(c, regs::kStatus);
    if (regs::state(word) == regs::LinkState::kUp) continue;
    if (regs::reason(word) == regs::LinkReason::kKilled) continue;
    const bool down = regs::state(word) == regs::LinkState::kDown;
    const bool waits = down && regs::kStatusRestart.of(word) != 0;  // for a pause of its block
    if (waits) since_ = cycle;
    if (down && !waits && !in_time) continue;
    all = false;
    if (!in_time && !waits) network_.write_to_end(c, regs::kStatus, regs::kCommandKill.mask());
    if (in_time && health_.is_down(c))
      network_.write_to_end(c, regs::kStatus, regs::kCommandRestart.mask());
  }
  return all;
}

}  // namespace muster::run
