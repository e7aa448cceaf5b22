// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_end.hpp"

#include <fmt/format.h>

#include <bit>

#include "muster/core/bits.hpp"
#include "muster/fabric/barrier_message.hpp"

namespace muster::fabric {

namespace {

using Channels = BarrierSender::Channels;

/// A flit that takes a credit of its channel can go there.
bool has_credits(const BarrierLink& link, const Channels& channels, unsigned vc,
                 std::uint32_t flits) {
  return link.credits != SyncCredits::kBoth || channels.credits[vc] >= flits;
}

/// Of `set`, those with credits for so many flits.
std::uint32_t with_credits(const BarrierLink& link, const Channels& channels, std::uint32_t set,
                           std::uint32_t flits) {
  std::uint32_t able = 0;
  core::for_each_bit(set, [&](std::uint32_t vc) {
    if (has_credits(link, channels, vc, flits)) able |= 1u << vc;
  });
  return able;
}

void take_credits(const BarrierLink& link, const Channels& channels, const core::Flit& flit) {
  core::for_each_bit(credits_taken(link.credits, channels.vcs, flit),
                     [&](std::uint32_t kind) { --channels.credits[kind]; });
}

}  // namespace

std::optional<core::Flit> BarrierSender::send(const BarrierLink& link, const Channels& channels,
                                              const std::optional<Next>& next) {
  switch (stage_) {
    case Stage::kIdle:
      if (!next || channels.credits[channels.vcs] == 0) return std::nullopt;
      return begin(link, channels, *next);
    case Stage::kAsked:
      if (!has_credits(link, channels, channel_, kBarrierBufferFlits)) return std::nullopt;
      return message(link, channels, next.value());
    case Stage::kBegun:
      return message(link, channels, next.value());
    case Stage::kOver:
      if (!has_credits(link, channels, channel_, 1)) return std::nullopt;
      return control(link, channels, true);
  }
  return std::nullopt;
}

/// The first flit in a free channel, or the request for one that is not. It waits for credits of
/// free channels rather than cut another.
std::optional<core::Flit> BarrierSender::begin(const BarrierLink& link, const Channels& channels,
                                               const Next& next) {
  const std::uint32_t all = link.cuttable & ((1u << channels.vcs) - 1);
  const std::uint32_t usable = with_credits(link, channels, all, 1);
  if (const std::uint32_t free = usable & ~channels.under_way; free != 0) {
    const std::uint32_t ready = with_credits(link, channels, free, kBarrierBufferFlits);
    if (ready == 0) return std::nullopt;
    channel_ = static_cast<std::uint8_t>(std::countr_zero(ready));
    return message(link, channels, next);
  }
  if (usable == 0) return std::nullopt;
  channel_ = static_cast<std::uint8_t>(std::bit_width(usable) - 1);
  return control(link, channels, false);
}

core::Flit BarrierSender::message(const BarrierLink& link, const Channels& channels,
                                  const Next& next) {
  core::Flit flit = next.flit;
  flit.vc = channel_;
  take_credits(link, channels, flit);
  stage_ = !next.last ? Stage::kBegun : cut_ ? Stage::kOver : Stage::kIdle;
  return flit;
}

core::Flit BarrierSender::control(const BarrierLink& link, const Channels& channels, bool end) {
  const core::Flit flit = control_flit({end, channel_});
  take_credits(link, channels, flit);
  cut_ = !end;
  stage_ = end ? Stage::kIdle : Stage::kAsked;
  return flit;
}

std::string BarrierSender::describe() const {
  static constexpr const char* kStages[] = {"", "to begin", "in progress", "over"};
  if (idle()) return {};
  return fmt::format(", a barrier message {} on channel {}{}",
                     kStages[static_cast<unsigned>(stage_)], channel_,
                     cut_ ? ", which is cut" : "");
}

bool BarrierReceiver::add(const BarrierLink& link, const core::Flit& flit) {
  if (have_ == length_) have_ = length_ = 0;
  if (flit.kind == core::Flit::kFirst) {
    have_ = 0;
    length_ = link.message_flits(flit, link.formats);
  }
  if (have_ == length_) return false;  // of no message
  flits_[have_++] = flit;
  return have_ == length_;
}

std::string barrier_message_text(std::vector<core::Flit>& flits, const Formats& formats) {
  static constexpr const char* kTypes[] = {"reduction", "distribution", "spill place",
                                           "spill data"};
  const BarrierMessage m = formats.barrier_message(flits.back());
  flits.clear();
  return fmt::format("{} of group {}, data {:#x}{}", kTypes[static_cast<unsigned>(m.type)], m.gid,
                     m.data.lo, m.data.hi ? fmt::format(" (high {:#x})", m.data.hi) : "");
}

}  // namespace muster::fabric
