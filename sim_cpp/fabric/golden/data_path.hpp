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
    std::uint64_t taken = 0, spent = 0, routed = 0;
    std::uint32_t lost = 0;
  };
  static constexpr std::uint8_t kFree = 0xff;

  /// `routes` outlives it.
  DataPath(const fabric::SwitchConfig& config, const RouteTable& routes);

  /// Outputs for which a crossbar register holds a flit: traversing in this cycle.
  std::uint16_t busy() const { return busy_; }
  /// The flits in the crossbar registers, by output.
  const core::Flit* crossbar() const { return crossbar_.data(); }

  /// A cycle on the heads at its beginning; a flit may be allocated to the output lanes `usable`,
  /// the first of a packet not to those of `closed`. Afterwards busy() is that of the next cycle.
  Moved clock(const Heads& heads, InputQueues& queues, std::uint64_t usable, std::uint64_t closed);

  /// Output ports for which the heads of these lanes wait.
  std::uint32_t wanted(std::uint64_t lanes) const {
    std::uint32_t ports = 0;
    for_each_bit(lanes & active_, [&](std::uint32_t lane) { ports |= 1u << output_[lane]; });
    return ports;
  }

  /// Lanes whose packet is for this switch; those of which no flit has been taken yet.
  std::uint64_t local() const { return local_; }
  std::uint64_t local_first() const { return local_ & ~begun_; }

  /// The mask of next ports to a destination; 0 without a route.
  std::uint16_t route(std::uint32_t destination) const {
    return destination < routes_.dests() ? routes_.mask(destination) : std::uint16_t{0};
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
  std::uint16_t arbitrate(std::uint64_t waiting, std::uint64_t usable, std::uint64_t closed,
                          Winners& winners) const;
  bool eligible(std::uint32_t lane, std::uint64_t usable, std::uint64_t closed) const;
  /// Picks for each channel without a next the waiting lane whose turn it is; afterwards
  /// line_up() makes those the next whose flit did not leave in the cycle.
  void pick_next(std::uint64_t waiting);
  void line_up();
  void grant(std::uint32_t lane, std::uint32_t out, InputQueues& queues, Moved& moved);
  void drain(std::uint64_t lanes, InputQueues& queues, Moved& moved);
  void read_routes(std::uint64_t lanes, const InputQueues& queues);
  void drop_headless(std::uint32_t lane, Moved& moved) {
    ++headless_;
    moved.lost |= 1u << port_of(lane);
  }

  std::uint64_t active_ = 0, draining_ = 0;  // lanes
  std::uint64_t local_ = 0, begun_ = 0;      // draining lanes; begun_ is a part of local_
  std::uint64_t owning_ = 0;                 // active lanes whose packet owns its channel
  std::uint64_t chosen_ = 0;                 // output lanes for which pick_next() has found a lane
  const RouteTable& routes_;
  std::uint32_t ports_, vcs_;
  std::uint32_t unroutable_ = 0, headless_ = 0;
  std::uint16_t busy_ = 0;
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

}  // namespace muster::golden
