// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_register.hpp"
#include "systems/btin/golden/barrier_unit.hpp"

namespace muster::golden {

/// The way of a switch to the node that has its further groups, and back:
/// docs/systems/barrier-switch.md, "Spill". With no spill port it asks for nothing and requests
/// nothing. The time-outs are those of docs/systems/guard.md, and only with a patience.
class BarrierSpill {
 public:
  /// A message and the port where it came in, or is to go out.
  struct Latch {
    fabric::BarrierMessage message;
    std::uint32_t port = 0;
    std::uint32_t age = 0;  ///< cycles in a row in which it has waited
  };

  explicit BarrierSpill(const fabric::SwitchConfig& config);

  /// The mask of the spill port; stays 0 in a switch without one.
  void set_port(std::uint16_t mask) { port_ = able_ ? mask : std::uint16_t{0}; }
  std::uint16_t port() const { return port_; }

  /// What the spill makes of the messages of a cycle.
  struct Choice {
    std::uint16_t asking = 0;           ///< ports whose message is not the barrier unit's
    std::optional<std::uint32_t> port;  ///< the one of them whose message is taken
  };
  /// On the state at the beginning of the cycle, of the messages of `ports`.
  Choice choose(std::uint16_t ports, const PortMessages& messages, const BarrierUnit& unit) const;

  /// Outputs that the latches request.
  std::uint16_t requested() const {
    if (!busy_) return 0;
    const std::uint32_t answer = answer_ ? 1u << answer_->port : 0u;
    return static_cast<std::uint16_t>((hand_over_ ? port_ : 0u) | answer);
  }
  /// The last barrier message that left through `port` came from a latch.
  bool last(std::uint32_t port) const { return has(last_, port); }
  /// What leaves through `port`, one of requested().
  core::Flit message(std::uint32_t port) const;

  /// The latches wait for 2 to this power of cycles; 0: for ever. Stays 0 in a switch without.
  void set_patience(std::uint32_t n) { patience_ = able_ ? n : 0; }
  std::uint32_t patience() const { return patience_; }
  /// None is handed over: the node takes nothing.
  bool closed() const { return closed_; }
  /// Time goes on, or ends, even if nothing comes; `room`: outputs with the credit of a pocket.
  bool timed(std::uint16_t room) const {
    return busy_ && ((closed_ && (port_ & room) != 0) || runs(hand_over_) || runs(answer_));
  }

  /// The messages that the latches give up in a cycle.
  struct GivenUp {
    std::optional<Latch> hand_over, answer;
  };
  /// Between choose() and edge(), with a patience or when timed(); `own` as in edge().
  GivenUp wait(std::uint16_t own, std::uint16_t room);

  /// The clock edge: the message of `choice.port` is taken, barrier messages have left through
  /// `departed`, those of the latches through `own`. True if what was taken is malformed.
  bool edge(const Choice& choice, const PortMessages& messages, std::uint16_t departed,
            std::uint16_t own);

 private:
  struct Origin {
    fabric::MessageType type;
    std::uint32_t port;
  };
  bool take(std::uint32_t port, const fabric::BarrierMessage& message);
  bool runs(const std::optional<Latch>& latch) const {
    return latch && (patience_ != 0 || latch->age != 0);
  }
  std::optional<Latch> expired(std::optional<Latch>& latch, bool leaves) const;
  void look() { busy_ = closed_ || hand_over_ || answer_; }

  bool busy_ = false;  // every cycle asks for this
  fabric::Formats formats_;
  std::uint32_t ports_;
  bool able_;
  std::uint16_t port_ = 0;
  std::uint16_t last_ = 0;
  std::uint32_t pointer_ = 0;  // round robin over the ports
  std::uint32_t patience_ = 0;
  bool closed_ = false;
  std::optional<Latch> hand_over_, answer_;
  bool place_sent_ = false;      // of the hand-over latch
  std::optional<Origin> place_;  // of an answer whose data is still to come
};

}  // namespace muster::golden
