// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "muster/core/flit.hpp"

namespace muster::core {

/// One direction of a link, numbered by the network; see LinkTable in muster/fabric/layout.hpp.
using ChannelId = std::uint32_t;

/// A flit that stands on the sender's output register in this cycle.
struct FlitEvent {
  ChannelId channel;  ///< that it is on
  Flit flit;          ///< as sent
};

/// Credits on the wire in this cycle, for the flits of `channel` (they run against it).
struct CreditEvent {
  ChannelId channel;     ///< whose flits they are for
  std::uint8_t credits;  ///< bit per virtual channel
};

/// Sees everything that is on the links, once per cycle, and no model. The order of events within a
/// cycle is not defined.
class Observer {
 public:
  virtual ~Observer() = default;
  /// All events of `cycle`, once per cycle, also if there are none. What it throws ends the run.
  virtual void observe(std::uint64_t cycle, std::span<const FlitEvent> flits,
                       std::span<const CreditEvent> credits) = 0;
  /// Called once when the run is over and the network is empty (`drained`) or was stopped.
  virtual void finish(std::uint64_t /*cycle*/, bool /*drained*/) {}
};

}  // namespace muster::core
