// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/channel_path.hpp"

#include <algorithm>
#include <utility>

#include "muster/fabric/formats.hpp"

namespace muster::golden {

using core::Flit;
using fabric::Formats;

ChannelPath::ChannelPath(const fabric::SwitchConfig& config, const RouteTable& routes)
    : ports_(config.ports),
      vcs_(config.vcs),
      lanes_(4 * config.ports),
      routes_(routes),
      route_(FlitRings::storage(config)) {}

void ChannelPath::hand_on(const FlitRings& queues, std::uint64_t ended, std::uint64_t closed) {
  Picked picked;
  const std::uint64_t free = kept_ & ~owned_ & ~closed;
  const std::uint64_t picks = pick((asked_ & ~kept_) | new_, picked);
  for_each_bit(picks | ended | free, [&](std::uint32_t out) {
    const std::uint8_t follower = has(kept_, out)   ? lanes_[out].next
                                  : has(picks, out) ? picked[out]
                                                    : kNone;
    give(out, follower, has(ended, out), has(closed, out), queues);
  });
  due_ = (asked_ & ~kept_) | (kept_ & ~owned_);
}

std::uint64_t ChannelPath::pick(std::uint64_t asking, Picked& picked) {
  for_each_bit(asking, [&](std::uint32_t lane) {
    Lane& out = lanes_[lane];
    if (!has(kept_, lane)) {
      const bool waits = out.askers != 0;
      const std::uint32_t port = waits ? round_robin(out.askers, out.turn) : lowest(out.newcomers);
      if (waits) out.turn = static_cast<std::uint8_t>(port + 1 == ports_ ? 0 : port + 1);
      (waits ? out.askers : out.newcomers) &= static_cast<std::uint16_t>(~bit(port));
      picked[lane] = static_cast<std::uint8_t>(port);
    }
    out.askers |= out.newcomers;
    out.newcomers = 0;
    asked_ = (asked_ & ~bit(lane)) | std::uint64_t{out.askers != 0} << lane;
  });
  new_ = 0;
  return asking & ~kept_;
}

void ChannelPath::give(std::uint32_t out, std::uint8_t follower, bool ended, bool closed,
                       const FlitRings& queues) {
  Lane& channel = lanes_[out];
  const std::uint8_t before = channel.owner;
  const bool free = ended || !has(owned_, out);
  if (ended) {
    const std::uint32_t lane = lane_of(before, vc_of(out));
    owned_ &= ~bit(out);
    owning_ &= ~bit(lane);
    offered_ &= ~bit(out);
    const bool again = follower == kNone && !closed && has(queues.filled(), lane) &&
                       route_[queues.place(lane)] == port_of(out);
    if (again)
      follower = before;
    else
      follow(lane, queues);
  }
  if (free && !closed) {
    kept_ &= ~bit(out);
    if (follower == kNone) return;
    channel.owner = follower;
    owned_ |= bit(out);
    owning_ |= bit(lane_of(follower, vc_of(out)));
    offered_ |= bit(out);  // no flit of its packet has been taken
  } else if (follower != kNone) {
    channel.next = follower;
    kept_ |= bit(out);
  }
}

std::uint64_t ChannelPath::throw_away(FlitRings& queues, std::uint64_t fresh) {
  const std::uint64_t drained = queues.filled() & drained_;
  unroutable_ = std::min(unroutable_ + lost_, kMaxUnroutable);
  lost_ = 0;
  local_ = local_first_ = 0;
  fresh_ &= ~fresh;
  if (drained != 0) drain(drained, queues);
  drained_ |= fresh;
  astray_ = (local_ | lost_ | drained_ | fresh_) != 0;
  return drained;
}

void ChannelPath::drain(std::uint64_t lanes, FlitRings& queues) {
  local_ = lanes & here_;
  local_first_ = local_ & ~begun_;
  begun_ |= local_;
  for_each_bit(lanes, [&](std::uint32_t lane) {
    const bool ends = queues.head(lane).tail(), headless = queues.head(lane).sync();
    queues.pop(lane);
    if (!ends) return;
    if (!has(here_, lane) && !headless) ++lost_;
    drained_ &= ~bit(lane);
    here_ &= ~bit(lane);
    begun_ &= ~bit(lane);
    follow(lane, queues);
  });
}

void ChannelPath::follow(std::uint32_t lane, const FlitRings& queues) {
  routed_ &= ~bit(lane);
  if (!has(queues.filled(), lane)) return;
  const std::uint8_t route = route_[queues.place(lane)];
  come_to_front(lane, route);
  if (route >= ports_) return;
  const std::uint32_t out = lanes_[lane].channel;
  lanes_[out].askers |= static_cast<std::uint16_t>(bit(port_of(lane)));
  asked_ |= bit(out);
  due_ |= bit(out);
}

void ChannelPath::come_to_front(std::uint32_t lane, std::uint8_t route) {
  if (route < ports_) {
    routed_ |= bit(lane);
    lanes_[lane].channel = static_cast<std::uint8_t>(lane_of(route, vc_of(lane)));
  } else {
    fresh_ |= bit(lane);
    astray_ = true;
    here_ |= std::uint64_t{route == kLocal} << lane;
  }
}

void ChannelPath::end_there(FlitRings& queues, std::uint32_t place, std::uint8_t vc, bool alone) {
  Flit mark = Flit::cut_mark(vc);
  if (alone) mark.kind |= Flit::kSync;
  queues.replace(place, mark);
  headless_ = std::min(headless_ + 1, kMaxHeadless);
}

std::uint8_t ChannelPath::route_of(const Flit& first) const {
  if (first.sync()) return kLost;  // headless
  const std::uint32_t address = Formats::destination(first);
  if (const std::uint16_t next = route(address); next != 0) {
    return static_cast<std::uint8_t>(lowest(next));
  }
  return address < routes_.dests() && routes_.local(address) ? kLocal : kLost;
}

void ChannelPath::begin_packet(const FlitRings& queues, const Entered& first) {
  const std::uint32_t lane = first.lane;
  const std::uint8_t route = route_[first.place] = route_of(queues.at(first.place));
  // While a packet of an output is in front the one that comes is behind it.
  if (has(routed_ | drained_ | fresh_, lane)) return;
  come_to_front(lane, route);
  if (route >= ports_) return;
  lanes_[lanes_[lane].channel].newcomers |= static_cast<std::uint16_t>(bit(port_of(lane)));
  new_ |= bit(lanes_[lane].channel);
  due_ |= bit(lanes_[lane].channel);
}

bool ChannelPath::arrive_guarded(FlitRings& queues, std::uint32_t port, const Flit& flit,
                                 std::uint64_t full) {
  if (flit.vc >= vcs_) return false;
  const std::uint32_t lane = lane_of(port, flit.vc);
  if (!has(full, lane)) {
    arrive_at(queues, port, flit, 0);
    return true;
  }
  if (has(open_, lane)) queues.end(lane);
  open_ &= ~bit(lane);
  return false;
}

}  // namespace muster::golden
