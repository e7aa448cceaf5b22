// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/lanes.hpp"
#include "fabric/golden/route_table.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden {

/// Packets on their way through a switch whose output channels are given to packets and take their
/// flits: docs/systems/barrier-switch.md, "Data". A lane of an input is one of its queues, a lane
/// of an output one of its channels.
///
/// The packet in front of a queue, that of its oldest flit not taken, is in one of these states:
/// new at its channel, for a cycle; one that asks for it; its next; its owner. One that goes
/// nowhere is fresh for a cycle and then drained.
class ChannelPath {
 public:
  static constexpr std::uint8_t kNone = 0xff;

  struct Moved {
    std::uint64_t taken = 0;  ///< lanes of inputs that give up a flit
    std::uint64_t spent = 0;  ///< lanes of outputs that pay a credit
    bool changed = false;     ///< without an input the next cycle may differ from this one
  };

  /// `routes` outlives it.
  ChannelPath(const fabric::SwitchConfig& config, const RouteTable& routes);

  /// Outputs to which a flit traverses in this cycle. It stands where it stood in its queue.
  std::uint16_t busy() const { return busy_; }
  /// These flits go to their outputs. Two are written whatever there are, so that how many there
  /// are seldom matters; to an output that is not busy anything may be written.
  void drive(const FlitRings& queues, core::Flit* tx) const {
    std::uint32_t busy = busy_;
    for (int i = 0; i < 2; ++i, busy &= busy - 1) {
      const std::uint32_t port = lowest(busy | 1u << (ports_ - 1));
      tx[port] = queues.at(crossbar_[port]);
    }
    for_each_bit(busy, [&](std::uint32_t port) { tx[port] = queues.at(crossbar_[port]); });
  }
  /// Lanes of which a flit for this switch leaves in this cycle, FlitRings::popped(); those of
  /// which it is the first of its packet.
  std::uint64_t local() const { return local_; }
  std::uint64_t local_first() const { return local_first_; }

  /// The allocation of a cycle, on the state at its beginning: flits are taken for the output lanes
  /// `usable`; those of `closed` are given to no packet. Afterwards the accessors are those of the
  /// next cycle.
  Moved clock(FlitRings& queues, std::uint64_t usable, std::uint64_t closed) {
    for_each_bit(begin(usable), [&](std::uint32_t lane) { take(queues, port_of(lane)); });
    if (gives()) give_channels(queues, closed);
    return moved_;
  }
  /// The flits on the wires of the ports `valid`, in the cycle of the last clock(). The ports whose
  /// flit is sync, which is none of a packet, are returned.
  std::uint16_t arrive(FlitRings& queues, std::uint32_t valid, const core::Flit* rx) {
    std::uint16_t sync = 0;
    for_each_bit(valid, [&](std::uint32_t port) {
      if (rx[port].sync()) [[unlikely]]
        sync |= static_cast<std::uint16_t>(bit(port));
      else
        arrive_at(queues, port, rx[port], moved_.taken);
    });
    return sync;
  }

  /// clock() in steps, for a caller that goes through many switches with each step. First begin():
  /// the outputs for which a flit is taken, bit 4p for port p.
  std::uint64_t begin(std::uint64_t usable) {
    able_ = offered_ & usable;
    fresh_before_ = fresh_;
    ended_ = 0;
    moved_ = {0, 0, (busy_ | able_ | due_ | std::uint64_t{astray_}) != 0};
    busy_ = 0;
    const std::uint64_t two = able_ | able_ >> 2;
    return (two | two >> 1) & 0x1111111111111111u;
  }
  /// Then take() for each of them.
  void take(FlitRings& queues, std::uint32_t port);
  /// Then give_channels() if this is so, and clock() is done.
  bool gives() const { return ((due_ | ended_) != 0) | astray_; }
  void give_channels(FlitRings& queues, std::uint64_t closed) {
    const bool astray = astray_;
    if ((due_ | ended_) != 0) hand_on(queues, ended_, closed);
    if (astray) [[unlikely]]
      moved_.taken |= throw_away(queues, fresh_before_);
  }
  const Moved& moved() const { return moved_; }  // by clock()
  /// arrive() in steps: first enter() for each flit that is not sync, and then begin_packet() if it
  /// is the first of a packet.
  struct Entered {
    std::uint16_t place;
    std::uint8_t lane;
    bool first;
  };
  Entered enter(FlitRings& queues, std::uint32_t port, const core::Flit& flit,
                std::uint64_t taken) {
    const std::uint32_t place = queues.push(port, flit, taken), lane = lane_of(port, flit.vc);
    offered_ |= std::uint64_t{has(owning_, lane)} << lanes_[lane].channel;
    const bool first = !has(open_, lane), headless = flit.head() != first;
    if (headless) [[unlikely]]
      end_there(queues, place, flit.vc, first);
    open_ = (open_ | bit(lane)) ^ std::uint64_t{flit.tail() || headless} << lane;
    return {static_cast<std::uint16_t>(place), static_cast<std::uint8_t>(lane), first};
  }
  void begin_packet(const FlitRings& queues, const Entered& first);

  /// The same in a switch that guards itself: a flit that comes to one of the lanes `full` is lost,
  /// and cuts its packet (docs/systems/guard.md). False if it is.
  bool arrive_guarded(FlitRings& queues, std::uint32_t port, const core::Flit& flit,
                      std::uint64_t full);

  /// The mask of next ports to a destination; 0 without a route.
  std::uint16_t route(std::uint32_t destination) const {
    return destination < routes_.dests() ? routes_.mask(destination) : std::uint16_t{0};
  }
  std::uint32_t unroutable() const { return unroutable_; }
  std::uint32_t headless() const { return headless_; }

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
    return has(kept_, lane) ? lanes_[lane].next : kNone;
  }

  void prefetch() const { prefetch_lines(lanes_.data(), lanes_.size() * sizeof(Lane)); }

 private:
  static constexpr std::uint32_t kMaxUnroutable = 0xffff, kMaxHeadless = 0xff;  // of the counters
  // Routes of packets that go to no output port.
  static constexpr std::uint8_t kLost = 0xfe, kLocal = 0xfd;

  void arrive_at(FlitRings& queues, std::uint32_t port, const core::Flit& flit,
                 std::uint64_t taken) {
    const Entered entered = enter(queues, port, flit, taken);
    if (entered.first) begin_packet(queues, entered);
  }
  /// A headless flit: it ends the packet that is open, or is `alone`, a packet without a route.
  void end_there(FlitRings& queues, std::uint32_t place, std::uint8_t vc, bool alone);
  std::uint8_t route_of(const core::Flit& first) const;
  /// Gives output lanes to packets: those that `ended`, those that are free and kept, and those
  /// that are asked for and have none next.
  void hand_on(const FlitRings& queues, std::uint64_t ended, std::uint64_t closed);
  using Picked = std::array<std::uint8_t, kMaxLanes>;  // input ports, by output lane
  /// Picks an input for each lane of `asking` that has none next; these lanes. Those that are new
  /// ask from now on.
  std::uint64_t pick(std::uint64_t asking, Picked& picked);
  /// Owner and next of an output lane from the next cycle on.
  /// `follower`: for whom it is kept or has been picked, or kNone.
  void give(std::uint32_t out, std::uint8_t follower, bool ended, bool closed,
            const FlitRings& queues);
  /// A cycle of the packets that go nowhere; `fresh` came to the front in the last one. The lanes
  /// that give up a flit.
  std::uint64_t throw_away(FlitRings& queues, std::uint64_t fresh);
  /// Takes a flit of each of the lanes.
  void drain(std::uint64_t lanes, FlitRings& queues);
  /// The packet behind a tail that has just been taken is in front, if there is one.
  void follow(std::uint32_t lane, const FlitRings& queues);
  void come_to_front(std::uint32_t lane, std::uint8_t route);

  // By lane of an input.
  std::uint64_t open_ = 0;     // the last flit that came was no tail
  std::uint64_t routed_ = 0;   // the packet in front goes to its channel
  std::uint64_t owning_ = 0;   // it has its channel
  std::uint64_t drained_ = 0;  // it goes nowhere, and its flits are taken
  std::uint64_t fresh_ = 0;    // it goes nowhere, and came to the front in the last cycle
  // By lane of an output.
  std::uint64_t asked_ = 0, new_ = 0;   // there are askers, newcomers
  std::uint64_t owned_ = 0, kept_ = 0;  // it has an owner, a next
  std::uint64_t offered_ = 0;           // it has an owner, which has a flit
  std::uint64_t due_ = 0;               // hand_on() has something to do, if it is not closed

  // Of the cycle that begin() has begun.
  Moved moved_;
  std::uint64_t able_ = 0;          // lanes of outputs that may take a flit
  std::uint64_t ended_ = 0;         // lanes of outputs whose packet ends with the flit
  std::uint64_t fresh_before_ = 0;  // fresh_ at its beginning

  std::uint64_t local_ = 0;
  std::uint32_t lost_ = 0;  // packets whose tail leaves in this cycle, to be counted
  std::uint32_t ports_, vcs_;
  std::uint16_t busy_ = 0;
  bool astray_ = false;  // flits of packets that go nowhere have just left, or will be taken
  std::array<std::uint8_t, kMaxPorts> output_turn_{};  // round robin over virtual channels
  std::array<std::uint16_t, kMaxPorts> crossbar_{};    // places of flits, by output
  struct Lane {
    std::uint8_t channel = 0;  // of an input: the lane of an output
    // Of an output. Askers and newcomers are input ports whose packet in front goes there, and that
    // are neither owner nor next; new are those whose packet came in the last cycle.
    std::uint8_t owner = 0, next = 0;  // input ports
    std::uint8_t turn = 0;             // round robin over input ports
    std::uint16_t askers = 0, newcomers = 0;
  };
  std::vector<Lane> lanes_;

  // What follows is seldom needed.
  const RouteTable& routes_;
  std::vector<std::uint8_t> route_;  // of packets, at the place of their first flit
  std::uint64_t here_ = 0;           // of those that go nowhere: it is for this switch
  std::uint64_t begun_ = 0;          // of those: a flit has been taken
  std::uint64_t local_first_ = 0;
  std::uint32_t unroutable_ = 0, headless_ = 0;
};

inline void ChannelPath::take(FlitRings& queues, std::uint32_t port) {
  std::uint32_t out = lane_of(port, 0);
  if (vcs_ != 1) {
    const std::uint32_t vc = round_robin((able_ >> out) & 0xf, output_turn_[port]);
    output_turn_[port] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
    out += vc;
  }
  const std::uint32_t lane = lane_of(lanes_[out].owner, vc_of(out));
  const auto [place, last] = queues.pop(lane);
  crossbar_[port] = static_cast<std::uint16_t>(place);
  busy_ |= static_cast<std::uint16_t>(bit(port));
  moved_.taken |= bit(lane);
  moved_.spent |= bit(out);
  ended_ |= std::uint64_t{queues.at(place).tail()} << out;
  offered_ ^= std::uint64_t{last} << out;
}

}  // namespace muster::golden
