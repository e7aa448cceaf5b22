// SPDX-License-Identifier: Apache-2.0
#include "run/recording/link_use.hpp"

#include <algorithm>
#include <bit>

namespace muster::run {

void LinkUse::add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                  std::span<const core::CreditEvent> credits, bool counted) {
  if (counted && counted_++ % kWindow == 0)
    for (auto& windows : counts_) windows.emplace_back(channels_, std::uint8_t{0});
  for (const core::FlitEvent& event : flits) {
    if (event.channel >= channels_) continue;
    last_[event.channel] = cycle;
    const core::Flit& flit = event.flit;
    if (!flit.sync()) {
      ++queued_[event.channel];
      const auto bit = static_cast<std::uint8_t>(1u << flit.vc);
      if (flit.head()) open_[event.channel] |= bit;
      if (flit.tail()) open_[event.channel] &= static_cast<std::uint8_t>(~bit);
    }
    if (!counted) continue;
    count_one(Count::kFlits, event.channel);
    if (flit.kind == core::Flit::kPad) count_one(Count::kPads, event.channel);
  }
  for (const core::CreditEvent& event : credits)
    if (event.channel < channels_)
      queued_[event.channel] = static_cast<std::uint8_t>(
          queued_[event.channel] -
          std::min<int>(queued_[event.channel], std::popcount<unsigned>(event.credits & credits_)));
  if (!counted) return;
  counts_[static_cast<unsigned>(Count::kQueued)].back() = queued_;
  for (core::ChannelId c = 0; c < channels_; ++c)
    if (open_[c] != 0 && last_[c] != cycle) count_one(Count::kWaits, c);
}

}  // namespace muster::run
