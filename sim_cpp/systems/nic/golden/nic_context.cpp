// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/nic_context.hpp"

#include <fmt/format.h>

#include "systems/nic/blocks/nic_registers.hpp"

namespace muster::golden {

using nic::NicMessage;
using nic::NicType;

NicContext::Ask NicContext::asks(const NicTimes& times) const {
  if (!valid_ || phase_ != NicPhase::kRunning) return Ask::kNothing;
  if (here().send) return direct_ ? Ask::kToken : Ask::kStep;
  const bool late = stands() && !direct_ && times.timeout != 0 && timer_ >= times.limit(tries_);
  return late && tries_ < times.retries ? Ask::kNack : Ask::kNothing;
}

NicVerdict NicContext::judge(const NicMessage& m) const {
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

void NicContext::clock(const NicTimes& times, bool granted, const NicVerdict& verdict,
                       bool loaded) {
  if (loaded) notice_ = NicNotice::kNone;
  if (!valid_) return;
  const bool waiting = stands();
  const bool walks = phase_ == NicPhase::kRunning && !waiting && (!here().send || granted);
  received_ |= verdict.receive;
  early_ |= verdict.early;
  if (walks) {
    done();
  } else if (waiting && verdict.calm) {
    timer_ = tries_ = 0;
  } else if (waiting && !direct_ && times.timeout != 0) {
    count_time(times, granted);
  } else if (phase_ == NicPhase::kDraining) {
    if (timer_ < times.quiet) {
      ++timer_;
    } else {
      valid_ = false;
      phase_ = NicPhase::kIdle;
      notice_ = NicNotice::kReleased;
    }
  }
}

void NicContext::count_time(const NicTimes& times, bool granted) {
  if (timer_ < times.limit(tries_)) {
    ++timer_;
  } else if (tries_ >= times.retries) {
    phase_ = NicPhase::kFailed;
    notice_ = NicNotice::kDead;
  } else if (granted) {
    timer_ = 0;
    ++tries_;
  }
}

void NicContext::done() {
  const NicEntry entry = here();
  if (entry.send) sent_ |= 1u << pc_;
  timer_ = tries_ = 0;
  if (!entry.last) {
    pc_ = entry.next;
    return;
  }
  received_ = early_;
  early_ = sent_ = 0;
  seq_ = (seq_ + 1) & mask_;
  past_ = true;
  phase_ = NicPhase::kIdle;
  notice_ = NicNotice::kDone;
}

void NicContext::write_entry(std::uint32_t slot, std::uint32_t word) {
  entries_[slot] = {
      (word >> 31 & 1) != 0, (word >> 30 & 1) != 0, static_cast<std::uint8_t>(word >> 24 & 31),
      static_cast<std::uint8_t>(word >> 16 & 31), static_cast<std::uint16_t>(word & names_)};
}

void NicContext::write_control(std::uint32_t word) {
  valid_ = word >> 31 & 1;
  direct_ = word >> 30 & 1;
  group_ = static_cast<std::uint8_t>(word >> 8);
  seq_ = word & mask_;
  past_ = false;
  pc_ = tries_ = 0;
  received_ = early_ = sent_ = timer_ = 0;
  phase_ = NicPhase::kIdle;
  notice_ = NicNotice::kNone;
}

bool NicContext::accepts(std::uint32_t doorbell) const {
  if (!valid_ || notice_ != NicNotice::kNone) return false;
  if (doorbell & nic::registers::kContextsDoorbellReleases.mask())
    return phase_ != NicPhase::kDraining;
  return (doorbell & nic::registers::kContextsDoorbellStarts.mask()) != 0 &&
         (phase_ == NicPhase::kIdle || phase_ == NicPhase::kFailed);
}

void NicContext::ring(std::uint32_t doorbell) {
  timer_ = 0;
  if (doorbell & nic::registers::kContextsDoorbellReleases.mask()) {
    phase_ = NicPhase::kDraining;
    return;
  }
  tries_ = 0;
  if (phase_ == NicPhase::kIdle) pc_ = 0;
  phase_ = NicPhase::kRunning;
}

std::uint32_t NicContext::event_word(std::uint32_t number) const {
  const std::uint32_t context = number << 16;
  if (notice_ == NicNotice::kDone) return context | ((seq_ - 1) & mask_);
  if (notice_ == NicNotice::kDead)
    return 1u << 29 | std::uint32_t{pc_} << 24 | context | here().peer;
  return 2u << 29 | context;
}

std::uint32_t NicContext::control() const {
  return std::uint32_t{valid_} << 31 | std::uint32_t{direct_} << 30 |
         static_cast<std::uint32_t>(phase_) << 28 | std::uint32_t{past_} << 27 |
         static_cast<std::uint32_t>(notice_) << 24 | std::uint32_t{pc_} << 16 |
         std::uint32_t{group_} << 8 | seq_;
}

bool NicContext::quiet(const NicTimes& times) const {
  if (notice_ != NicNotice::kNone) return false;
  if (!valid_ || phase_ == NicPhase::kIdle || phase_ == NicPhase::kFailed) return true;
  return stands() && (direct_ || times.timeout == 0);
}

std::string NicContext::describe() const {
  static constexpr const char* kPhases[] = {"idle", "running", "failed", "draining"};
  return fmt::format(
      "group {} {} at barrier {}, entry {} ({} n{}), received {:#x}, early {:#x}, "
      "sent {:#x}, timer {}, tries {}",
      group_, kPhases[static_cast<int>(phase_)], seq_, pc_, here().send ? "send to" : "wait for",
      here().peer, received_, early_, sent_, timer_, tries_);
}

}  // namespace muster::golden
