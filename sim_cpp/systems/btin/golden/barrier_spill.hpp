// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/golden/barrier_unit.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The way of a switch to the node that has its further groups, and back:
/// docs/systems/barrier-switch.md, "Spill". With no spill port it asks for nothing and requests
/// nothing. The time-outs are those of docs/systems/guard.md, and only with a patience.
class BarrierSpill {
  using BarrierMessage = fabric::BarrierMessage;
  using MessageType = fabric::MessageType;

 public:
  /// A message and the port where it came in, or is to go out.
  struct Latch {
    BarrierMessage message;
    std::uint32_t port = 0;
    std::uint32_t age = 0;  ///< cycles in a row in which it has waited
  };

  explicit BarrierSpill(const fabric::SwitchConfig& config)
      : formats_(config.flit_w, config.gid_w),
        ports_(config.ports),
        able_(btin::variant(config).spill) {}

  /// The mask of the spill port; stays 0 in a switch without one.
  void set_port(Ports mask) { port_ = able_ ? mask : Ports{0}; }
  Ports port() const { return port_; }

  /// What the spill makes of the messages of a cycle.
  struct Choice {
    Ports asking = 0;                   ///< ports whose message is not the barrier unit's
    std::optional<std::uint32_t> port;  ///< the one of them whose message is taken
  };
  /// On the state at the beginning of the cycle, of the messages of `ports`.
  Choice choose(Ports ports, const PortMessages& messages, const BarrierUnit& unit) const {
    Choice choice;
    if (port_ == 0) return choice;
    std::uint64_t eligible = 0;
    for_each_bit(ports, [&](std::uint32_t port) {
      const BarrierMessage message = formats_.barrier_message(messages.at(port));
      const bool of_answer = message.type > MessageType::kDistribution;
      if (of_answer ? !has(port_, port) : closed_ || unit.holds(message.gid)) return;
      choice.asking |= static_cast<Ports>(bit(port));
      if (has(messages.stored, port) && !(of_answer ? answer_ : hand_over_)) eligible |= bit(port);
    });
    if (eligible != 0) choice.port = round_robin(eligible, pointer_);
    return choice;
  }

  /// Outputs that the latches request.
  Ports requested() const {
    if (!busy_) return 0;
    const std::uint64_t answer = answer_ ? bit(answer_->port) : 0u;
    return static_cast<Ports>((hand_over_ ? port_ : 0u) | answer);
  }
  /// The last barrier message that left through `port` came from a latch.
  bool last(std::uint32_t port) const { return has(last_, port); }
  /// What leaves through `port`, one of requested().
  core::Flit message(std::uint32_t port) const {
    if (answer_ && answer_->port == port) return formats_.barrier_flit(answer_->message, 0);
    BarrierMessage half = hand_over_->message;
    half.type = MessageType::kSpillData;
    if (!place_sent_) half = fabric::spill_place(hand_over_->message, hand_over_->port);
    return formats_.barrier_flit(half, 0);
  }

  /// The latches wait for 2 to this power of cycles; 0: for ever. Stays 0 in a switch without.
  void set_patience(std::uint32_t n) { patience_ = able_ ? n : 0; }
  std::uint32_t patience() const { return patience_; }
  /// None is handed over: the node takes nothing.
  bool closed() const { return closed_; }
  /// Time goes on, or ends, even if nothing comes; `room`: outputs with the credit of a pocket.
  bool timed(Ports room) const {
    return busy_ && ((closed_ && (port_ & room) != 0) || runs(hand_over_) || runs(answer_));
  }

  /// The messages that the latches give up in a cycle.
  struct GivenUp {
    std::optional<Latch> hand_over, answer;
  };
  /// Between choose() and edge(), with a patience or when timed(); `own` as in edge().
  GivenUp wait(Ports own, Ports room) {
    const bool answer_leaves = answer_ && has(own, answer_->port);
    const auto others = answer_leaves ? own & ~bit(answer_->port) : own;
    GivenUp given_up{expired(hand_over_, others != 0), expired(answer_, answer_leaves)};
    if (given_up.hand_over) place_sent_ = false;
    closed_ = given_up.hand_over || (closed_ && (port_ & room) == 0);
    look();
    return given_up;
  }

  /// The clock edge: the message of `choice.port` is taken, barrier messages have left through
  /// `departed`, those of the latches through `own`. True if what was taken is malformed.
  bool edge(const Choice& choice, const PortMessages& messages, Ports departed, Ports own) {
    last_ = static_cast<Ports>((last_ & ~departed) | own);
    // What leaves, leaves a latch that was full, so nothing is taken into that one in this cycle.
    for_each_bit(own, [&](std::uint32_t port) {
      if (answer_ && answer_->port == port) {
        answer_.reset();
      } else if (place_sent_) {
        hand_over_.reset();
        place_sent_ = false;
      } else {
        place_sent_ = true;
      }
    });
    bool malformed = false;
    if (choice.port) {
      pointer_ = *choice.port + 1 == ports_ ? 0 : *choice.port + 1;
      malformed = take(*choice.port, formats_.barrier_message(messages.at(*choice.port)));
    }
    look();
    return malformed;
  }

 private:
  struct Origin {
    MessageType type;
    std::uint32_t port;
  };
  /// True if it is malformed.
  bool take(std::uint32_t port, const BarrierMessage& message) {
    if (message.type == MessageType::kSpillPlace) {
      const fabric::SpillPlace says = fabric::spill_place(message);
      const bool lost = place_.has_value();
      place_.reset();
      if (says.port < ports_) place_ = Origin{says.type, says.port};
      return lost || !place_;
    }
    if (message.type == MessageType::kSpillData) {
      if (!place_) return true;
      answer_ = Latch{{place_->type, message.gid, message.data}, place_->port};
      place_.reset();
      return false;
    }
    hand_over_ = Latch{message, port};
    return false;
  }
  bool runs(const std::optional<Latch>& latch) const {
    return latch && (patience_ != 0 || latch->age != 0);
  }
  /// What is in the latch, if it gives up.
  std::optional<Latch> expired(std::optional<Latch>& latch, bool leaves) const {
    if (!latch) return std::nullopt;
    latch->age = leaves || patience_ == 0 ? 0 : latch->age + 1;
    if (latch->age == 0 || latch->age < 1u << patience_) return std::nullopt;
    return std::exchange(latch, std::nullopt);
  }
  void look() { busy_ = closed_ || hand_over_ || answer_; }

  bool busy_ = false;  // every cycle asks for this
  fabric::Formats formats_;
  std::uint32_t ports_;
  bool able_;
  Ports port_ = 0;
  Ports last_ = 0;
  std::uint32_t pointer_ = 0;  // round robin over the ports
  std::uint32_t patience_ = 0;
  bool closed_ = false;
  std::optional<Latch> hand_over_, answer_;
  bool place_sent_ = false;      // of the hand-over latch
  std::optional<Origin> place_;  // of an answer whose data is still to come
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
