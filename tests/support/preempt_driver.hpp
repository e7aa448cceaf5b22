// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "muster/core/bank.hpp"
#include "support/preempt_sender.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::testing {

/// Plays the neighbours of one preempting switch and the host at random.
class PreemptDriver {
 public:
  static constexpr std::uint32_t kHere = PreemptContent::kHere;

  PreemptDriver(core::Bank& bank, const fabric::SwitchConfig& config, const PreemptMix& mix,
                std::uint64_t seed)
      : bank_(bank), config_(config), mix_(mix), rng_(seed), receivers_(config.ports) {
    for (std::uint32_t p = 0; p < config.ports; ++p) senders_.emplace_back(config_, mix_, rng_);
    set_up_switch();
    if (rng_.below(10) < mix.host) set_up_groups();
  }
  PreemptDriver(const PreemptDriver&) = delete;
  PreemptDriver& operator=(const PreemptDriver&) = delete;

  /// The inputs of a cycle; without `more` only what has begun is ended, and credits all return.
  void drive(bool more) {
    core::BlockWires& w = bank_.wires(0);
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      if ((w.tx_valid >> p & 1) != 0) receive(bank_.tx(0, p), receivers_[p]);
      w.tx_back |= credits_of(receivers_[p], more) << (4 * p);
      senders_[p].credit(w.rx_back >> (4 * p) & 0xf);
      const auto flit = senders_[p].next(more);
      if (!flit) continue;
      ++sent;
      bank_.rx(0, p) = *flit;
      w.rx_valid |= 1u << p;
    }
  }
  bool quiet() const {
    for (const PreemptSender& sender : senders_)
      if (!sender.quiet()) return false;
    return bank_.quiescent(0);
  }
  /// An address that is worth reading.
  std::uint32_t address() {
    switch (rng_.below(4)) {
      case 0:
        return rng_.below(0x20);
      case 1:
        return preempt::registers::kPortDrops + rng_.below(config_.ports);
      case 2:
        return preempt::registers::entry(rng_.below(config_.regs)) + rng_.below(10);
      default:
        return preempt::registers::entry_child(rng_.below(config_.regs), rng_.below(config_.ports));
    }
  }

  std::uint64_t sent = 0, cuts = 0, ends = 0, pads = 0, messages = 0;

 private:
  /// Of one output of the switch.
  struct Receiver {
    std::array<std::uint32_t, 4> owed{};  ///< credits; [vcs]: of the barrier buffer
    std::uint32_t stuck = 0;              ///< those that do not come back, a mask
    std::uint32_t missing = 0;            ///< flits of the present message still to come
  };

  void set_up_switch() {
    for (std::uint32_t d = 0; d < config_.dests; ++d) {
      std::uint32_t mask = rng_.below(1u << config_.ports);
      if (rng_.below(2) == 0) mask &= rng_.below(1u << config_.ports);
      bank_.write_register(0, fabric::registers::kRoutes + d, mask | rng_.below(2) << 31);
    }
    bank_.write_register(0, preempt::registers::kAddress, kHere);
    bank_.write_register(0, preempt::registers::kPolicy, rng_.below(4));
    if (rng_.below(4) != 0) {
      constexpr std::uint32_t kLongest[] = {20, 300, 2000};
      const std::uint32_t idle = rng_.below(rng_.below(4) == 0 ? 256 : 30), gap = rng_.below(6);
      bank_.write_register(
          0, preempt::registers::kTimes,
          preempt::registers::times(idle, gap, rng_.below(kLongest[rng_.below(3)])));
    }
    if (rng_.below(2) != 0)
      bank_.write_register(0, preempt::registers::kLfsr, rng_.below(3) * rng_.below(0x10000));
    if (rng_.below(6) == 0)
      bank_.write_register(0, preempt::registers::kClosed,
                           rng_.below(1u << config_.ports) & rng_.below(1u << config_.ports));
    if (mix_.held)
      bank_.write_register(0, fabric::registers::kHold, rng_.below(1u << config_.ports));
  }
  /// Entries of members' switches and of centers, one group each.
  void set_up_groups() {
    for (std::uint32_t e = 0; e < config_.regs && e < PreemptContent::kGroups; ++e) {
      if (rng_.below(3) == 0) continue;
      // Few members, of whom all may come, or as many as can be, for the bits of the count.
      const std::uint32_t count = 1 + rng_.below(rng_.below(4) == 0 ? 2000 : 4);
      bank_.write_register(
          0, preempt::registers::entry(e),
          preempt::registers::entry_word(PreemptContent::kGroupIds[e], rng_.below(2) == 0, count));
      bank_.write_register(0, preempt::registers::entry(e, preempt::registers::kEntriesLocals),
                           rng_.below(1u << config_.ports));
    }
  }

  void receive(const core::Flit& flit, Receiver& at) {
    const bool data = !flit.sync() || flit.kind == core::Flit::kPad;
    at.owed[flit.vc] += data || config_.kind->sync_credits == fabric::SyncCredits::kBoth;
    if (data) {
      pads += flit.kind == core::Flit::kPad;
    } else if (flit.kind == core::Flit::kControl) {
      ++(preempt::link_control(flit).end ? ends : cuts);
    } else {
      if (flit.kind == core::Flit::kFirst) {
        at.missing = preempt::bsr_length(preempt::bsr_type(flit),
                                         preempt::BsrFormat(fabric::formats(config_)));
        ++messages;
      }
      at.owed[config_.vcs] += --at.missing == 0;
    }
  }
  /// Those that come back in this cycle, a nibble.
  std::uint64_t credits_of(Receiver& at, bool more) {
    std::uint64_t nibble = 0;
    for (std::uint32_t v = 0; v <= config_.vcs; ++v) {
      if (rng_.chance(mix_.stuck)) at.stuck ^= 1u << v;
      if (at.owed[v] == 0 || (more && ((at.stuck >> v & 1) || rng_.uniform() >= mix_.credit)))
        continue;
      --at.owed[v];
      nibble |= std::uint64_t{1} << v;
    }
    return nibble;
  }

  core::Bank& bank_;
  fabric::SwitchConfig config_;
  PreemptMix mix_;
  Random rng_;
  std::deque<PreemptSender> senders_;  // by port; they draw from rng_
  std::vector<Receiver> receivers_;    // by port
};

}  // namespace muster::testing
