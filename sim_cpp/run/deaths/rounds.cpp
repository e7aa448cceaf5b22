// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/rounds.hpp"

#include <algorithm>

#include "fabric/link_bank.hpp"

namespace muster::run {

namespace regs = fabric::link_registers;

namespace {

constexpr std::uint32_t kShortest = 512;

std::uint64_t period_of(fabric::Network& network) {
  const auto& config = dynamic_cast<fabric::LinkBank&>(*network.link_ends()).config();
  return std::max(kShortest, config.longest_hold());
}

}  // namespace

Rounds::Rounds(fabric::Network& network, const Restart& restart)
    : network_(network),
      restart_(restart),
      period_(period_of(network)),
      missed_(network.graph().switches() + network.graph().nodes(), 0),
      calling_(network.channels(), 0) {}

regs::LinkState Rounds::state(core::ChannelId end) const {
  return regs::state(network_.link_ends()->read_register(end, regs::kStatus));
}

/// Of a link that was cut before its first session; a session that is restarted takes its time.
bool Rounds::calls_in_vain(core::ChannelId end) {
  const bool calls = state(end) != regs::LinkState::kUp && !restart_.concerns(end);
  const bool before = calling_[end] != 0;
  calling_[end] = calls;
  return calls && before;
}

void Rounds::go_round() {
  for (core::ChannelId c = 0; c < network_.channels(); ++c) {
    const fabric::End& behind = network_.layout().channels()[c].to;
    if (!network_.end_alive(c) || state(c) == regs::LinkState::kDown) continue;
    // One that is down says so; an end that is still up has not heard it, so the link is cut.
    const core::ChannelId other = c ^ 1u;
    const bool alone = state(c) == regs::LinkState::kUp && network_.end_alive(other) &&
                       state(other) == regs::LinkState::kDown;
    if (missed(behind) || alone || calls_in_vain(c))
      network_.write_to_end(c, regs::kStatus, regs::kCommandKill.mask());
  }
  for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
    missed({false, s, 0}) = !network_.switch_alive(s);
  for (topology::NodeId n = 0; n < network_.graph().nodes(); ++n)
    missed({true, n, 0}) = !network_.node_alive(n);
}

}  // namespace muster::run
