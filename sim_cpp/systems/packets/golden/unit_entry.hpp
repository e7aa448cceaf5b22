// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The outcome of a packet for the unit, in the order of the counters' bytes.
enum class UnitDrop : std::uint8_t { kMalformed, kUnknownGroup, kWrongSource, kOutOfPhase };

/// A group at one switch: docs/systems/baselines.md, "Entry".
class UnitEntry {
 public:
  enum class Phase : std::uint8_t { kGather, kAwait, kTell };
  static constexpr std::uint32_t kMaxChildren = 16;

  // As the host has written them.
  bool valid = false, root = false;
  std::uint32_t gid = 0, parent = 0, count = 0;  ///< children
  Ports locals = 0;                              ///< ports
  std::array<std::uint32_t, kMaxChildren> children{};

  Phase phase() const { return phase_; }
  /// Begins at barrier 0.
  void reset() {
    phase_ = Phase::kGather;
    number_ = told_ = 0;
    arrived_ = reports_ = acks_ = serve_ = 0;
  }
  /// A packet that has come in by `port`; numbers of barriers count modulo `modulus`. Nothing if it
  /// is expected, else the entry is as before.
  std::optional<UnitDrop> take(const fabric::BarrierPacket& packet, std::uint32_t port,
                               std::uint32_t modulus) {
    const auto is = [&](std::uint32_t number) { return number % modulus == packet.number; };
    const bool up = packet.opcode == fabric::kOpcodeUnitArrival;
    const bool local = has(locals, port);
    Ports who = local ? static_cast<Ports>(bit(port)) : Ports{0};
    if (local                                         ? !up
        : packet.opcode == fabric::kOpcodeUnitRelease ? root || packet.source != parent
                                                      : !child(packet.source, who))
      return UnitDrop::kWrongSource;
    if (up) {
      Ports& set = local ? arrived_ : reports_;
      if (!is(gathers()) || (set & who) != 0 || phase_ == Phase::kAwait)
        return UnitDrop::kOutOfPhase;
      // Released from the barrier before, or it could not arrive at this one.
      const bool early = phase_ == Phase::kTell && (local ? serve_ & who : ~acks_ & who);
      if (early) return UnitDrop::kOutOfPhase;
      set |= who;
      if (local) nodes_[port] = packet.source;
    } else if (packet.opcode == fabric::kOpcodeUnitRelease) {
      if (phase_ != Phase::kAwait || !is(number_)) return UnitDrop::kOutOfPhase;
      begin_telling();
    } else {
      const bool asked = phase_ == Phase::kTell && told_ != 0 && (who & ~all_ports(told_)) == 0;
      if (!asked || !is(number_) || (acks_ & who) != 0) return UnitDrop::kOutOfPhase;
      acks_ |= who;
    }
    go_on_as_root();
    return std::nullopt;
  }
  /// A packet that take() would expect stands behind another one in the order of combining.
  bool early(const fabric::BarrierPacket& packet, std::uint32_t port, std::uint32_t modulus) const {
    if (packet.opcode == fabric::kOpcodeUnitRelease || UnitEntry(*this).take(packet, port, modulus))
      return false;
    if (has(locals, port)) return lowest(locals & ~arrived_) != port;
    const bool up = packet.opcode == fabric::kOpcodeUnitArrival;
    Ports who = 0;
    child(packet.source, who);
    const auto left = static_cast<Ports>(all() & ~(up ? reports_ : acks_) & ~who);
    return (up && arrived_ != locals) || left > who;
  }
  /// What it has to send.
  struct Message {
    std::uint8_t opcode;
    std::uint32_t to;                    ///< address
    std::uint32_t number;                ///< of the barrier
    std::optional<std::uint32_t> local;  ///< port, of one to a local
  };
  std::optional<Message> due() const {
    if (phase_ == Phase::kGather && !root && complete())
      return Message{fabric::kOpcodeUnitArrival, parent, number_, {}};
    if (phase_ != Phase::kTell) return std::nullopt;
    if (told_ < count) return Message{fabric::kOpcodeUnitRelease, children[told_], number_, {}};
    if (serve_ != 0)
      return Message{fabric::kOpcodeUnitRelease, nodes_[lowest(serve_)], number_, lowest(serve_)};
    if (acks_ != all() || root) return std::nullopt;
    return Message{fabric::kOpcodeUnitAck, parent, number_, {}};
  }
  /// due() is on its way.
  void sent() {
    if (phase_ == Phase::kGather) {
      phase_ = Phase::kAwait;
    } else if (told_ < count) {
      ++told_;
    } else if (serve_ != 0) {
      serve_ &= static_cast<Ports>(serve_ - 1);
    } else {
      begin_next();
    }
    go_on_as_root();
  }
  std::string describe() const {
    static constexpr const char* kNames[] = {"gather", "await", "tell"};
    return fmt::format(
        "group {} {} of barrier {}: locals {:#x} arrived {:#x} to release {:#x}, children {} "
        "reported {:#x} told {} acknowledged {:#x}",
        gid, kNames[static_cast<unsigned>(phase_)], number_, locals, arrived_, serve_, count,
        reports_, told_, acks_);
  }

 private:
  /// The next barrier is the one in which a member may arrive.
  std::uint32_t gathers() const { return phase_ == Phase::kTell ? number_ + 1 : number_; }
  bool child(std::uint32_t address, Ports& place) const {
    const auto found = std::find(children.begin(), children.begin() + count, address);
    place = static_cast<Ports>(std::uint64_t{1} << (found - children.begin()));
    return found != children.begin() + count;
  }
  Ports all() const { return count == 0 ? Ports{0} : all_ports(count); }
  bool complete() const { return reports_ == all() && arrived_ == locals; }
  bool told() const { return told_ == count && serve_ == 0; }
  /// The root has no parent to wait for.
  void go_on_as_root() {
    if (!root) return;
    if (phase_ == Phase::kTell && told() && acks_ == all()) begin_next();
    if (phase_ == Phase::kGather && complete()) begin_telling();
  }
  void begin_telling() {
    phase_ = Phase::kTell;
    arrived_ = reports_ = acks_ = 0;
    serve_ = locals;
    told_ = 0;
  }
  void begin_next() {
    phase_ = Phase::kGather;
    ++number_;
  }

  Phase phase_ = Phase::kGather;
  std::uint32_t number_ = 0;                      // of the barrier
  Ports arrived_ = 0;                             // locals, ports
  Ports reports_ = 0, acks_ = 0;                  // children, by place
  Ports serve_ = 0;                               // locals to release
  std::uint32_t told_ = 0;                        // children released
  std::array<std::uint32_t, kMaxPorts> nodes_{};  // addresses of locals, as they have said
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
