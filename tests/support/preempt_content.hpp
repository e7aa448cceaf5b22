// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::testing {

/// Probabilities per port and cycle.
struct PreemptMix {
  double data;          ///< a packet begins, of each channel
  double messages;      ///< a barrier message begins
  double here;          ///< it is for this switch
  double controls;      ///< a padding request or end that no message needs
  double faults;        ///< a flit that does not belong there, of each channel; flits get lost
  double send;          ///< a flit of what has begun is sent
  double credit;        ///< one of the credits owed comes back, of each channel
  double stuck;         ///< a channel's credits cease to come back, or come again
  std::uint32_t host;   ///< of ten runs, those in which the host has set up groups
  bool held;            ///< some outputs are on hold, for ever
  double writes = 0.0;  ///< requests of the host on the register port, a cycle
};

/// Random flits for a preempting switch with the address kHere, from a few switches and groups.
class PreemptContent {
 public:
  static constexpr std::uint32_t kHere = 7, kGroups = 6, kSwitches = 5;
  /// Their identifiers: each bit is 0 in some and 1 in others.
  static constexpr std::uint32_t kGroupIds[kGroups] = {0x5b, 0xa4, 0x3f, 0xc0, 0x91, 0x6e};

  PreemptContent(const fabric::SwitchConfig& config, double here, Rng& rng)
      : flit_w_(config.flit_w),
        dests_(config.dests),
        step_(config.dests < 2048 ? 13 : 509),
        here_(here),
        rng_(rng) {}

  core::Flit flit(std::uint32_t vc, std::uint8_t kind) {
    core::Flit flit;
    const auto bits =
        fabric::Formats::low_bits({rng_.next(), static_cast<std::uint16_t>(rng_.next())}, flit_w_);
    flit.lo = bits.lo;
    flit.hi = bits.hi;
    flit.kind = kind;
    flit.vc = static_cast<std::uint8_t>(vc);
    return flit;
  }
  /// Of a kind that is for the input buffers.
  core::Flit data(std::uint32_t vc) {
    constexpr std::uint8_t kKinds[] = {0, core::Flit::kTail, core::Flit::kHead,
                                       core::Flit::kHead | core::Flit::kTail, core::Flit::kPad};
    return flit(vc, kKinds[rng_.below(5)]);
  }
  /// Of a kind that is not: of a message, a padding request or end, with any content.
  core::Flit sync(std::uint32_t vc) {
    constexpr std::uint8_t kKinds[] = {core::Flit::kFirst, core::Flit::kSync, core::Flit::kControl};
    core::Flit sync = flit(vc, kKinds[rng_.below(3)]);
    if (sync.kind == core::Flit::kFirst && rng_.below(3) == 0) sync.lo |= 3u << 14;
    if (sync.kind == core::Flit::kControl && rng_.below(4) != 0) sync.lo &= ~(1u << 15);
    return sync;
  }
  std::vector<core::Flit> packet(std::uint32_t vc) {
    std::vector<core::Flit> flits;
    const std::uint64_t length = 1 + rng_.below(12);
    for (std::uint64_t i = 0; i < length; ++i) {
      auto kind = static_cast<std::uint8_t>((i == 0 ? core::Flit::kHead : 0) |
                                            (i + 1 == length ? core::Flit::kTail : 0));
      if (i != 0 && i + 1 != length && rng_.below(8) == 0) kind = core::Flit::kPad;
      flits.push_back(flit(vc, kind));
    }
    if (rng_.below(8) != 0) {  // an entry of the table
      std::uint64_t& head = flits.front().lo;
      head = (head & ~fabric::address_bits(0xffff)) | rng_.below(dests_);
    }
    return flits;
  }
  preempt::BsrMessage message() {
    preempt::BsrMessage m;
    m.type = static_cast<preempt::BsrType>(rng_.below(3));
    m.gid = rng_.below(16) == 0 ? static_cast<std::uint32_t>(rng_.below(256))
                                : kGroupIds[rng_.below(kGroups)];
    m.destination = rng_.uniform() < here_ ? kHere : any_switch();
    m.source = any_switch();
    m.bnt = static_cast<preempt::Bnt>(rng_.below(10) == 0 ? 3 : rng_.below(3));
    m.refused = rng_.below(16) == 0;
    m.new_node = any_switch();
    return m;
  }

 private:
  /// One of the few, whose addresses differ in every bit, or of all.
  std::uint32_t any_switch() {
    return rng_.below(8) == 0 ? static_cast<std::uint32_t>(rng_.below(2048))
                              : 10 + step_ * static_cast<std::uint32_t>(rng_.below(kSwitches));
  }

  std::uint32_t flit_w_, dests_, step_;
  double here_;
  Rng& rng_;
};

}  // namespace muster::testing
