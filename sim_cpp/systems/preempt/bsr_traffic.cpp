// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_traffic.hpp"

#include <algorithm>

namespace muster::preempt {

using core::Flit;

BsrTraffic::BsrTraffic(std::size_t groups, std::uint32_t barriers, const fabric::Layout& layout,
                       std::uint32_t nodes, std::uint32_t vcs, const topology::Routes& routes)
    : run::BarrierTraffic(groups, barriers),
      layout_(layout),
      groups_(groups),
      nodes_(nodes),
      vcs_(vcs),
      routes_(&routes),
      passing_(layout.channels().size()),
      taken_(layout.channels().size()) {}

void BsrTraffic::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                         std::span<const core::CreditEvent> credits) {
  for (const core::CreditEvent& event : credits)
    if (event.channel < taken_.size() && event.credits >> vcs_ & 1) taken_[event.channel].reset();
  for (const core::FlitEvent& event : flits) {
    if (!event.flit.sync() || event.channel >= passing_.size()) continue;
    if (event.flit.kind == Flit::kFirst && !taken_[event.channel]) taken_[event.channel] = cycle;
    if (event.flit.kind == Flit::kPad) {
      ++pads_;
    } else if (event.flit.kind == Flit::kControl) {
      preemptions_ += is_control(event.flit) && !link_control(event.flit).end;
    } else if (const auto m = passing_[event.channel].add(event.flit)) {
      message(cycle, layout_.channels()[event.channel], *m);
    }
  }
}

std::vector<BsrTraffic::Unreturned> BsrTraffic::unreturned() const {
  std::vector<Unreturned> list;
  for (core::ChannelId c = 0; c < taken_.size(); ++c)
    if (taken_[c]) list.push_back({c, *taken_[c]});
  std::stable_sort(list.begin(), list.end(),
                   [](const Unreturned& a, const Unreturned& b) { return a.since < b.since; });
  return list;
}

void BsrTraffic::message(std::uint64_t cycle, const fabric::Channel& channel, const BsrMessage& m) {
  if (m.gid >= groups_) return;
  if (m.bnt == Bnt::kFree) {
    if (!channel.to.node) ++frees_[{m.gid, channel.to.id}];
    return;
  }
  std::uint32_t barrier = 0;  // of first messages
  if (m.type != BsrType::kFirst) {
    const std::uint32_t to = channel.to.node ? channel.to.id : m.destination;
    const bool ends = channel.to.node || channel.to.id + nodes_ == m.destination;
    std::uint32_t& ended = ended_[{m.gid, m.type, m.source, to}];
    // There is no reduction of the first barrier.
    barrier = ended + (m.type == BsrType::kReduction);
    ended += ends;
    if (!channel.from.node && !channel.to.node && m.destination < routes_->destinations())
      detours_ += channel.from.port != routes_->next_port(channel.from.id, m.destination);
  }
  count(cycle, m.gid, barrier, m.type == BsrType::kDistribution);
}

}  // namespace muster::preempt
