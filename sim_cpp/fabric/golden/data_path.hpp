// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/route_table.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// Packets on their way from the input queues to the outputs of one switch: the route of each
/// queue's packet, allocation, and the flits in the crossbar registers: docs/systems/data-path.md.
///
/// A queue is idle, active (its packet has a route) or draining (it has none: it is for this
/// switch, or unroutable).
class DataPath {
 public:
  /// Lanes of the inputs whose head was taken, lanes of the outputs that must pay a credit, lanes
  /// of the inputs whose packet has got its route; input ports of which something was dropped.
  struct Moved {
    Lanes taken = 0, spent = 0, routed = 0;
    Ports lost = 0;
  };
  static constexpr std::uint8_t kFree = 0xff;

  /// `routes` outlives it.
  DataPath(const fabric::SwitchConfig& config, const RouteTable& routes)
      : routes_(routes), ports_(config.ports), vcs_(config.vcs) {
    owner_.fill(kFree);
    next_.fill(kFree);
  }

  /// Outputs for which a crossbar register holds a flit: traversing in this cycle.
  Ports busy() const { return busy_; }
  /// The flits in the crossbar registers, by output.
  const core::Flit* crossbar() const { return crossbar_.data(); }

  /// A cycle on the heads at its beginning; a flit may be allocated to the output lanes `usable`,
  /// the first of a packet not to those of `closed`. Afterwards busy() is that of the next cycle.
  Moved clock(const Heads& heads, InputQueues& queues, const Lanes& usable, const Lanes& closed) {
    const Lanes waiting = heads.data & active_, thrown = heads.data & draining_;
    const Lanes idle = heads.data & ~(active_ | draining_), stray = idle & queues.headless();
    const Lanes unread = idle & ~stray;
    if (unread != 0) read_routes(unread, queues);

    Winners winners;
    busy_ = waiting == 0 ? 0 : arbitrate(waiting, usable, closed, winners);
    if (vcs_ > 1) pick_next(waiting & ~owning_);
    Moved moved;
    moved.routed = unread;
    for_each_bit(busy_, [&](std::uint32_t out) {
      const std::uint32_t lane = winners[out];
      moved.taken |= lane_bit(lane);
      moved.spent |= lane_bit(lane_of(out, vc_of(lane)));
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

  /// Output ports for which the heads of these lanes wait.
  Ports wanted(const Lanes& lanes) const {
    Ports ports = 0;
    for_each_bit(lanes & active_,
                 [&](std::uint32_t lane) { ports |= static_cast<Ports>(bit(output_[lane])); });
    return ports;
  }

  /// Lanes whose packet is for this switch; those of which no flit has been taken yet.
  Lanes local() const { return local_; }
  Lanes local_first() const { return local_ & ~begun_; }

  /// The mask of next ports to a destination; 0 without a route.
  Ports route(std::uint32_t destination) const {
    return destination < routes_.dests() ? routes_.mask(destination) : Ports{0};
  }
  std::uint32_t unroutable() const { return unroutable_; }
  std::uint32_t headless() const { return headless_; }
  bool active(std::uint32_t lane) const { return has(active_, lane); }
  bool draining(std::uint32_t lane) const { return has(draining_, lane); }
  std::uint32_t output(std::uint32_t lane) const { return output_[lane]; }
  /// The input port whose packet, of the same virtual channel, has the output lane; or kFree.
  std::uint8_t owner(std::uint32_t lane) const { return owner_[lane]; }
  /// The input port for which the output lane is kept, or kFree.
  std::uint8_t next(std::uint32_t lane) const { return next_[lane]; }

 private:
  using Winners = std::array<std::uint8_t, kMaxPorts>;  // input lane, by output

  /// The outputs that get a flit in this cycle, and from which lane of `waiting`.
  Ports arbitrate(const Lanes& waiting, const Lanes& usable, const Lanes& closed,
                  Winners& winners) const {
    Lanes able = 0;
    for_each_bit(waiting, [&](std::uint32_t lane) {
      able |= lane_bit(lane, eligible(lane, usable, closed));
    });
    Ports asked = 0;
    for_each_port(able, [&](std::uint32_t input) {
      // The input picks one of its lanes ...
      const std::uint32_t lane =
          lane_of(input, round_robin(channels_of(able, input), input_pointer_[input]));
      // ... and the output keeps the input that comes first from its pointer on.
      const std::uint32_t out = output_[lane], pointer = output_pointer_[out];
      if (!has(asked, out) || turn_of(input, pointer) < turn_of(port_of(winners[out]), pointer))
        winners[out] = static_cast<std::uint8_t>(lane);
      asked |= static_cast<Ports>(bit(out));
    });
    return asked;
  }
  bool eligible(std::uint32_t lane, const Lanes& usable, const Lanes& closed) const {
    const std::uint32_t channel = lane_of(output_[lane], vc_of(lane));
    const std::uint32_t port = port_of(lane);
    // A packet under way owns its channel, so a lane that finds it free is at its first flit.
    const bool free = owner_[channel] == kFree && !has(closed, channel),
               own = owner_[channel] == port;
    const bool in_turn = next_[channel] == kFree || next_[channel] == port;
    return ((free & in_turn) | own) & has(usable, channel);
  }
  /// Picks for each channel without a next the waiting lane whose turn it is; afterwards
  /// line_up() makes those the next whose flit did not leave in the cycle.
  void pick_next(const Lanes& waiting) {
    chosen_ = 0;
    for_each_bit(waiting, [&](std::uint32_t lane) {
      const std::uint32_t channel = lane_of(output_[lane], vc_of(lane));
      if (next_[channel] != kFree) return;
      const std::uint32_t port = port_of(lane), pointer = channel_pointer_[channel];
      if (!has(chosen_, channel) || turn_of(port, pointer) < turn_of(choice_[channel], pointer))
        choice_[channel] = static_cast<std::uint8_t>(port);
      chosen_ |= lane_bit(channel);
    });
  }
  void line_up() {
    for_each_bit(chosen_, [&](std::uint32_t channel) {
      const std::uint8_t port = choice_[channel];
      channel_pointer_[channel] = static_cast<std::uint8_t>(port + 1u == ports_ ? 0 : port + 1);
      // Its first flit has left if it owns the channel now, or if that flit was the whole packet.
      const std::uint32_t lane = lane_of(port, vc_of(channel));
      if (has(active_ & ~owning_, lane)) next_[channel] = port;
    });
  }
  void grant(std::uint32_t lane, std::uint32_t out, InputQueues& queues, Moved& moved) {
    const std::uint32_t input = port_of(lane), vc = vc_of(lane);
    core::Flit flit = queues.head(lane);
    if (has(queues.headless(), lane)) {
      drop_headless(lane, moved);
      flit = core::Flit::cut_mark(flit.vc);
    }
    queues.pop(lane);
    crossbar_[out] = flit;
    const std::uint32_t channel = lane_of(out, vc);
    owner_[channel] = flit.tail() ? kFree : static_cast<std::uint8_t>(input);
    if (next_[channel] == input) next_[channel] = kFree;
    active_ &= ~lane_bit(lane, flit.tail());
    owning_ = (owning_ & ~lane_bit(lane)) | lane_bit(lane, !flit.tail());
    input_pointer_[input] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
    output_pointer_[out] = static_cast<std::uint8_t>(input + 1 == ports_ ? 0 : input + 1);
  }
  void drain(const Lanes& lanes, InputQueues& queues, Moved& moved) {
    for_each_bit(lanes, [&](std::uint32_t lane) {
      const bool local = has(local_, lane);
      if (local) begun_ |= lane_bit(lane);
      if (has(queues.headless(), lane)) drop_headless(lane, moved);
      if (queues.head(lane).tail()) {
        draining_ &= ~lane_bit(lane);
        local_ &= ~lane_bit(lane);
        begun_ &= ~lane_bit(lane);
        if (!local) {
          ++unroutable_;
          moved.lost |= static_cast<Ports>(bit(port_of(lane)));
        }
      }
      queues.pop(lane);
    });
  }
  void read_routes(const Lanes& lanes, const InputQueues& queues) {
    for_each_bit(lanes, [&](std::uint32_t lane) {
      const std::uint32_t address = fabric::Formats::destination(queues.head(lane));
      const Ports next = route(address);
      if (next == 0) {
        draining_ |= lane_bit(lane);
        if (address < routes_.dests() && routes_.local(address)) local_ |= lane_bit(lane);
      } else {
        active_ |= lane_bit(lane);
        output_[lane] = static_cast<std::uint8_t>(lowest(next));
      }
    });
  }
  void drop_headless(std::uint32_t lane, Moved& moved) {
    ++headless_;
    moved.lost |= static_cast<Ports>(bit(port_of(lane)));
  }

  Lanes active_ = 0, draining_ = 0;  // lanes
  Lanes local_ = 0, begun_ = 0;      // draining lanes; begun_ is a part of local_
  Lanes owning_ = 0;                 // active lanes whose packet owns its channel
  Lanes chosen_ = 0;                 // output lanes for which pick_next() has found a lane
  const RouteTable& routes_;
  std::uint32_t ports_, vcs_;
  std::uint32_t unroutable_ = 0, headless_ = 0;
  Ports busy_ = 0;
  std::array<std::uint8_t, kMaxPorts> input_pointer_{};   // round robin over virtual channels
  std::array<std::uint8_t, kMaxPorts> output_pointer_{};  // round robin over input ports
  std::array<std::uint8_t, kMaxLanes> output_{};          // of an active input lane
  std::array<std::uint8_t, kMaxLanes> owner_;             // of an output lane, an input port
  std::array<std::uint8_t, kMaxLanes> next_;  // of an output lane, the input port that has it next
  std::array<std::uint8_t, kMaxLanes> choice_{};  // of an output lane in chosen_, an input port
  std::array<std::uint8_t, kMaxLanes> channel_pointer_{};  // round robin over input ports
  // By output: an input sends to one output at a time, so this is the same set of flits as one
  // register for each input.
  std::array<core::Flit, kMaxPorts> crossbar_{};
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
