// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/channel_path.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

using core::Flit;
using fabric::Formats;

ChannelPath::ChannelPath(const fabric::SwitchConfig& config, const RouteTable& routes)
    : ports_(static_cast<std::uint8_t>(config.ports)),
      vcs_(static_cast<std::uint8_t>(config.vcs)),
      asked_for_(4 * config.ports),
      routes_(routes),
      route_(FlitRings::storage(config)) {}

std::uint8_t ChannelPath::pick(Asked& output) const {
  if (output.askers != 0) {
    const std::uint32_t port = round_robin(output.askers, output.pointer);
    output.pointer = static_cast<std::uint8_t>(port + 1 == ports_ ? 0 : port + 1);
    output.askers &= static_cast<Ports>(~bit(port));
    return static_cast<std::uint8_t>(port);
  }
  if (output.newcomers == 0) return kNone;
  const std::uint32_t port = lowest(output.newcomers);
  output.newcomers &= static_cast<Ports>(~bit(port));
  return static_cast<std::uint8_t>(port);
}

void ChannelPath::hand_on(const FlitRings& queues, const Lanes& changing, const Lanes& ended,
                          const Lanes& closed) {
  Lanes left = 0;  // lanes of inputs whose channel goes to another packet
  for_each_bit(changing, [&](std::uint32_t out) {
    Asked& output = asked_for_[out];
    std::uint8_t& owner = lanes_[out].owner;
    std::uint8_t follower = has(kept_, out) ? output.next : pick(output);
    output.askers |= output.newcomers;
    output.newcomers = 0;
    asked_ = (asked_ & ~lane_bit(out)) | lane_bit(out, output.askers != 0);

    const bool ends = has(ended, out), may_begin = !has(closed, out);
    const bool free = ends || !has(owned_, out);
    if (ends) {
      const std::uint32_t lane = lane_of(owner, vc_of(out));
      const bool again = has(queues.filled(), lane) && route_[queues.place(lane)] == port_of(out);
      if (follower == kNone && may_begin && again)
        follower = owner;
      else
        left |= lane_bit(lane);
      owning_ &= ~lane_bit(lane);
      owned_ &= ~lane_bit(out);
      offered_ &= ~lane_bit(out);
    }
    if (follower == kNone) return;
    if (free && may_begin) {
      owner = follower;
      owning_ |= lane_bit(lane_of(follower, vc_of(out)));
      owned_ |= lane_bit(out);
      offered_ |= lane_bit(out);  // no flit of its packet has been taken
      kept_ &= ~lane_bit(out);
    } else {
      output.next = follower;
      kept_ |= lane_bit(out);
    }
  });
  new_ = 0;
  for_each_bit(left, [&](std::uint32_t lane) { follow(lane, queues); });
}

Lanes ChannelPath::throw_away(FlitRings& queues, const Lanes& fresh) {
  unroutable_ = std::min(unroutable_ + lost_, kMaxUnroutable);
  lost_ = 0;
  const Lanes drained = queues.filled() & drained_;
  local_ = drained & here_;
  local_first_ = local_ & ~begun_;
  begun_ |= local_;
  fresh_ &= ~fresh;
  for_each_bit(drained, [&](std::uint32_t lane) {
    const bool ends = queues.head(lane).tail(), headless = queues.head(lane).sync();
    queues.pop(lane);
    if (!ends) return;
    if (!has(here_, lane) && !headless) {
      ++lost_;
      lost_at_ |= static_cast<Ports>(bit(port_of(lane)));
    }
    drained_ &= ~lane_bit(lane);
    here_ &= ~lane_bit(lane);
    begun_ &= ~lane_bit(lane);
    follow(lane, queues);
  });
  drained_ |= fresh;
  return drained;
}

void ChannelPath::follow(std::uint32_t lane, const FlitRings& queues) {
  routed_ &= ~lane_bit(lane);
  if (!has(queues.filled(), lane)) return;
  const std::uint8_t route = route_[queues.place(lane)];
  come_to_front(lane, route);
  if (route >= ports_) return;
  const std::uint32_t out = lanes_[lane].channel;
  asked_for_[out].askers |= static_cast<Ports>(bit(port_of(lane)));
  asked_ |= lane_bit(out);
}

void ChannelPath::come_to_front(std::uint32_t lane, std::uint8_t route) {
  if (route < ports_) {
    routed_ |= lane_bit(lane);
    lanes_[lane].channel = static_cast<std::uint8_t>(lane_of(route, vc_of(lane)));
  } else {
    fresh_ |= lane_bit(lane);
    here_ |= lane_bit(lane, route == kLocal);
  }
}

void ChannelPath::end_there(FlitRings& queues, std::uint32_t place, std::uint8_t vc, bool alone) {
  Flit mark = Flit::cut_mark(vc);
  if (alone) mark.kind |= Flit::kSync;
  queues.replace(place, mark);
  headless_ = std::min(headless_ + 1, kMaxHeadless);
}

std::uint8_t ChannelPath::route_of(const Flit& first) const {
  if (first.sync()) return first.kind == Flit::kFirst ? kLocal : kLost;  // queued, headless
  const std::uint32_t address = Formats::destination(first);
  if (address >= routes_.dests()) return kLost;
  if (const Ports next = routes_.mask(address, first); next != 0)
    return static_cast<std::uint8_t>(lowest(next));
  return routes_.local(address) ? kLocal : kLost;
}

void ChannelPath::begin_packet(std::uint32_t lane, std::uint8_t route) {
  // While a packet of an output is in front the one that comes is behind it.
  if (has(routed_ | drained_ | fresh_, lane)) return;
  come_to_front(lane, route);
  if (route >= ports_) return;
  asked_for_[lanes_[lane].channel].newcomers |= static_cast<Ports>(bit(port_of(lane)));
  new_ |= lane_bit(lanes_[lane].channel);
}

void ChannelPath::lose(FlitRings& queues, std::uint32_t port, const Flit& flit) {
  if (flit.vc >= vcs_) return;
  const std::uint32_t lane = lane_of(port, flit.vc);
  if (has(open_, lane)) queues.end(lane);
  open_ &= ~lane_bit(lane);
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
