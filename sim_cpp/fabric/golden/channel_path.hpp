// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/lanes.hpp"
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

  /// `routes` is the switch's part of the routing tables, `dests` masks of legal next ports.
  ChannelPath(const fabric::SwitchConfig& config, const std::uint16_t* routes);

  /// Outputs to which a flit traverses in this cycle, and those flits.
  std::uint16_t busy() const { return busy_; }
  const core::Flit* crossbar() const { return crossbar_.data(); }
  /// Lanes of which a flit for this switch leaves in this cycle, InputQueues::popped(); those of
  /// which it is the first of its packet.
  std::uint64_t local() const { return local_; }
  std::uint64_t local_first() const { return local_first_; }

  /// The allocation of a cycle, on the state at its beginning: flits are taken for the output lanes
  /// `usable`; those of `closed` are given to no packet. Afterwards the accessors are those of the
  /// next cycle.
  Moved clock(InputQueues& queues, std::uint64_t usable, std::uint64_t closed);
  /// A flit on the wires of the cycle of the last clock().
  void arrive(InputQueues& queues, std::uint32_t port, const core::Flit& flit) {
    const std::uint32_t lane = lane_of(port, flit.vc), place = queues.push(port, flit);
    if (!has(open_, lane)) {
      begin(lane, place, flit);
    } else {
      const std::uint32_t out = channel_[lane];
      if (has(routed_, lane) && owner_[out] == port) offered_ |= owned_ & bit(out);
    }
    open_ = (open_ & ~bit(lane)) | std::uint64_t{!flit.tail()} << lane;
  }

  /// The same in a switch that guards itself: a flit that comes to one of the lanes `full` is lost,
  /// and cuts its packet (docs/systems/guard.md). False if it is.
  bool arrive_guarded(InputQueues& queues, std::uint32_t port, const core::Flit& flit,
                      std::uint64_t full);

  /// Packets for destination d, if they have no route, are for this switch.
  void set_local(std::uint32_t d, bool local) { local_destinations_[d] = local; }
  /// The mask of next ports to a destination; 0 without a route.
  std::uint16_t route(std::uint32_t destination) const {
    const std::uint32_t address = destination & address_mask_;
    return address < dests_ ? routes_[address] : std::uint16_t{0};
  }
  std::uint32_t unroutable() const { return unroutable_; }

  /// What the packet in front of an input lane waits for: an output port, or no output.
  bool routed(std::uint32_t lane) const { return has(routed_, lane); }
  bool draining(std::uint32_t lane) const { return has(drained_ | fresh_, lane); }
  /// REQUIRES: routed(lane).
  std::uint32_t output(std::uint32_t lane) const { return port_of(channel_[lane]); }
  /// The input port whose packet, of the same virtual channel, has the output lane; or kNone.
  std::uint8_t owner(std::uint32_t lane) const { return has(owned_, lane) ? owner_[lane] : kNone; }
  /// The input port for whose packet the output lane is kept, or kNone.
  std::uint8_t next(std::uint32_t lane) const { return has(kept_, lane) ? next_[lane] : kNone; }

 private:
  static constexpr std::uint32_t kMaxUnroutable = 0xffff;  // the counter saturates there
  // Routes of packets that go to no output port.
  static constexpr std::uint8_t kLost = 0xfe, kLocal = 0xfd;

  /// A packet begins: its first flit stands at `place`.
  void begin(std::uint32_t lane, std::uint32_t place, const core::Flit& first);
  std::uint8_t route_of(const core::Flit& first) const;
  /// Picks an input for each channel that has none next and is asked for; their lanes. Those that
  /// are new ask from now on.
  std::uint64_t pick();
  /// Takes a flit for each output that has one; the lanes of outputs whose packet ends with it.
  std::uint64_t allocate(InputQueues& queues, std::uint64_t able, Moved& moved);
  /// Owner and next of an output lane from the next cycle on.
  void give(std::uint32_t out, bool picked, bool ended, bool closed, const InputQueues& queues);
  /// Takes a flit of each of the lanes.
  void drain(std::uint64_t lanes, InputQueues& queues);
  /// The packet behind a tail that has just been taken is in front, if there is one.
  void follow(std::uint32_t lane, const InputQueues& queues);
  void come_to_front(std::uint32_t lane, std::uint8_t route);

  // By lane of an input.
  std::uint64_t open_ = 0;     // the last flit that came was no tail
  std::uint64_t spoiled_ = 0;  // a flit of the packet that is coming was lost
  std::uint64_t routed_ = 0;   // the packet in front goes to channel_
  std::uint64_t drained_ = 0;  // it goes nowhere, and its flits are taken
  std::uint64_t fresh_ = 0;    // it goes nowhere, and came to the front in the last cycle
  std::uint64_t here_ = 0;     // of those that go nowhere: it is for this switch
  std::uint64_t begun_ = 0;    // of those: a flit has been taken
  std::uint64_t local_ = 0, local_first_ = 0;
  std::array<std::uint8_t, kMaxLanes> channel_{};  // lane of an output
  std::vector<std::uint8_t> route_;                // of packets, at the place of their first flit

  // By lane of an output.
  std::uint64_t asked_ = 0, new_ = 0;   // there are askers_, newcomers_
  std::uint64_t owned_ = 0, kept_ = 0;  // it has an owner, a next
  std::uint64_t offered_ = 0;           // it has an owner, which has a flit
  // Input ports whose packet in front goes there, and that are neither owner nor next; new are
  // those whose packet came in the last cycle.
  std::array<std::uint16_t, kMaxLanes> askers_{}, newcomers_{};
  std::array<std::uint8_t, kMaxLanes> owner_{}, next_{}, picked_{};  // input ports
  std::array<std::uint8_t, kMaxLanes> turn_{};                       // round robin over input ports

  std::uint16_t busy_ = 0;
  std::array<core::Flit, kMaxPorts> crossbar_{};
  std::array<std::uint8_t, kMaxPorts> output_turn_{};  // round robin over virtual channels

  const std::uint16_t* routes_;
  std::vector<bool> local_destinations_;
  std::uint32_t ports_, vcs_, dests_, address_mask_;
  std::uint32_t unroutable_ = 0;
  std::uint32_t lost_ = 0;  // packets whose tail leaves in this cycle, to be counted
};

}  // namespace muster::golden
