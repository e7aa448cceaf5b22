// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::golden {

namespace nic_regs = nic::registers;

/// Register 0x004 and 0x005 of a NIC. Times in cycles.
struct NicTimes {
  std::uint32_t timeout = 0;  ///< T, 0: timers are off
  std::uint32_t retries = 0;  ///< R
  std::uint32_t gap = 0;      ///< between two NACKs
  std::uint32_t quiet = 0;    ///< before a context is free

  std::uint32_t limit(std::uint32_t tries) const { return timeout << (tries < 6 ? tries : 6); }
};

/// Timers that are visited in turn, one in each cycle in which one runs.
class NicRound {
 public:
  explicit NicRound(std::size_t timers)
      : places_(std::bit_ceil(std::max(static_cast<std::uint32_t>(timers), 2u))) {}
  /// Cycles from one visit to the next if timer i is visited, else 0.
  std::uint32_t visit(std::size_t i) const { return i == place_ ? places_ : 0; }
  void move() { place_ = (place_ + 1) % places_; }

 private:
  std::uint32_t places_, place_ = 0;
};

enum class NicPhase : std::uint8_t { kIdle, kRunning, kFailed, kDraining };
enum class NicNotice : std::uint8_t { kNone, kDone, kDead, kReleased };
enum class NicDrop : std::uint8_t { kNone, kUnknown, kStale, kLimited };

/// An entry of a step list: a send to a peer, or a wait for it.
struct NicEntry {
  bool send = false, last = false;
  std::uint8_t next = 0;   ///< the entry after it
  std::uint8_t slot = 0;   ///< the peer's entry that belongs to it
  std::uint16_t peer = 0;  ///< node
};

/// What a message means to a context, on the state at the beginning of its cycle.
struct NicVerdict {
  NicDrop drop = NicDrop::kNone;
  std::optional<nic::NicType> reply = std::nullopt;  ///< kStep or kNotYet
  std::uint8_t slot = 0;                             ///< of the reply
  std::uint32_t receive = 0, early = 0;              ///< bits to set
  bool calm = false;                                 ///< the awaited peer is alive
};

/// A group at a NIC: its step list, where the walk stands, what has come and gone
/// (docs/systems/nic-engine.md). What it asks and how it judges is a function of its state; clock()
/// is the edge.
class NicContext {
  using NicType = nic::NicType;

 public:
  explicit NicContext(const nic::NicConfig& config)
      : steps_(config.steps), mask_((1u << config.seq_w) - 1), names_((1u << config.addr_w) - 1) {}

  enum class Ask : std::uint8_t { kNothing, kStep, kNack, kToken };
  /// What it asks for in this cycle; a NACK without regard to the gap counter.
  Ask asks(const NicTimes& times) const {
    if (!valid_ || phase_ != NicPhase::kRunning) return Ask::kNothing;
    if (here().send) return direct_ ? Ask::kToken : Ask::kStep;
    return late_ && !spent_ && awaits(stands(), times) ? Ask::kNack : Ask::kNothing;
  }
  /// It is to be served, though no message is for it; `open`: a NACK may be sent.
  bool has_work(const NicTimes& times, bool open) const {
    if (!valid_) return false;
    if (phase_ == NicPhase::kDraining) return late_;
    if (phase_ != NicPhase::kRunning) return false;
    return !rests_ || (late_ && times.timeout != 0 && (open || spent_));
  }
  /// The entry where the walk stands.
  const NicEntry& here() const { return entries_[pc_]; }
  NicVerdict judge(const nic::NicMessage& m) const {
    const bool nack = m.type == NicType::kNack;
    if (m.slot >= steps_ || entries_[m.slot].peer != m.source || entries_[m.slot].send != nack)
      return {.drop = NicDrop::kUnknown};
    const std::uint32_t ahead = (m.barrier - seq_) & mask_;
    const std::uint32_t bit = 1u << m.slot;
    if (nack) {
      const bool now = ahead == 0 && has(sent_, m.slot);
      const std::uint8_t slot = entries_[m.slot].slot;
      if (now || (ahead == mask_ && past_)) return {.reply = NicType::kStep, .slot = slot};
      if (ahead <= 1) return {.reply = NicType::kNotYet, .slot = slot};
    } else if (m.type == NicType::kNotYet) {
      if (phase_ == NicPhase::kRunning && ahead == 0 && m.slot == pc_) return {.calm = true};
    } else if (phase_ != NicPhase::kDraining) {
      if (ahead == 0 && !has(received_, m.slot)) return {.receive = bit};
      if (ahead == 1 && !has(early_, m.slot)) return {.early = bit};
    }
    return {.drop = NicDrop::kStale};
  }
  /// Its timer runs.
  bool runs(const NicTimes& times) const {
    return valid_ && !late_ &&
           (phase_ == NicPhase::kDraining || (rests_ && awaits(stands(), times)));
  }
  /// What goes on whether it is served or not. `loaded`: its notice is gone; `visit`: what is added
  /// to its timer, 0 if that is not visited. Before serve() of the same cycle.
  void tick(const NicTimes& times, bool loaded, std::uint32_t visit) {
    if (loaded) notice_ = NicNotice::kNone;
    due_ = false;
    if (visit == 0 || !runs(times)) return;
    due_ = timer_ >= (phase_ == NicPhase::kDraining ? times.quiet : times.limit(tries_));
    if (!due_) timer_ += visit;
  }
  /// It is served. `granted`: what it asked for; `verdict`: of a message for it.
  void serve(const NicTimes& times, bool granted, const NicVerdict& verdict) {
    if (!valid_) return;
    const bool waiting = stands();
    received_ |= verdict.receive;
    early_ |= verdict.early;
    rests_ = waiting && !has(received_, pc_);
    if (phase_ == NicPhase::kDraining && late_) {
      valid_ = false;
      phase_ = NicPhase::kIdle;
      notice_ = NicNotice::kReleased;
    } else if (phase_ == NicPhase::kRunning && !waiting && (!here().send || granted)) {
      done();
    } else if (waiting && verdict.calm) {
      restart();
    } else if (late_ && spent_ && awaits(waiting, times)) {
      phase_ = NicPhase::kFailed;
      notice_ = NicNotice::kDead;
    } else if (granted) {
      late_ = false;
    }
  }
  /// The last of a cycle.
  void settle(const NicTimes& times) {
    if (!due_) return;
    due_ = false;
    late_ = true;
    spent_ = tries_ >= times.retries;
    timer_ = 0;
    ++tries_;
  }

  void write_entry(std::uint32_t slot, std::uint32_t word) {
    entries_[slot] = {
        (word >> 31 & 1) != 0, (word >> 30 & 1) != 0, static_cast<std::uint8_t>(word >> 24 & 31),
        static_cast<std::uint8_t>(word >> 16 & 31), static_cast<std::uint16_t>(word & names_)};
  }
  void write_control(std::uint32_t word) {
    valid_ = word >> 31 & 1;
    direct_ = word >> 30 & 1;
    group_ = static_cast<std::uint8_t>(word >> 8);
    seq_ = word & mask_;
    past_ = false;
    pc_ = 0;
    received_ = early_ = sent_ = 0;
    restart();
    phase_ = NicPhase::kIdle;
    notice_ = NicNotice::kNone;
  }
  /// True if it would be accepted in this state.
  bool accepts(std::uint32_t doorbell) const {
    if (!valid_ || notice_ != NicNotice::kNone) return false;
    if (doorbell & nic_regs::kContextsDoorbellReleases.mask()) return phase_ != NicPhase::kDraining;
    return (doorbell & nic_regs::kContextsDoorbellStarts.mask()) != 0 &&
           (phase_ == NicPhase::kIdle || phase_ == NicPhase::kFailed);
  }
  /// REQUIRES: it was accepted by the state at the beginning of the cycle.
  void ring(std::uint32_t doorbell) {
    restart();
    if (doorbell & nic_regs::kContextsDoorbellReleases.mask()) {
      phase_ = NicPhase::kDraining;
      return;
    }
    phase_ = NicPhase::kRunning;
    rests_ = false;
  }

  bool valid() const { return valid_; }
  bool direct() const { return direct_; }
  std::uint8_t group() const { return group_; }
  std::uint8_t sequence() const { return static_cast<std::uint8_t>(seq_); }
  NicPhase phase() const { return phase_; }
  NicNotice notice() const { return notice_; }
  std::uint32_t received() const { return received_; }
  std::uint32_t early() const { return early_; }
  std::uint32_t sent() const { return sent_; }
  std::uint32_t event_word(std::uint32_t number) const {
    const std::uint32_t context = number << 16;
    if (notice_ == NicNotice::kDone)
      return nic_regs::event_word(nic_regs::Event::kDone, context | ((seq_ - 1) & mask_));
    if (notice_ == NicNotice::kDead)
      return nic_regs::event_word(nic_regs::Event::kDead,
                                  std::uint32_t{pc_} << 24 | context | here().peer);
    return nic_regs::event_word(nic_regs::Event::kReleased, context);
  }
  std::uint32_t control() const {
    return std::uint32_t{valid_} << 31 | std::uint32_t{direct_} << 30 |
           static_cast<std::uint32_t>(phase_) << 28 | std::uint32_t{past_} << 27 |
           static_cast<std::uint32_t>(notice_) << 24 | std::uint32_t{pc_} << 16 |
           std::uint32_t{group_} << 8 | seq_;
  }
  /// Clocking it changes nothing while no message comes.
  bool quiet(const NicTimes& times) const {
    if (notice_ != NicNotice::kNone) return false;
    if (!valid_ || phase_ == NicPhase::kIdle || phase_ == NicPhase::kFailed) return true;
    return phase_ == NicPhase::kRunning && rests_ && (direct_ || times.timeout == 0);
  }
  std::string describe() const {
    static constexpr const char* kPhases[] = {"idle", "running", "failed", "draining"};
    return fmt::format(
        "group {} {} at barrier {}, entry {} ({} n{}), received {:#x}, early {:#x}, "
        "sent {:#x}, timer {}, tries {}",
        group_, kPhases[static_cast<int>(phase_)], seq_, pc_, here().send ? "send to" : "wait for",
        here().peer, received_, early_, sent_, timer_, tries_);
  }

 private:
  bool has(std::uint32_t bits, std::uint32_t slot) const { return bits >> slot & 1; }
  bool stands() const {
    return phase_ == NicPhase::kRunning && !here().send && !has(received_, pc_);
  }
  /// It stands at an entry whose peer would be asked.
  bool awaits(bool stands, const NicTimes& times) const {
    return stands && !direct_ && times.timeout != 0;
  }
  void restart() {
    timer_ = tries_ = 0;
    late_ = due_ = false;
  }
  void done() {
    const NicEntry entry = here();
    if (entry.send) sent_ |= 1u << pc_;
    restart();
    pc_ = entry.last ? std::uint8_t{0} : entry.next;
    if (!entry.last) return;
    received_ = early_;
    early_ = sent_ = 0;
    seq_ = (seq_ + 1) & mask_;
    past_ = true;
    phase_ = NicPhase::kIdle;
    notice_ = NicNotice::kDone;
  }

  std::uint32_t steps_, mask_, names_;
  std::array<NicEntry, 32> entries_{};
  bool valid_ = false, direct_ = false, past_ = false;
  bool rests_ = false;  ///< when last served it stood, and nothing has come since
  bool due_ = false;    ///< its timer is over in this cycle
  bool late_ = false;   ///< its timer is over, `spent_`: after the last try
  bool spent_ = false;
  std::uint8_t group_ = 0, pc_ = 0, tries_ = 0;
  std::uint32_t seq_ = 0, received_ = 0, early_ = 0, sent_ = 0, timer_ = 0;
  NicPhase phase_ = NicPhase::kIdle;
  NicNotice notice_ = NicNotice::kNone;
};

}  // namespace muster::golden
