// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/golden/tree_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::golden {

using fabric::BarrierPacket;

void UnitEntry::reset() {
  phase_ = Phase::kGather;
  number_ = told_ = 0;
  arrived_ = reports_ = acks_ = serve_ = 0;
}

bool UnitEntry::child(std::uint32_t address, std::uint16_t& place) const {
  const auto found = std::find(children.begin(), children.begin() + count, address);
  place = static_cast<std::uint16_t>(1u << (found - children.begin()));
  return found != children.begin() + count;
}

std::optional<UnitDrop> UnitEntry::take(const BarrierPacket& packet, std::uint32_t port,
                                        std::uint32_t modulus) {
  const auto is = [&](std::uint32_t number) { return number % modulus == packet.number; };
  const bool up = packet.opcode == fabric::kOpcodeUnitArrival;
  const bool local = has(locals, port);
  std::uint16_t who = local ? static_cast<std::uint16_t>(bit(port)) : std::uint16_t{0};
  if (local                                         ? !up
      : packet.opcode == fabric::kOpcodeUnitRelease ? root || packet.source != parent
                                                    : !child(packet.source, who))
    return UnitDrop::kWrongSource;
  if (up) {
    std::uint16_t& set = local ? arrived_ : reports_;
    if (!is(gathers()) || (set & who) != 0 || phase_ == Phase::kAwait) return UnitDrop::kOutOfPhase;
    // Released from the barrier before, or it could not arrive at this one.
    const bool early = phase_ == Phase::kTell && (local ? serve_ & who : ~acks_ & who);
    if (early) return UnitDrop::kOutOfPhase;
    set |= who;
    if (local) nodes_[port] = packet.source;
  } else if (packet.opcode == fabric::kOpcodeUnitRelease) {
    if (phase_ != Phase::kAwait || !is(number_)) return UnitDrop::kOutOfPhase;
    begin_telling();
  } else {
    const bool asked = phase_ == Phase::kTell && who < 1u << told_;
    if (!asked || !is(number_) || (acks_ & who) != 0) return UnitDrop::kOutOfPhase;
    acks_ |= who;
  }
  if (root && phase_ == Phase::kTell && told() && acks_ == all()) begin_next();
  if (root && phase_ == Phase::kGather && complete()) begin_telling();
  return std::nullopt;
}

void UnitEntry::begin_telling() {
  phase_ = Phase::kTell;
  arrived_ = reports_ = acks_ = 0;
  serve_ = locals;
  told_ = 0;
}

void UnitEntry::begin_next() {
  phase_ = Phase::kGather;
  ++number_;
}

std::optional<UnitEntry::Message> UnitEntry::due() const {
  if (phase_ == Phase::kGather && !root && complete())
    return Message{fabric::kOpcodeUnitArrival, parent, number_, {}};
  if (phase_ != Phase::kTell) return std::nullopt;
  if (told_ < count) return Message{fabric::kOpcodeUnitRelease, children[told_], number_, {}};
  if (serve_ != 0)
    return Message{fabric::kOpcodeUnitRelease, nodes_[lowest(serve_)], number_, lowest(serve_)};
  if (acks_ != all() || root) return std::nullopt;
  return Message{fabric::kOpcodeUnitAck, parent, number_, {}};
}

void UnitEntry::sent() {
  if (phase_ == Phase::kGather) {
    phase_ = Phase::kAwait;
  } else if (told_ < count) {
    ++told_;
  } else if (serve_ != 0) {
    serve_ &= static_cast<std::uint16_t>(serve_ - 1);
  } else {
    begin_next();
    return;
  }
  if (root && phase_ == Phase::kTell && told() && acks_ == all()) {
    begin_next();
    if (complete()) begin_telling();
  }
}

std::string UnitEntry::describe() const {
  static constexpr const char* kNames[] = {"gather", "await", "tell"};
  return fmt::format(
      "group {} {} of barrier {}: locals {:#x} arrived {:#x} to release {:#x}, children {} "
      "reported {:#x} told {} acknowledged {:#x}",
      gid, kNames[static_cast<unsigned>(phase_)], number_, locals, arrived_, serve_, count,
      reports_, told_, acks_);
}

void TreeUnit::drop(std::uint32_t port, UnitDrop reason) {
  std::uint8_t& counter = drops_[port][static_cast<std::size_t>(reason)];
  if (counter < kMaxDrops) ++counter;
}

std::uint32_t TreeUnit::drops(std::uint32_t port) const {
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < 4; ++i) word |= std::uint32_t{drops_[port][i]} << 8 * i;
  return word;
}

void TreeUnit::take(std::uint32_t lane, const core::Flit& flit) {
  std::vector<core::Flit>& flits = coming_[lane];
  if (flits.size() <= fabric::kBarrierPacketFlits) flits.push_back(flit);  // longer is malformed
  if (!flit.tail()) return;
  apply(port_of(lane), flits);
  flits.clear();
}

void TreeUnit::apply(std::uint32_t port, const std::vector<core::Flit>& flits) {
  if (flits.size() != fabric::kBarrierPacketFlits ||
      !fabric::is_unit_opcode(fabric::Formats::opcode(flits.front()))) {
    drop(port, UnitDrop::kMalformed);
    return;
  }
  const BarrierPacket packet = formats_.barrier_packet(flits);
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const UnitEntry& e) {
    return e.valid && e.gid == packet.gid;
  });
  if (entry == entries_.end()) {
    drop(port, UnitDrop::kUnknownGroup);
    return;
  }
  if (const auto reason = entry->take(packet, port, 1u << formats_.number_width()))
    drop(port, *reason);
}

bool TreeUnit::has_due() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const UnitEntry& e) { return e.valid && e.due(); });
}

std::string TreeUnit::describe() const {
  std::string text = "unit";
  for (const UnitEntry& e : entries_)
    if (e.valid) text += " [" + e.describe() + "]";
  if (sending_)
    text += fmt::format(", sends opcode {} to {} by port {}, {} of {} flits gone",
                        fabric::Formats::opcode(flits_[0]), fabric::Formats::destination(flits_[0]),
                        port_of(out_), gone_, flits_.size());
  return text;
}

}  // namespace muster::golden
