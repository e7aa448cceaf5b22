// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/rounds.hpp"

#include <algorithm>

#include "fabric/link_bank.hpp"
#include "fabric/link_registers.hpp"

namespace muster::run {

namespace regs = fabric::link_registers;

namespace {

constexpr std::uint32_t kShortest = 512;

std::uint64_t period_of(fabric::Network& network) {
  const auto& config = dynamic_cast<fabric::LinkBank&>(*network.link_ends()).config();
  return std::max(kShortest, config.longest_hold());
}

}  // namespace

Rounds::Rounds(fabric::Network& network)
    : network_(network),
      period_(period_of(network)),
      missed_(network.graph().switches() + network.graph().nodes(), 0) {}

void Rounds::go_round() {
  for (core::ChannelId c = 0; c < network_.channels(); ++c) {
    const fabric::End& behind = network_.layout().channels()[c].to;
    if (!missed(behind) || !network_.end_alive(c)) continue;
    const std::uint32_t status = network_.link_ends()->read_register(c, regs::kStatus);
    if (regs::state(status) != regs::LinkState::kDown)
      network_.write_to_end(c, regs::kStatus, regs::kKill);
  }
  for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
    missed({false, s, 0}) = !network_.switch_alive(s);
  for (topology::NodeId n = 0; n < network_.graph().nodes(); ++n)
    missed({true, n, 0}) = !network_.node_alive(n);
}

}  // namespace muster::run
