// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_spill.hpp"

#include <utility>

#include "systems/switch_kinds.hpp"

namespace muster::golden {

using fabric::BarrierMessage;
using fabric::MessageType;

BarrierSpill::BarrierSpill(const fabric::SwitchConfig& config)
    : formats_(config.flit_w, config.gid_w),
      ports_(config.ports),
      able_(btin::variant(config).spill) {}

BarrierSpill::Choice BarrierSpill::choose(std::uint16_t ports, const PortMessages& messages,
                                          const BarrierUnit& unit) const {
  Choice choice;
  if (port_ == 0) return choice;
  std::uint32_t eligible = 0;
  for_each_bit(ports, [&](std::uint32_t port) {
    const BarrierMessage message = formats_.barrier_message(messages.at(port));
    const bool of_answer = message.type > MessageType::kDistribution;
    if (of_answer ? !has(port_, port) : closed_ || unit.holds(message.gid)) return;
    choice.asking |= static_cast<std::uint16_t>(bit(port));
    if (has(messages.stored, port) && !(of_answer ? answer_ : hand_over_)) eligible |= 1u << port;
  });
  if (eligible != 0) choice.port = round_robin(eligible, pointer_);
  return choice;
}

core::Flit BarrierSpill::message(std::uint32_t port) const {
  if (answer_ && answer_->port == port) return formats_.barrier_flit(answer_->message, 0);
  BarrierMessage half = hand_over_->message;
  half.type = MessageType::kSpillData;
  if (!place_sent_) half = fabric::spill_place(hand_over_->message, hand_over_->port);
  return formats_.barrier_flit(half, 0);
}

BarrierSpill::GivenUp BarrierSpill::wait(std::uint16_t own, std::uint16_t room) {
  const bool answer_leaves = answer_ && has(own, answer_->port);
  const auto others = answer_leaves ? own & ~bit(answer_->port) : own;
  GivenUp given_up{expired(hand_over_, others != 0), expired(answer_, answer_leaves)};
  if (given_up.hand_over) place_sent_ = false;
  closed_ = given_up.hand_over || (closed_ && (port_ & room) == 0);
  look();
  return given_up;
}

/// What is in the latch, if it gives up.
std::optional<BarrierSpill::Latch> BarrierSpill::expired(std::optional<Latch>& latch,
                                                         bool leaves) const {
  if (!latch) return std::nullopt;
  latch->age = leaves || patience_ == 0 ? 0 : latch->age + 1;
  if (latch->age == 0 || latch->age < 1u << patience_) return std::nullopt;
  return std::exchange(latch, std::nullopt);
}

bool BarrierSpill::edge(const Choice& choice, const PortMessages& messages, std::uint16_t departed,
                        std::uint16_t own) {
  last_ = static_cast<std::uint16_t>((last_ & ~departed) | own);
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

/// True if it is malformed.
bool BarrierSpill::take(std::uint32_t port, const BarrierMessage& message) {
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

}  // namespace muster::golden
