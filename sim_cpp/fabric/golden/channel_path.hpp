// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/route_table.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// Packets on their way through a switch whose output channels are given to packets and take their
/// flits: docs/systems/barrier-switch.md, "Data". A lane of an input is one of its queues, a lane
/// of an output one of its channels.
///
/// The packet in front of a queue, that of its oldest flit not taken, is in one of these states:
/// new at its channel, for a cycle; one that asks for it; its next; its owner. One that goes
/// nowhere is fresh for a cycle and then drained.
class ChannelPath {
  using Flit = core::Flit;
  using Formats = fabric::Formats;

 public:
  static constexpr std::uint8_t kNone = 0xff;

  struct Moved {
    Lanes taken = 0;  ///< lanes of inputs that give up a flit
    Lanes spent = 0;  ///< lanes of outputs that pay a credit
  };

  /// `routes` outlives it.
  ChannelPath(const fabric::SwitchConfig& config, const RouteTable& routes)
      : ports_(static_cast<std::uint8_t>(config.ports)),
        vcs_(static_cast<std::uint8_t>(config.vcs)),
        asked_for_(4 * config.ports),
        routes_(routes),
        route_(FlitRings::storage(config)) {}

  /// Outputs to which a flit traverses in this cycle. It stands where it stood in its queue.
  Ports busy() const { return busy_; }
  /// These flits go to their outputs.
  void drive(const FlitRings& queues, Flit* tx) const {
    for_each_bit(busy_, [&](std::uint32_t port) { tx[port] = queues.at(crossbar_[port]); });
  }
  /// Lanes of which a flit for this switch leaves in this cycle, FlitRings::popped(); those of
  /// which it is the first of its packet.
  Lanes local() const { return local_; }
  Lanes local_first() const { return local_first_; }

  /// A cycle, on the state at its beginning: allocation, owner and next of each channel, draining.
  /// Flits are taken for the output lanes `usable`; those of `closed` are given to no packet.
  /// Afterwards the accessors are those of the next cycle.
  Moved clock(FlitRings& queues, const Lanes& usable, const Lanes& closed) {
    Moved moved;
    const Lanes able = offered_ & usable, fresh = fresh_;
    Lanes ended = 0;
    busy_ = 0;
    for_each_port(able, [&](std::uint32_t port) {
      ended |= take(queues, port, channels_of(able, port), moved);
    });
    const Lanes changing = ended | new_ | (asked_ & ~kept_) | (kept_ & ~owned_ & ~closed);
    if (changing != 0) hand_on(queues, changing, ended, closed);
    counted_unroutable_ = unroutable_;
    counted_headless_ = headless_;
    if ((local_ | drained_ | fresh_) != 0 || lost_ != 0) moved.taken |= throw_away(queues, fresh);
    taken_ = moved.taken;
    return moved;
  }

  // A flit on the wires of `port` in the cycle of the last clock(): not sync, or queued().

  /// A barrier message as it is kept in a queue: a packet of one flit for this switch.
  static Flit queued(Flit message) {
    message.vc = 0;
    message.kind = Flit::kFirst;
    return message;
  }
  /// It goes to its queue. Throws InternalError if that is full or does not exist.
  void arrive(FlitRings& queues, std::uint32_t port, const Flit& flit) {
    const std::uint32_t place = queues.push(port, flit, taken_), lane = lane_of(port, flit.vc);
    offered_ |= lane_bit(lanes_[lane].channel, has(owning_, lane));
    const bool first = !has(open_, lane), headless = (flit.head() || flit.sync()) != first;
    if (headless) [[unlikely]] {
      end_there(queues, place, flit.vc, first);
      headless_at_ |= static_cast<Ports>(bit(port));
    }
    open_ = (open_ | lane_bit(lane)) ^ lane_bit(lane, flit.tail() || headless);
    if (first) begin_packet(lane, route_[place] = route_of(queues.at(place)));
  }
  /// Its queue exists and was not full at the beginning of the cycle.
  bool has_place(const FlitRings& queues, std::uint32_t port, const Flit& flit) const {
    return flit.vc < vcs_ && !queues.full(lane_of(port, flit.vc), taken_);
  }
  /// It is lost, and cuts its packet (docs/systems/guard.md). REQUIRES: it has no place.
  void lose(FlitRings& queues, std::uint32_t port, const Flit& flit) {
    if (flit.vc >= vcs_) return;
    const std::uint32_t lane = lane_of(port, flit.vc);
    if (has(open_, lane)) queues.end(lane);
    open_ &= ~lane_bit(lane);
  }

  /// The mask of next ports to a destination; 0 without a route.
  Ports route(std::uint32_t destination) const {
    return destination < routes_.dests() ? routes_.mask(destination) : Ports{0};
  }
  /// Output ports that take no flit if these lanes may be used, although the owner of a lane has
  /// one.
  Ports stalled(const Lanes& usable) const {
    Ports ports = 0;
    for_each_port(offered_, [&](std::uint32_t port) {
      ports |= static_cast<Ports>(Ports{channels_of(offered_ & usable, port) == 0} << port);
    });
    return ports;
  }
  /// Input ports of packets that clock() is about to count as without a route; of headless flits
  /// since the last call.
  Ports take_lost() { return std::exchange(lost_at_, Ports{0}); }
  Ports take_headless() { return std::exchange(headless_at_, Ports{0}); }
  /// Those dropped, as register 0x004 counts them: a cycle later.
  std::uint32_t unroutable() const { return counted_unroutable_; }
  std::uint32_t headless() const { return counted_headless_; }
  bool counted() const {
    return counted_unroutable_ == unroutable_ && counted_headless_ == headless_;
  }

  /// What the packet in front of an input lane waits for: an output port, or no output.
  bool routed(std::uint32_t lane) const { return has(routed_, lane); }
  bool draining(std::uint32_t lane) const { return has(drained_ | fresh_, lane); }
  /// REQUIRES: routed(lane).
  std::uint32_t output(std::uint32_t lane) const { return port_of(lanes_[lane].channel); }
  /// The input port whose packet, of the same virtual channel, has the output lane; or kNone.
  std::uint8_t owner(std::uint32_t lane) const {
    return has(owned_, lane) ? lanes_[lane].owner : kNone;
  }
  /// The input port for whose packet the output lane is kept, or kNone.
  std::uint8_t next(std::uint32_t lane) const {
    return has(kept_, lane) ? asked_for_[lane].next : kNone;
  }

  void prefetch() const { prefetch_lines(asked_for_.data(), asked_for_.size() * sizeof(Asked)); }

 private:
  static constexpr std::uint32_t kMaxUnroutable = 0xffff, kMaxHeadless = 0xff;  // of the counters
  // Routes of packets that go to no output port.
  static constexpr std::uint8_t kLost = 0xfe, kLocal = 0xfd;

  struct Lane {
    std::uint8_t channel = 0;  // of an input: the lane of an output
    std::uint8_t owner = 0;    // of an output: an input port
  };
  /// Of an output lane. Askers and newcomers are input ports whose packet in front goes there, and
  /// that are neither owner nor next; newcomers are those whose packet came in the last cycle.
  struct Asked {
    std::uint8_t next = 0;     // input port
    std::uint8_t pointer = 0;  // round robin over input ports
    Ports askers = 0, newcomers = 0;
  };
  /// The output takes a flit of the packet that owns one of its virtual channels `able`. The lane
  /// of the output, if the packet ends with this flit.
  Lanes take(FlitRings& queues, std::uint32_t port, std::uint32_t able, Moved& moved) {
    const std::uint32_t vc = vcs_ == 1 ? 0 : round_robin(able, pointer_[port]);
    const std::uint32_t out = lane_of(port, vc);
    pointer_[port] = static_cast<std::uint8_t>(vc + 1);  // as that of 0 if there is no such channel
    const std::uint32_t lane = lane_of(lanes_[out].owner, vc);
    const auto [place, last] = queues.pop(lane);
    crossbar_[port] = static_cast<std::uint16_t>(place);
    busy_ |= static_cast<Ports>(bit(port));
    moved.taken |= lane_bit(lane);
    moved.spent |= lane_bit(out);
    offered_ ^= lane_bit(out, last);
    return lane_bit(out, queues.at(place).tail());
  }
  /// Owner and next from the next cycle on of the output lanes `changing`. The tail of the owner's
  /// packet has been taken in the lanes `ended`.
  void hand_on(const FlitRings& queues, const Lanes& changing, const Lanes& ended,
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
  /// The input port that is picked as next of an output lane, or kNone if none asks.
  std::uint8_t pick(Asked& output) const {
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
  /// A cycle of the packets that go nowhere; `fresh` came to the front in the last one. The lanes
  /// that give up a flit.
  Lanes throw_away(FlitRings& queues, const Lanes& fresh) {
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
  /// The packet behind a tail that has just been taken is in front, if there is one.
  void follow(std::uint32_t lane, const FlitRings& queues) {
    routed_ &= ~lane_bit(lane);
    if (!has(queues.filled(), lane)) return;
    const std::uint8_t route = route_[queues.place(lane)];
    come_to_front(lane, route);
    if (route >= ports_) return;
    const std::uint32_t out = lanes_[lane].channel;
    asked_for_[out].askers |= static_cast<Ports>(bit(port_of(lane)));
    asked_ |= lane_bit(out);
  }
  void come_to_front(std::uint32_t lane, std::uint8_t route) {
    if (route < ports_) {
      routed_ |= lane_bit(lane);
      lanes_[lane].channel = static_cast<std::uint8_t>(lane_of(route, vc_of(lane)));
    } else {
      fresh_ |= lane_bit(lane);
      here_ |= lane_bit(lane, route == kLocal);
    }
  }
  void begin_packet(std::uint32_t lane, std::uint8_t route) {
    // While a packet of an output is in front the one that comes is behind it.
    if (has(routed_ | drained_ | fresh_, lane)) return;
    come_to_front(lane, route);
    if (route >= ports_) return;
    asked_for_[lanes_[lane].channel].newcomers |= static_cast<Ports>(bit(port_of(lane)));
    new_ |= lane_bit(lanes_[lane].channel);
  }
  std::uint8_t route_of(const Flit& first) const {
    if (first.sync()) return first.kind == Flit::kFirst ? kLocal : kLost;  // queued, headless
    const std::uint32_t address = Formats::destination(first);
    if (address >= routes_.dests()) return kLost;
    if (const Ports next = routes_.mask(address, first); next != 0)
      return static_cast<std::uint8_t>(lowest(next));
    return routes_.local(address) ? kLocal : kLost;
  }
  /// A headless flit: it ends the packet that is open, or is `alone`, a packet without a route.
  void end_there(FlitRings& queues, std::uint32_t place, std::uint8_t vc, bool alone) {
    Flit mark = Flit::cut_mark(vc);
    if (alone) mark.kind |= Flit::kSync;
    queues.replace(place, mark);
    headless_ = std::min(headless_ + 1, kMaxHeadless);
  }

  // By lane of an input.
  Lanes open_ = 0;     // the last flit that came was no tail
  Lanes routed_ = 0;   // the packet in front goes to its channel
  Lanes owning_ = 0;   // it has its channel
  Lanes drained_ = 0;  // it goes nowhere, and its flits are taken
  Lanes fresh_ = 0;    // it goes nowhere, and came to the front in the last cycle
  // By lane of an output.
  Lanes asked_ = 0, new_ = 0;   // there are askers, newcomers
  Lanes owned_ = 0, kept_ = 0;  // it has an owner, a next
  Lanes offered_ = 0;           // it has an owner, which has a flit

  Lanes taken_ = 0;  // lanes of inputs, in the cycle of the last clock()
  Lanes local_ = 0;
  std::uint32_t lost_ = 0;  // packets whose tail leaves in this cycle, to be counted
  Ports busy_ = 0;
  std::uint8_t ports_, vcs_;
  std::array<std::uint8_t, kMaxPorts> pointer_{};    // of an output over its virtual channels
  std::array<std::uint16_t, kMaxPorts> crossbar_{};  // places of flits, by output
  std::array<Lane, kMaxLanes> lanes_{};
  std::vector<Asked> asked_for_;

  // What follows is seldom needed.
  const RouteTable& routes_;
  std::vector<std::uint8_t> route_;  // of packets, at the place of their first flit
  Lanes here_ = 0;                   // of those that go nowhere: it is for this switch
  Lanes begun_ = 0;                  // of those: a flit has been taken
  Lanes local_first_ = 0;
  std::uint32_t unroutable_ = 0, headless_ = 0;
  std::uint32_t counted_unroutable_ = 0, counted_headless_ = 0;
  Ports lost_at_ = 0, headless_at_ = 0;  // input ports
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
