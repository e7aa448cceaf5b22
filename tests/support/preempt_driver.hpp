// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/blocks/preempt_registers.hpp"

namespace muster::testing {

/// Probabilities per port and cycle.
struct PreemptMix {
  double data;          ///< a packet begins, of each channel
  double messages;      ///< a barrier message begins
  double here;          ///< it is for this switch
  double controls;      ///< a padding request or end
  double faults;        ///< a flit of any kind and content
  double send;          ///< a flit of what has begun is sent
  double credit;        ///< one of the credits owed comes back, of each channel
  double stuck;         ///< a channel's credits cease to come back, or come again
  std::uint32_t host;   ///< of ten runs, those in which the host has set up groups
  bool held;            ///< some outputs are on hold, for ever
  double writes = 0.0;  ///< requests of the host on the register port, a cycle
};

/// Plays the neighbours of one preempting switch and the host at random.
class PreemptDriver {
 public:
  PreemptDriver(core::Bank& bank, const fabric::SwitchConfig& config, const PreemptMix& mix,
                std::uint64_t seed)
      : bank_(bank), config_(config), mix_(mix), rng_(seed), lanes_(config.ports * config.vcs) {
    for (Lane& l : lanes_) l.credits = config.depth;
    for (std::uint32_t d = 0; d < config.dests; ++d) {
      std::uint64_t mask = rng_.below(1u << config.ports);
      if (rng_.below(2) == 0) mask &= rng_.below(1u << config.ports);
      bank.write_register(0, fabric::registers::kRoutes + d,
                          static_cast<std::uint32_t>(mask | rng_.below(2) << 16));
    }
    bank.write_register(0, preempt::registers::kAddress, kHere);
    bank.write_register(0, preempt::registers::kPolicy, static_cast<std::uint32_t>(rng_.below(4)));
    if (rng_.below(4) != 0) {
      constexpr std::uint32_t kLongest[] = {20, 300, 2000};
      const auto idle = static_cast<std::uint32_t>(rng_.below(rng_.below(4) == 0 ? 256 : 30));
      const auto gap = static_cast<std::uint32_t>(rng_.below(6));
      const auto longest = static_cast<std::uint32_t>(rng_.below(kLongest[rng_.below(3)]));
      bank.write_register(0, preempt::registers::kTimes,
                          preempt::registers::times(idle, gap, longest));
    }
    if (rng_.below(2) != 0)
      bank.write_register(0, preempt::registers::kLfsr,
                          static_cast<std::uint32_t>(rng_.below(3) * rng_.below(0x10000)));
    if (mix.held)
      bank.write_register(0, fabric::registers::kHold,
                          static_cast<std::uint32_t>(rng_.below(1u << config.ports)));
    if (rng_.below(10) < mix.host) set_up_groups();
  }

  /// The inputs of a cycle; without `more` only what has begun is ended, and credits all return.
  void drive(bool more) {
    core::BlockWires& w = bank_.wires(0);
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      if ((w.tx_valid >> p & 1) != 0) receive(bank_.tx(0, p), p);
      for (std::uint32_t v = 0; v < config_.vcs; ++v) {
        Lane& l = lane(p, v);
        l.credits += w.rx_back >> (4 * p + v) & 1;
        if (rng_.uniform() < mix_.stuck) l.stuck = !l.stuck;
        if (l.owed == 0 || (more && (l.stuck || rng_.uniform() >= mix_.credit))) continue;
        --l.owed;
        w.tx_back |= std::uint64_t{1} << (4 * p + v);
      }
    }
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      begin(p, more);
      send(p, more);
    }
  }
  bool quiet() const {
    for (const Lane& l : lanes_)
      if (!l.flits.empty() || l.credits != config_.depth) return false;
    return bank_.quiescent(0);
  }
  /// An address that is worth reading.
  std::uint32_t address() {
    switch (rng_.below(4)) {
      case 0:
        return static_cast<std::uint32_t>(rng_.below(0x20));
      case 1:
        return fabric::registers::kDrops + static_cast<std::uint32_t>(rng_.below(config_.ports));
      case 2:
        return preempt::registers::entry(static_cast<std::uint32_t>(rng_.below(config_.regs))) +
               static_cast<std::uint32_t>(rng_.below(4));
      default:
        return preempt::registers::entry(0) + static_cast<std::uint32_t>(rng_.below(0x200));
    }
  }

  std::uint64_t sent = 0, cuts = 0, ends = 0, pads = 0, messages = 0;
  static constexpr std::uint32_t kHere = 7;

 private:
  static constexpr std::uint32_t kGroups = 6, kSwitches = 5;
  struct Lane {
    std::deque<core::Flit> flits;  ///< what has begun
    std::uint32_t credits = 0, owed = 0;
    std::uint32_t expected = 0;  ///< barrier channel: flits of the present message still to come
    bool stuck = false;
    bool open = false;  ///< data channel: a packet has begun and not ended
  };
  Lane& lane(std::uint32_t port, std::uint32_t vc) { return lanes_[port * config_.vcs + vc]; }
  std::uint32_t channel() const { return config_.vcs - 1; }
  std::uint32_t any_switch() {
    return rng_.below(8) == 0 ? static_cast<std::uint32_t>(rng_.below(2048))
                              : 10 + static_cast<std::uint32_t>(rng_.below(kSwitches));
  }
  std::uint32_t any_group() {
    return rng_.below(16) == 0 ? static_cast<std::uint32_t>(rng_.below(256))
                               : 40 * static_cast<std::uint32_t>(rng_.below(kGroups));
  }

  /// Entries of members' switches and of centers, one group each.
  void set_up_groups() {
    for (std::uint32_t e = 0; e < config_.regs && e < kGroups; ++e) {
      if (rng_.below(3) == 0) continue;
      const auto count = static_cast<std::uint32_t>(1 + rng_.below(4));
      bank_.write_register(0, preempt::registers::entry(e),
                           preempt::registers::entry_word(40 * e, rng_.below(2) == 0, count));
      bank_.write_register(0, preempt::registers::entry_locals(e),
                           static_cast<std::uint32_t>(rng_.below(1u << config_.ports)));
    }
  }

  void receive(const core::Flit& flit, std::uint32_t port) {
    Lane& l = lane(port, flit.vc);
    ++l.owed;
    if (flit.vc != channel()) {
      pads += flit.kind == core::Flit::kPad;
    } else if (l.expected != 0) {
      --l.expected;
    } else if (preempt::is_control(flit)) {
      ++(preempt::link_control(flit).end ? ends : cuts);
    } else {
      ++messages;
      l.expected = preempt::bsr_length(preempt::bsr_type(flit)) - 1;
    }
  }

  core::Flit any_flit(std::uint32_t vc) {
    core::Flit flit;
    const auto bits = fabric::Formats::low_bits(
        {rng_.next(), static_cast<std::uint16_t>(rng_.next())}, config_.flit_w);
    flit.lo = bits.lo;
    flit.hi = bits.hi;
    flit.kind = static_cast<std::uint8_t>(rng_.below(8));
    flit.vc = static_cast<std::uint8_t>(vc);
    return flit;
  }
  preempt::BsrMessage any_message() {
    preempt::BsrMessage m;
    m.type = static_cast<preempt::BsrType>(rng_.below(3));
    m.gid = any_group();
    m.destination = rng_.uniform() < mix_.here ? kHere : any_switch();
    m.source = any_switch();
    m.bnt = static_cast<preempt::Bnt>(rng_.below(10) == 0 ? 3 : rng_.below(3));
    m.refused = rng_.below(16) == 0;
    m.new_node = any_switch();
    return m;
  }
  void begin(std::uint32_t port, bool more) {
    Lane& barrier = lane(port, channel());
    if (more && barrier.flits.size() < 12) {
      if (rng_.uniform() < mix_.messages) {
        const preempt::BsrMessage m = any_message();
        const auto flits = bsr_flits(m, static_cast<std::uint8_t>(channel()));
        barrier.flits.insert(barrier.flits.end(), flits.begin(),
                             flits.begin() + bsr_length(m.type));
      }
      if (rng_.uniform() < mix_.controls)
        barrier.flits.push_back(preempt::control_flit(
            {rng_.below(2) == 0, static_cast<std::uint8_t>(rng_.below(config_.vcs))},
            static_cast<std::uint8_t>(channel())));
      if (rng_.uniform() < mix_.faults) barrier.flits.push_back(any_flit(channel()));
    }
    for (std::uint32_t v = 0; v < channel(); ++v) {
      Lane& l = lane(port, v);
      if (!more || l.flits.size() > 20) continue;
      if (rng_.uniform() < mix_.data) {
        const std::uint64_t length = 1 + rng_.below(12);
        for (std::uint64_t i = 0; i < length; ++i) {
          core::Flit flit = any_flit(v);
          flit.kind = static_cast<std::uint8_t>((i == 0 ? core::Flit::kHead : 0) |
                                                (i + 1 == length ? core::Flit::kTail : 0));
          if (i != 0 && i + 1 != length && rng_.below(8) == 0) flit.kind = core::Flit::kPad;
          l.flits.push_back(flit);
        }
      }
      if (rng_.uniform() < mix_.faults) l.flits.push_back(any_flit(v));
    }
  }
  /// Ends the message or packet that is under way in a channel with nothing left to send.
  void end(std::uint32_t port, std::uint32_t vc) {
    Lane& l = lane(port, vc);
    if (!l.flits.empty()) return;
    core::Flit flit = any_flit(vc);
    if (vc == channel() && in_message_[port] != 0) {
      flit.kind = core::Flit::kSync;
      l.flits.push_back(flit);
    } else if (vc != channel() && l.open) {
      flit.kind = core::Flit::kTail;
      l.flits.push_back(flit);
    }
  }
  void send(std::uint32_t port, bool more) {
    const auto vc = static_cast<std::uint32_t>(rng_.below(config_.vcs));
    Lane& l = lane(port, vc);
    if (!more) end(port, vc);
    if (l.credits == 0 || l.flits.empty() || (more && rng_.uniform() >= mix_.send)) return;
    const core::Flit flit = l.flits.front();
    l.flits.pop_front();
    follow(port, flit);
    --l.credits;
    ++sent;
    bank_.rx(0, port) = flit;
    bank_.wires(0).rx_valid |= 1u << port;
  }
  /// What the switch makes of a flit: is it inside a message, a packet?
  void follow(std::uint32_t port, const core::Flit& flit) {
    Lane& l = lane(port, flit.vc);
    if (flit.vc != channel()) {
      if (!flit.sync() || flit.kind == core::Flit::kPad) l.open = !flit.tail();
      return;
    }
    if (!flit.sync()) return;
    std::uint32_t& rest = in_message_[port];
    if (rest != 0)
      --rest;
    else
      rest = preempt::bsr_length(preempt::bsr_type(flit)) - 1;
  }

  core::Bank& bank_;
  fabric::SwitchConfig config_;
  PreemptMix mix_;
  Rng rng_;
  std::vector<Lane> lanes_;
  std::array<std::uint32_t, 16> in_message_{};  ///< by port: flits that the message lacks
};

}  // namespace muster::testing
