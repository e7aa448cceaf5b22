// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/data_path.hpp"

#include <algorithm>

#include "muster/fabric/formats.hpp"

namespace muster::golden {

using core::Flit;
using fabric::Formats;

DataPath::DataPath(const fabric::SwitchConfig& config, const RouteTable& routes)
    : routes_(routes), ports_(config.ports), vcs_(config.vcs) {
  owner_.fill(kFree);
  next_.fill(kFree);
}

DataPath::Moved DataPath::clock(const Heads& heads, InputQueues& queues, std::uint64_t usable,
                                std::uint64_t closed) {
  const std::uint64_t waiting = heads.data & active_, thrown = heads.data & draining_;
  const std::uint64_t idle = heads.data & ~(active_ | draining_), stray = idle & queues.headless();
  const std::uint64_t unread = idle & ~stray;
  if (unread != 0) read_routes(unread, queues);

  Winners winners;
  busy_ = waiting == 0 ? 0 : arbitrate(waiting, usable, closed, winners);
  if (vcs_ > 1) pick_next(waiting & ~owning_);
  Moved moved;
  moved.routed = unread;
  for_each_bit(busy_, [&](std::uint32_t out) {
    const std::uint32_t lane = winners[out];
    moved.taken |= bit(lane);
    moved.spent |= bit(lane_of(out, vc_of(lane)));
    grant(lane, out, queues, moved);
  });
  if (chosen_ != 0) line_up();
  for_each_bit(stray, [&](std::uint32_t lane) {
    drop_headless(lane, moved);
    queues.pop(lane);
  });
  moved.taken |= stray;
  if (thrown != 0) {
    drain(thrown, queues, moved);
    moved.taken |= thrown;
  }
  return moved;
}

void DataPath::read_routes(std::uint64_t lanes, const InputQueues& queues) {
  for_each_bit(lanes, [&](std::uint32_t lane) {
    const std::uint32_t address = Formats::destination(queues.head(lane));
    const std::uint16_t next = route(address);
    if (next == 0) {
      draining_ |= bit(lane);
      if (address < routes_.dests() && routes_.local(address)) local_ |= bit(lane);
    } else {
      active_ |= bit(lane);
      output_[lane] = static_cast<std::uint8_t>(lowest(next));
    }
  });
}

void DataPath::drain(std::uint64_t lanes, InputQueues& queues, Moved& moved) {
  for_each_bit(lanes, [&](std::uint32_t lane) {
    const bool local = has(local_, lane);
    if (local) begun_ |= bit(lane);
    if (has(queues.headless(), lane)) drop_headless(lane, moved);
    if (queues.head(lane).tail()) {
      draining_ &= ~bit(lane);
      local_ &= ~bit(lane);
      begun_ &= ~bit(lane);
      if (!local) {
        ++unroutable_;
        moved.lost |= 1u << port_of(lane);
      }
    }
    queues.pop(lane);
  });
}

bool DataPath::eligible(std::uint32_t lane, std::uint64_t usable, std::uint64_t closed) const {
  const std::uint32_t channel = lane_of(output_[lane], vc_of(lane));
  const std::uint32_t port = port_of(lane);
  // A packet under way owns its channel, so a lane that finds it free is at its first flit.
  const bool free = owner_[channel] == kFree && !has(closed, channel),
             own = owner_[channel] == port;
  const bool in_turn = next_[channel] == kFree || next_[channel] == port;
  return ((free & in_turn) | own) & has(usable, channel);
}

void DataPath::pick_next(std::uint64_t waiting) {
  chosen_ = 0;
  for_each_bit(waiting, [&](std::uint32_t lane) {
    const std::uint32_t channel = lane_of(output_[lane], vc_of(lane));
    if (next_[channel] != kFree) return;
    const std::uint32_t port = port_of(lane), pointer = channel_pointer_[channel];
    if (!has(chosen_, channel) || turn_of(port, pointer) < turn_of(choice_[channel], pointer))
      choice_[channel] = static_cast<std::uint8_t>(port);
    chosen_ |= bit(channel);
  });
}

void DataPath::line_up() {
  for_each_bit(chosen_, [&](std::uint32_t channel) {
    const std::uint8_t port = choice_[channel];
    channel_pointer_[channel] = static_cast<std::uint8_t>(port + 1u == ports_ ? 0 : port + 1);
    // Its first flit has left if it owns the channel now, or if that flit was the whole packet.
    const std::uint32_t lane = lane_of(port, vc_of(channel));
    if (has(active_ & ~owning_, lane)) next_[channel] = port;
  });
}

std::uint16_t DataPath::arbitrate(std::uint64_t waiting, std::uint64_t usable, std::uint64_t closed,
                                  Winners& winners) const {
  std::uint64_t able = 0;
  for_each_bit(waiting, [&](std::uint32_t lane) {
    able |= std::uint64_t{eligible(lane, usable, closed)} << lane;
  });
  std::uint16_t asked = 0;
  for_each_port(able, [&](std::uint32_t input) {
    // The input picks one of its lanes ...
    const std::uint32_t first = lane_of(input, 0);
    const std::uint32_t lane = first + round_robin((able >> first) & 0xf, input_pointer_[input]);
    // ... and the output keeps the input that comes first from its pointer on.
    const std::uint32_t out = output_[lane], pointer = output_pointer_[out];
    if (!has(asked, out) || turn_of(input, pointer) < turn_of(port_of(winners[out]), pointer))
      winners[out] = static_cast<std::uint8_t>(lane);
    asked |= static_cast<std::uint16_t>(bit(out));
  });
  return asked;
}

void DataPath::grant(std::uint32_t lane, std::uint32_t out, InputQueues& queues, Moved& moved) {
  const std::uint32_t input = port_of(lane), vc = vc_of(lane);
  Flit flit = queues.head(lane);
  if (has(queues.headless(), lane)) {
    drop_headless(lane, moved);
    flit = Flit::cut_mark(flit.vc);
  }
  queues.pop(lane);
  crossbar_[out] = flit;
  const std::uint32_t channel = lane_of(out, vc);
  owner_[channel] = flit.tail() ? kFree : static_cast<std::uint8_t>(input);
  if (next_[channel] == input) next_[channel] = kFree;
  active_ &= ~(std::uint64_t{flit.tail()} << lane);
  owning_ = (owning_ & ~bit(lane)) | (std::uint64_t{!flit.tail()} << lane);
  input_pointer_[input] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  output_pointer_[out] = static_cast<std::uint8_t>(input + 1 == ports_ ? 0 : input + 1);
}

}  // namespace muster::golden
