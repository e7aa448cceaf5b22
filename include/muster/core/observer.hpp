// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "muster/core/flit.hpp"
#include "muster/core/rng.hpp"

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

/// Which partitions of a divided engine have the blocks at the ends of a channel.
struct EndPartitions {
  std::uint8_t sender = 0;    ///< it sends the channel's flits
  std::uint8_t receiver = 0;  ///< it sends their credits
};

/// Sees what is on the links, once per cycle, and no model, one partition of the engine at a time:
/// what its blocks send, and flits that enter it from others. Calls of one cycle, for different
/// partitions, may run at once. REQUIRES: they throw nothing.
class DividedObserver {
 public:
  virtual ~DividedObserver() = default;
  /// Called before the first cycle if the engine has several partitions; `ends`: by channel. False:
  /// it looks at all in observe().
  virtual bool divide(std::size_t partitions, std::span<const EndPartitions> ends) = 0;
  /// `sent`: by blocks of this partition; `entering`: sent by others, to blocks of this one.
  virtual void observe_partition(std::size_t partition, std::uint64_t cycle,
                                 std::span<const FlitEvent> sent,
                                 std::span<const FlitEvent> entering,
                                 std::span<const CreditEvent> credits) = 0;
};

/// Sees everything that is on the links, once per cycle, and no model. The order of events within a
/// cycle is not defined.
class Observer {
 public:
  virtual ~Observer() = default;
  /// All events of `cycle`, once per cycle, also if there are none. What it throws ends the run.
  virtual void observe(std::uint64_t cycle, std::span<const FlitEvent> flits,
                       std::span<const CreditEvent> credits) = 0;
  /// One that looks at partitions too, each cycle before observe(), if the engine is divided.
  virtual DividedObserver* divided() { return nullptr; }
  /// Called once when the run is over and the network is empty (`drained`) or was stopped.
  virtual void finish(std::uint64_t /*cycle*/, bool /*drained*/) {}
};

/// A hash of everything that was on the links. The sum over all events does not depend on their
/// order within a cycle, nor on cycles in which nothing happens, so it is equal for equal command
/// and seed on every engine, with and without skipping, on any number of threads.
class Digest : public Observer {
 public:
  /// Adds the events of a cycle, in any order.
  void observe(std::uint64_t cycle, std::span<const FlitEvent> flits,
               std::span<const CreditEvent> credits) override {
    for (const FlitEvent& e : flits) {
      const std::uint64_t rest =
          (std::uint64_t{e.flit.hi} << 16) | (std::uint64_t{e.flit.vc} << 8) | e.flit.kind;
      sum_ += mix64(mix64(place(cycle, e.channel) ^ rest) ^ e.flit.lo);
    }
    for (const CreditEvent& e : credits) sum_ += mix64(~place(cycle, e.channel) ^ e.credits);
    flits_ += flits.size();
    if (!flits.empty() || !credits.empty()) last_event_ = cycle;
  }

  std::uint64_t value() const { return mix64(sum_); }       ///< the hash so far
  std::uint64_t flits() const { return flits_; }            ///< flits put on any link so far
  std::uint64_t last_event() const { return last_event_; }  ///< cycle; 0 if there was none

 private:
  /// One word for a channel in a cycle; the odd factors spread both over all bits.
  static std::uint64_t place(std::uint64_t cycle, ChannelId channel) {
    return (cycle + 1) * 0x9E3779B97F4A7C15u + std::uint64_t{channel} * 0xD6E8FEB86659FD93u;
  }
  std::uint64_t sum_ = 0, flits_ = 0, last_event_ = 0;
};

/// What a disturbed wire makes of a flit: none, one or two that arrive.
struct Arriving {
  std::uint32_t count = 1;    ///< 0 to 2; the second comes a cycle after the first
  std::array<Flit, 2> flits;  ///< the first `count`
};

/// Faults on wires: asked for every flit that is put on one (Engine::disturb). A flit that comes a
/// cycle late is lost if another is on the wire then, so flits do not pass each other.
class Disturbance {
 public:
  virtual ~Disturbance() = default;
  /// `wire`: as it was given to Engine::disturb; `cycle`: in which the flit is put there.
  virtual Arriving pass(std::uint32_t wire, std::uint64_t cycle, const Flit& flit) = 0;
};

}  // namespace muster::core
