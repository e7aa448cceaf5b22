// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"
#include "support/test.hpp"
#include "systems/preempt/bsr_message.hpp"

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

  PreemptContent(const fabric::SwitchConfig& config, double here, Random& rng)
      : flit_w_(config.flit_w),
        dests_(config.dests),
        step_(config.dests < 2048 ? 13 : 509),
        here_(here),
        rng_(rng) {}

  core::Flit flit(std::uint32_t vc, std::uint8_t kind) {
    core::Flit flit;
    const auto bits = fabric::Formats::low_bits(rng_.payload(), flit_w_);
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
    return {.type = static_cast<preempt::BsrType>(rng_.below(3)),
            .gid = rng_.below(16) == 0 ? rng_.below(256) : kGroupIds[rng_.below(kGroups)],
            .destination = rng_.chance(here_) ? kHere : any_switch(),
            .source = any_switch(),
            .bnt = static_cast<preempt::Bnt>(rng_.below(10) == 0 ? 3 : rng_.below(3)),
            .refused = rng_.below(16) == 0,
            .new_node = any_switch()};
  }

 private:
  /// One of the few, whose addresses differ in every bit, or of all.
  std::uint32_t any_switch() {
    return rng_.below(8) == 0 ? rng_.below(2048) : 10 + step_ * rng_.below(kSwitches);
  }

  std::uint32_t flit_w_, dests_, step_;
  double here_;
  Random& rng_;
};

/// Sends into one port of a preempting switch at random, by the rules of the link
/// (docs/systems/preempting-switches.md, The link): packets in each channel, and barrier messages
/// in a channel that is free or that it has cut. With faults flits of messages get lost, and flits
/// come that do not belong there.
class PreemptSender {
 public:
  PreemptSender(const fabric::SwitchConfig& config, const PreemptMix& mix, Random& rng)
      : config_(config),
        mix_(mix),
        rng_(rng),
        content_(config, mix.here, rng),
        room_(fabric::barrier_buffers(config)) {
    for (Channel& c : channels_) c.credits = config.depth;
  }

  /// Credits come back, as in a nibble of BlockWires::rx_back.
  void credit(std::uint64_t nibble) {
    for (std::uint32_t v = 0; v < config_.vcs; ++v) channels_[v].credits += nibble >> v & 1;
    if (nibble >> config_.vcs & 1) room_ = std::min(room_ + 1, fabric::barrier_buffers(config_));
  }
  /// The flit of this cycle, if any; without `more` only what has begun is ended.
  std::optional<core::Flit> next(bool more) {
    if (more)
      begin();
    else
      finish();
    std::optional<core::Flit> flit = of_message(more);
    if (!flit && more && rng_.chance(mix_.faults)) flit = stray();
    if (!flit && message_.empty()) flit = of_link(more);
    if (!flit && (!more || rng_.chance(mix_.send))) flit = of_packet();
    return flit;
  }
  bool quiet() const {
    for (std::uint32_t v = 0; v < config_.vcs; ++v)
      if (!channels_[v].flits.empty() || channels_[v].credits != config_.depth) return false;
    // Of several buffers a lost flit may cost one.
    const std::uint32_t most = fabric::barrier_buffers(config_);
    return message_.empty() && (room_ == most || (most > 1 && mix_.faults > 0));
  }

 private:
  struct Channel {
    std::deque<core::Flit> flits;  ///< of packets that have begun
    std::uint32_t credits = 0;
    bool open = false;  ///< within a packet, as the switch sees it
  };
  bool queued() const {  // sync flits take data credits
    return config_.kind->sync_credits == fabric::SyncCredits::kBoth;
  }
  static bool is_data(const core::Flit& flit) {
    return !flit.sync() || flit.kind == core::Flit::kPad;
  }
  std::uint32_t any_channel() { return rng_.below(config_.vcs); }
  /// Channels in which a message, request or end may go that takes `credits`.
  std::uint32_t able(std::uint32_t credits) const {
    std::uint32_t mask = 0;
    for (std::uint32_t v = 0; v < config_.vcs; ++v)
      if (config_.kind->cuttable >> v & 1)
        mask |= std::uint32_t{!queued() || channels_[v].credits >= credits} << v;
    return mask;
  }
  std::uint8_t any_of(std::uint32_t mask) {
    for (std::uint64_t skip = rng_.below(std::popcount(mask)); skip > 0; --skip) mask &= mask - 1;
    return static_cast<std::uint8_t>(std::countr_zero(mask));
  }
  std::optional<core::Flit> sent(const core::Flit& flit) {
    Channel& c = channels_[flit.vc];
    c.credits -= queued() || is_data(flit);
    const bool head = flit.head() && !flit.sync();
    if (is_data(flit)) c.open = !flit.tail() && c.open != head;  // else it is headless
    return flit;
  }

  /// Packets and messages that wait.
  void begin() {
    if (waiting_ < 4 && rng_.chance(mix_.messages)) ++waiting_;
    for (std::uint32_t v = 0; v < config_.vcs; ++v) {
      std::deque<core::Flit>& flits = channels_[v].flits;
      if (flits.size() > 20) continue;
      if (rng_.chance(mix_.data))
        for (const core::Flit& flit : content_.packet(v)) flits.push_back(flit);
      if (rng_.chance(mix_.faults)) flits.push_back(content_.data(v));
    }
  }
  /// The packets that are under way get their tails, and nothing else waits.
  void finish() {
    waiting_ = 0;
    for (std::uint32_t v = 0; v < config_.vcs; ++v)
      if (channels_[v].flits.empty() && channels_[v].open)
        channels_[v].flits.push_back(content_.flit(v, core::Flit::kTail));
  }

  /// The next flit of the message that is under way, at most one cycle after the one before.
  std::optional<core::Flit> of_message(bool more) {
    if (message_.empty()) return {};
    if (more && !paused_ && rng_.uniform() >= mix_.send) {
      paused_ = true;
      return {};
    }
    paused_ = false;
    const core::Flit flit = message_.front();
    message_.pop_front();
    const bool lost = lost_ & 1;
    lost_ >>= 1;
    return lost ? std::nullopt : sent(flit);
  }
  /// Begins a message, or sends a padding request or end.
  std::optional<core::Flit> of_link(bool more) {
    const bool waits = waiting_ != 0 && room_ != 0, any = more && rng_.chance(mix_.controls);
    const std::uint32_t cut = cut_ ? 1u << *cut_ : 0;
    if ((cut & able(1)) && (any || (!waits && (!more || rng_.below(12) == 0)))) {
      cut_.reset();
      return sent(preempt::control_flit({true, any_of(cut)}));
    }
    std::uint32_t open = 0;
    for (std::uint32_t v = 0; v < config_.vcs; ++v) open |= std::uint32_t{channels_[v].open} << v;
    const std::uint32_t places = able(3) & (cut ? cut : ~open);
    if (waits && places != 0) {
      start_message(any_of(places));
      return of_message(false);
    }
    if (cut || !((waits && (able(1) & ~open) == 0) || any)) return {};
    const std::uint32_t candidates = able(1) & open;
    if (candidates == 0) return {};
    cut_ = any_of(candidates);
    return sent(preempt::control_flit({false, *cut_}));
  }
  /// Some of its flits may get lost, not all: then the credit would never come back.
  void start_message(std::uint8_t vc) {
    const preempt::BsrMessage m = content_.message();
    const preempt::BsrFormat format(fabric::formats(config_));
    const auto flits = bsr_flits(m, vc, format);
    message_.assign(flits.begin(), flits.begin() + bsr_length(m.type, format));
    --room_;
    --waiting_;
    const bool fault = rng_.uniform() < 10 * mix_.faults;
    lost_ = fault ? rng_.below((1u << message_.size()) - 1) : 0;
  }
  std::optional<core::Flit> stray() {
    const std::uint32_t v = any_channel();
    const bool taken = !message_.empty() && message_.front().vc == v;
    const std::uint32_t kept = taken ? static_cast<std::uint32_t>(message_.size()) : 0;
    if (queued() && channels_[v].credits <= kept) return {};
    return sent(content_.sync(v));
  }
  std::optional<core::Flit> of_packet() {
    const std::uint32_t v = any_channel();
    Channel& c = channels_[v];
    const bool taken = !message_.empty() && message_.front().vc == v;
    if (c.flits.empty() || c.credits == 0 || cut_ == v || taken) return {};
    const core::Flit flit = c.flits.front();
    c.flits.pop_front();
    return sent(flit);
  }

  const fabric::SwitchConfig& config_;
  PreemptMix mix_;
  Random& rng_;
  PreemptContent content_;
  std::array<Channel, 3> channels_;
  std::uint32_t room_;               // barrier buffers of the switch
  std::uint32_t waiting_ = 0;        // messages
  std::deque<core::Flit> message_;   // under way: what of it has not gone
  std::uint32_t lost_ = 0;           // which of these get lost, bit 0 the first
  bool paused_ = false;              // none of its flits has gone in the last cycle
  std::optional<std::uint8_t> cut_;  // channel
};

}  // namespace muster::testing
