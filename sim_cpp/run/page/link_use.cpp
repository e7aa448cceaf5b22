// SPDX-License-Identifier: Apache-2.0
#include "run/page/link_use.hpp"

namespace muster::run {

void LinkUse::add(std::uint64_t cycle, std::span<const core::FlitEvent> flits, bool counted) {
  if (counted && counted_++ % kWindow == 0)
    for (auto& windows : counts_) windows.emplace_back(channels_, std::uint8_t{0});
  for (const core::FlitEvent& event : flits) {
    if (event.channel >= channels_) continue;
    last_[event.channel] = cycle;
    const core::Flit& flit = event.flit;
    if (!flit.sync()) {
      const auto bit = static_cast<std::uint8_t>(1u << flit.vc);
      if (flit.head()) open_[event.channel] |= bit;
      if (flit.tail()) open_[event.channel] &= static_cast<std::uint8_t>(~bit);
    }
    if (!counted) continue;
    count_one(Count::kFlits, event.channel);
    if (flit.kind == core::Flit::kPad) count_one(Count::kPads, event.channel);
  }
  if (!counted) return;
  for (core::ChannelId c = 0; c < channels_; ++c)
    if (open_[c] != 0 && last_[c] != cycle) count_one(Count::kWaits, c);
}

}  // namespace muster::run
