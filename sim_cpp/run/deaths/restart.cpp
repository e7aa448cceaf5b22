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
  silent_since_.assign(network_.channels(), cycle);
}

bool Restart::step(std::uint64_t cycle) {
  if (!under_way_ || !all_started(cycle)) return false;
  under_way_ = false;
  restarting_.assign(restarting_.size(), 0);
  return true;
}

/// Asks those that are down to restart. One that the host has put down has a dead block behind it,
/// or a link that is cut. All are read before any is written: a port has one access a cycle.
bool Restart::all_started(std::uint64_t cycle) {
  std::vector<std::uint32_t> words(network_.channels(), 0);  // 0 of those that do not matter
  for (core::ChannelId c = 0; c < words.size(); ++c)
    if (concerns(c) && network_.end_alive(c))
      words[c] = network_.link_ends()->read_register(c, regs::kStatus);
  const auto waits = [&](core::ChannelId c) {  // for a pause of its block
    return regs::state(words[c]) == regs::LinkState::kDown &&
           regs::kStatusRestart.of(words[c]) != 0;
  };
  bool all = true;
  for (core::ChannelId c = 0; c < words.size(); ++c) {
    if (!concerns(c) || !network_.end_alive(c)) continue;
    const bool down = regs::state(words[c]) == regs::LinkState::kDown;
    const bool calls = !down && regs::state(words[c]) != regs::LinkState::kUp;
    if (!calls || waits(c ^ 1u)) silent_since_[c] = cycle;
    if (!calls && (!down || regs::reason(words[c]) == regs::LinkReason::kKilled)) continue;
    all = false;
    if (calls && cycle - silent_since_[c] >= patience_)
      network_.write_to_end(c, regs::kStatus, regs::kCommandKill.mask());
    if (down && !waits(c) && health_.is_down(c))
      network_.write_to_end(c, regs::kStatus, regs::kCommandRestart.mask());
  }
  return all;
}

}  // namespace muster::run
