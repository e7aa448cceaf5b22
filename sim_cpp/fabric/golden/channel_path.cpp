// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/channel_path.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "muster/fabric/formats.hpp"

namespace muster::golden {

using core::Flit;
using fabric::Formats;

ChannelPath::ChannelPath(const fabric::SwitchConfig& config, const std::uint16_t* routes)
    : route_(InputQueues::storage(config)),
      routes_(routes),
      local_destinations_(config.dests),
      ports_(config.ports),
      vcs_(config.vcs),
      dests_(config.dests),
      address_mask_(std::bit_ceil(config.dests) - 1) {}

ChannelPath::Moved ChannelPath::clock(InputQueues& queues, std::uint64_t usable,
                                      std::uint64_t closed) {
  Moved moved;
  const std::uint64_t drained = queues.heads().data & drained_;
  // Counting, traversal and the access unit's flits are of this cycle and over with it.
  moved.changed = (local_ | fresh_ | new_ | busy_ | lost_ | drained) != 0;
  unroutable_ = std::min(unroutable_ + lost_, kMaxUnroutable);
  lost_ = 0;
  busy_ = 0;
  local_ = local_first_ = 0;
  const std::uint64_t fresh = std::exchange(fresh_, 0);

  const std::uint64_t picked = pick(), able = offered_ & usable;
  const std::uint64_t ended = able == 0 ? 0 : allocate(queues, able, moved);
  const std::uint64_t changing = picked | ended | (kept_ & ~owned_ & ~closed);
  for_each_bit(changing, [&](std::uint32_t out) {
    give(out, has(picked, out), has(ended, out), has(closed, out), queues);
  });
  if (drained != 0) {
    drain(drained, queues);
    moved.taken |= drained;
  }
  drained_ |= fresh;
  moved.changed |= (changing | moved.taken) != 0;
  return moved;
}

std::uint64_t ChannelPath::pick() {
  const std::uint64_t lanes = (asked_ | new_) & ~kept_;
  for_each_bit(lanes, [&](std::uint32_t out) {
    const bool waits = has(asked_, out);
    const std::uint32_t port =
        waits ? round_robin(askers_[out], turn_[out]) : lowest(newcomers_[out]);
    picked_[out] = static_cast<std::uint8_t>(port);
    if (waits) turn_[out] = static_cast<std::uint8_t>(port + 1 == ports_ ? 0 : port + 1);
    std::uint16_t& among = waits ? askers_[out] : newcomers_[out];
    among &= static_cast<std::uint16_t>(~bit(port));
    if (askers_[out] == 0) asked_ &= ~bit(out);
  });
  for_each_bit(new_, [&](std::uint32_t out) {
    askers_[out] |= newcomers_[out];
    newcomers_[out] = 0;
    asked_ |= std::uint64_t{askers_[out] != 0} << out;
  });
  new_ = 0;
  return lanes;
}

std::uint64_t ChannelPath::allocate(InputQueues& queues, std::uint64_t able, Moved& moved) {
  std::uint64_t ended = 0;
  while (able != 0) {
    const std::uint32_t port = port_of(lowest(able)), first = lane_of(port, 0);
    const std::uint32_t vc = round_robin((able >> first) & 0xf, output_turn_[port]);
    able &= ~(std::uint64_t{0xf} << first);
    output_turn_[port] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);

    const std::uint32_t out = first + vc, lane = lane_of(owner_[out], vc);
    const Flit flit = queues.head(lane);
    queues.pop(lane);
    crossbar_[port] = flit;
    busy_ |= static_cast<std::uint16_t>(bit(port));
    moved.taken |= bit(lane);
    moved.spent |= bit(out);
    ended |= std::uint64_t{flit.tail()} << out;
    offered_ &= ~(std::uint64_t{!has(queues.heads().data, lane)} << out);
  }
  return ended;
}

void ChannelPath::give(std::uint32_t out, bool picked, bool ended, bool closed,
                       const InputQueues& queues) {
  const std::uint32_t vc = vc_of(out);
  const bool kept = has(kept_, out);
  const std::uint8_t before = owner_[out];
  std::uint8_t follower = kept ? next_[out] : picked ? picked_[out] : kNone;
  const bool free = ended || !has(owned_, out);
  bool again = false;
  if (ended) {
    const std::uint32_t lane = lane_of(before, vc);
    owned_ &= ~bit(out);
    offered_ &= ~bit(out);
    again = follower == kNone && !closed && has(queues.heads().data, lane) &&
            route_[queues.place(lane)] == port_of(out);
    if (again)
      follower = before;
    else
      follow(lane, queues);
  }
  if (free && !closed) {
    kept_ &= ~bit(out);
    if (follower == kNone) return;
    owner_[out] = follower;
    owned_ |= bit(out);
    offered_ |= bit(out);  // no flit of its packet has been taken
  } else if (picked) {
    next_[out] = follower;
    kept_ |= bit(out);
  }
}

void ChannelPath::drain(std::uint64_t lanes, InputQueues& queues) {
  local_ = lanes & here_;
  local_first_ = local_ & ~begun_;
  begun_ |= local_;
  for_each_bit(lanes, [&](std::uint32_t lane) {
    const bool ends = queues.head(lane).tail();
    queues.pop(lane);
    if (!ends) return;
    if (!has(here_, lane)) ++lost_;
    drained_ &= ~bit(lane);
    here_ &= ~bit(lane);
    begun_ &= ~bit(lane);
    follow(lane, queues);
  });
}

void ChannelPath::follow(std::uint32_t lane, const InputQueues& queues) {
  routed_ &= ~bit(lane);
  if (!has(queues.heads().data, lane)) return;
  const std::uint8_t route = route_[queues.place(lane)];
  come_to_front(lane, route);
  if (route >= ports_) return;
  const std::uint32_t out = channel_[lane];
  askers_[out] |= static_cast<std::uint16_t>(bit(port_of(lane)));
  asked_ |= bit(out);
}

void ChannelPath::come_to_front(std::uint32_t lane, std::uint8_t route) {
  if (route < ports_) {
    routed_ |= bit(lane);
    channel_[lane] = static_cast<std::uint8_t>(lane_of(route, vc_of(lane)));
  } else {
    fresh_ |= bit(lane);
    here_ |= std::uint64_t{route == kLocal} << lane;
  }
}

std::uint8_t ChannelPath::route_of(const Flit& first) const {
  const std::uint32_t address = Formats::destination(first) & address_mask_;
  if (const std::uint16_t next = route(address); next != 0) {
    return static_cast<std::uint8_t>(lowest(next));
  }
  return address < dests_ && local_destinations_[address] ? kLocal : kLost;
}

void ChannelPath::begin(std::uint32_t lane, std::uint32_t place, const Flit& first) {
  const bool lost = has(spoiled_, lane);
  const std::uint8_t route = route_[place] = lost ? kLost : route_of(first);
  // While a packet of an output is in front the one that comes is behind it.
  if (has(routed_ | drained_ | fresh_, lane)) return;
  come_to_front(lane, route);
  if (route >= ports_) return;
  newcomers_[channel_[lane]] |= static_cast<std::uint16_t>(bit(port_of(lane)));
  new_ |= bit(channel_[lane]);
}

bool ChannelPath::arrive_guarded(InputQueues& queues, std::uint32_t port, const Flit& flit,
                                 std::uint64_t full) {
  if (flit.vc >= vcs_) return false;
  const std::uint32_t lane = lane_of(port, flit.vc);
  if (!has(full, lane)) {
    arrive(queues, port, flit);
    if (flit.tail()) spoiled_ &= ~bit(lane);
    return true;
  }
  if (has(open_, lane)) queues.end(lane);
  open_ &= ~bit(lane);
  spoiled_ = (spoiled_ & ~bit(lane)) | std::uint64_t{!flit.tail()} << lane;
  return false;
}

}  // namespace muster::golden
