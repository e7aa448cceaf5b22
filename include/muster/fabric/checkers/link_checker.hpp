// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/fabric/checkers/checker.hpp"
#include "muster/topology/graph.hpp"

namespace muster::checkers {

/// What switches promise that cut data for a barrier message.
struct HopWait {
  std::uint32_t data = 0;  ///< W, cycles that a message waits for data at a hop
  std::uint32_t gap = 0;   ///< after a message in which an output takes none
};

/// The longest times anything may take inside the network, in cycles. A run derives close ones from
/// its network and load; the defaults catch only what makes no progress for good.
struct Bounds {
  std::uint64_t packet = 10'000'000;   ///< from injection of the head to ejection of the tail
  std::uint64_t barrier = 10'000'000;  ///< of a barrier message in a switch of its tree
  std::optional<HopWait> hop = {};     ///< none: barrier messages wait for data
};

/// A message that a switch has to send.
struct OwedMessage {
  std::uint64_t since;    ///< cycle in which it became due
  topology::SwitchId sw;  ///< that owes it
};

/// Knows which messages the switches owe.
class OwedMessages {
 public:
  virtual ~OwedMessages() = default;
  /// Of those that have not been sent by the end of this cycle.
  virtual std::optional<OwedMessage> oldest_owed() = 0;
  /// REQUIRES: oldest_owed() has just returned a message.
  virtual std::string describe_oldest() const = 0;
};

/// The events that a checker needs. A run shows it these; it ignores others that it is shown.
struct Sees {
  /// All channels, or only those between a node and its switch.
  enum class Channels : std::uint8_t { kAll, kOfNodes };
  /// Virtual channels by what they carry, see Subject::worm_channel.
  enum class VirtualChannels : std::uint8_t { kOrdinary, kWorms, kBoth };

  bool sync = false;    ///< barrier messages
  bool heads = false;   ///< of packets
  bool bodies = false;  ///< the other flits of packets
  bool data = true;     ///< of heads and bodies, those of data (fabric::kOpcodeData) as well
  Channels channels = Channels::kAll;                             ///< of the flits
  VirtualChannels virtual_channels = VirtualChannels::kOrdinary;  ///< of the flits
  bool credits = false;                                           ///< of all channels
  bool behind_pipe = false;  ///< flits and credits behind the delay pipes
  bool cycles = false;       ///< the end of each cycle
};

/// A switch or a node that has died or has been reset: what it held is gone, and so is what others
/// send to it or through it. Or a link that nothing gets over any more.
struct Loss {
  bool node = false;     ///< else a switch, or a link
  std::uint32_t id = 0;  ///< NodeId, SwitchId, or half of a channel of the link
  bool reset = false;    ///< it goes on, see LinkChecker::recovered
  bool link = false;     ///< not a block: all of them live

  /// It is this switch.
  bool is_switch(topology::SwitchId s) const { return !node && !link && id == s; }
  /// It is the switch that has this port, or the link at it.
  bool at(const fabric::Layout& layout, const topology::PortRef& port) const {
    if (!link) return is_switch(port.sw);
    const fabric::Channel& channel = layout.channels()[2 * id];
    const fabric::End end{false, port.sw, port.port};
    return channel.from == end || channel.to == end;
  }
  /// The block at this end of a channel.
  bool is(const fabric::End& end) const {
    return end.node ? node && end.id == id : is_switch(end.id);
  }
};

/// A checker that is shown the events of every cycle: all flits, then all credits, then the end of
/// the cycle. The order of the flits of one cycle is arbitrary.
class LinkChecker : public Checker {
 public:
  using Checker::Checker;  ///< of a name and a subject
  virtual ~LinkChecker() = default;
  /// Constant from construction on.
  virtual Sees sees() const = 0;

  /// One flit that it sees. Each of these may call require() or throw Breach.
  virtual void flit(std::uint64_t /*cycle*/, const core::FlitEvent& /*event*/) {}
  /// The credits of one channel.
  virtual void credit(std::uint64_t /*cycle*/, const core::CreditEvent& /*event*/) {}
  /// The same behind the delay pipe of a channel, with the number of the channel; all flits. Only
  /// with Subject::pipe.
  virtual void flit_behind_pipe(std::uint64_t /*cycle*/, const core::FlitEvent& /*event*/) {}
  /// Of the credits.
  virtual void credit_behind_pipe(std::uint64_t /*cycle*/, const core::CreditEvent& /*event*/) {}
  /// All events of the cycle have been shown.
  virtual void end_cycle(std::uint64_t /*cycle*/) {}
  /// Between two cycles, `cycle` being the next: this has happened.
  virtual void lose(std::uint64_t /*cycle*/, const Loss& /*loss*/) {}
  /// Between two cycles: packets that begin from now on may go through all that was reset.
  virtual void recovered() {}
  /// The run is over: the network is empty (`drained`) or was stopped.
  virtual void finish(std::uint64_t /*cycle*/, bool /*drained*/) {}

  /// How much later the last release of a barrier of a group could have come, in cycles, where this
  /// checker bounds it.
  virtual std::optional<std::uint64_t> slack(std::uint32_t /*group*/,
                                             std::uint32_t /*barrier*/) const {
    return std::nullopt;
  }
};

}  // namespace muster::checkers
