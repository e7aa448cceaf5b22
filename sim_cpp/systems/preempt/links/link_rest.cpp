// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/link_rest.hpp"

#include "muster/fabric/link_control.hpp"

namespace muster::preempt {

void LinkRest::watch(std::uint64_t cycle, const run::KilledLink& link) {
  const auto leaves = [](const fabric::End& end, const topology::PortRef& port) {
    return !end.node && end.id == port.sw && end.port == port.port;
  };
  for (core::ChannelId c = 0; c < layout_.channels().size(); ++c) {
    const fabric::Channel& channel = layout_.channels()[c];
    if (leaves(channel.from, link.a)) channels_[0] = c;
    if (leaves(channel.from, link.b)) channels_[1] = c;
  }
  delay_ = layout_.channels()[channels_[0]].latency + pipe_ + 1;
  moved_ = cycle;
}

void LinkRest::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                       std::span<const core::CreditEvent> credits) {
  for (const core::FlitEvent& event : flits) {
    if (event.channel >= cut_.size()) continue;  // behind a pipe
    if (fabric::is_control(event.flit))
      cut_[event.channel] = fabric::link_control(event.flit).end ? 0 : 1;
    if (of_link(event.channel)) moved_ = cycle;
  }
  for (const core::CreditEvent& event : credits)
    if (of_link(event.channel)) moved_ = cycle;
}

}  // namespace muster::preempt
