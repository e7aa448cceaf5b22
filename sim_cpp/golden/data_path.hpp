// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "golden/input_queues.hpp"
#include "golden/lanes.hpp"
#include "golden/output_channels.hpp"
#include "network/switch_config.hpp"

namespace muster::golden {

/// What the barrier messages leave to data in a cycle; masks of output ports.
struct BarrierShare {
  std::uint32_t barrier_vc = 0;
  std::uint16_t goes = 0;  ///< a barrier message leaves, and takes a credit of `barrier_vc`
  std::uint16_t held = 0;  ///< must not be allocated to data
};

/// Packets on their way from the input queues to the outputs of one switch: the route of each
/// queue's packet, allocation, and the flits in the crossbar registers.
///
/// A queue is idle, active (its packet has a route) or draining (it has none and is thrown away).
class DataPath {
 public:
  /// `routes` is the switch's part of the routing tables, `dests` masks of legal next ports.
  DataPath(const network::SwitchConfig& config, const std::uint16_t* routes);

  /// Outputs for which a crossbar register holds a flit: traversing in this cycle.
  std::uint16_t busy() const { return busy_; }
  const network::Flit& traversing(std::uint32_t output) const { return crossbar_[output]; }

  /// A cycle on the heads at its beginning: takes data flits from the queues, spends credits.
  /// Afterwards busy() is that of the next cycle. Returns the lanes whose head was taken.
  std::uint64_t clock(const Heads& heads, InputQueues& queues, OutputChannels& channels,
                      const BarrierShare& barriers);

  std::uint32_t unroutable() const { return unroutable_; }
  bool active(std::uint32_t lane) const { return has(active_, lane); }
  bool draining(std::uint32_t lane) const { return has(draining_, lane); }
  std::uint32_t output(std::uint32_t lane) const { return output_[lane]; }

 private:
  static constexpr std::uint32_t kMaxUnroutable = 0xffff;  // the counter saturates there

  std::uint64_t allocate(std::uint64_t waiting, InputQueues& queues, OutputChannels& channels,
                         const BarrierShare& barriers);
  std::uint64_t drain(std::uint64_t lanes, InputQueues& queues);
  void read_routes(std::uint64_t lanes, const InputQueues& queues);

  std::uint64_t active_ = 0, draining_ = 0;  // lanes
  std::uint16_t busy_ = 0;
  std::uint32_t ports_, vcs_, dests_, address_mask_;
  const std::uint16_t* routes_;
  std::uint32_t unroutable_ = 0;
  std::array<std::uint8_t, kMaxLanes> output_{};         // of an active lane
  std::array<std::uint8_t, kMaxPorts> input_pointer_{};   // round robin over virtual channels
  std::array<std::uint8_t, kMaxPorts> output_pointer_{};  // round robin over input ports
  // By output: an input sends to one output at a time, so this is the same set of flits as one
  // register for each input.
  std::array<network::Flit, kMaxPorts> crossbar_{};
};

}  // namespace muster::golden
