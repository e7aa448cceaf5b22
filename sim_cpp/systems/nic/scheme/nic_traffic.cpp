// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/nic_traffic.hpp"

#include <algorithm>

namespace muster::nic {

void NicTraffic::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                         std::span<const core::CreditEvent> /*credits*/) {
  for (const core::FlitEvent& event : flits) {
    if (event.flit.sync() || event.channel >= channels_) continue;
    Passing& passing = passing_[event.channel * vcs_ + event.flit.vc];
    if (event.flit.head()) {
      passing.nic = fabric::Formats::opcode(event.flit) == fabric::kOpcodeDevice;
      passing.flits = 0;
    }
    if (!passing.nic || passing.flits == nic::kNicFlits) continue;
    passing.flit[passing.flits++] = event.flit;
    if (!event.flit.tail()) continue;
    const auto message = nic::nic_message(std::span(passing.flit).first(passing.flits));
    if (!message || message->group >= newest_.size()) continue;  // the checkers' business
    const bool leaves =
        event.channel >= first_node_channel_ && (event.channel - first_node_channel_) % 2 == 0;
    if (leaves) ++sent_[static_cast<std::size_t>(message->type)];
    if (message->type != NicType::kStep && message->type != NicType::kData) continue;
    // Barriers of a group that are on the links at once are near each other.
    std::uint64_t& newest = newest_[message->group];
    const auto ahead = static_cast<std::int8_t>(message->barrier - newest);
    if (ahead < 0 && newest < static_cast<std::uint64_t>(-ahead)) continue;
    const std::uint64_t barrier = newest + static_cast<std::uint64_t>(std::int64_t{ahead});
    newest = std::max(newest, barrier);
    count(cycle, message->group, static_cast<std::uint32_t>(barrier), false);
  }
}

}  // namespace muster::nic
