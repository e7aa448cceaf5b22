// SPDX-License-Identifier: Apache-2.0
#include "support/link_block.hpp"

namespace muster::testing {

using core::Flit;

LinkBlock::LinkBlock(const fabric::LinkConfig& config, bool first, std::uint64_t seed)
    : config_(config),
      first_(first),
      groups_(config.slots > config.vcs * config.depth ? config.slots - config.vcs * config.depth
                                                       : 1),
      rng_(seed) {
  for (std::uint32_t v = 0; v < config.vcs; ++v) full_[v] = config.depth;
  if (config.pocket != 0) full_[config.vcs] = 1;
  begin();
}

void LinkBlock::begin() {
  credits_ = full_;
  used_ = {};
  open_ = {};
  turns_.clear();
  for (std::uint32_t g = 0; g < groups_; ++g)
    if ((g % 2 == 0) == first_) turns_.insert(g);
}

std::optional<LinkSend> LinkBlock::message(double flood) {
  LinkSend s;
  s.flit.kind = rng_.below(8) == 0 ? Flit::kFirst : Flit::kSync;
  s.flit.vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
  if (config_.lossy != 0) return s;
  const bool free = config_.pocket == 0 || credits_[config_.vcs] != 0;
  if (free && !turns_.empty()) {
    s.group = *turns_.begin();
    turns_.erase(turns_.begin());
    if (config_.pocket != 0) --credits_[config_.vcs];
    return s;
  }
  if (!chance(flood) || config_.pocket != 0) return std::nullopt;
  return s;
}

/// The buffer has a place for one more flit whose credit is not back, and for a message of each
/// group.
bool LinkBlock::buffered() const {
  std::uint32_t out = 0;
  for (std::uint32_t v = 0; v < config_.vcs; ++v) out += full_[v] - credits_[v];
  return out < config_.slots - groups_;
}

std::optional<LinkSend> LinkBlock::send(const LinkTraffic& traffic) {
  if (!chance(traffic.send)) return std::nullopt;
  std::optional<LinkSend> s;
  if (chance(traffic.sync)) {
    s = message(traffic.flood);
  } else {
    const auto vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
    if (credits_[vc] == 0 || (!buffered() && !chance(traffic.flood))) return std::nullopt;
    --credits_[vc];
    const bool head = !sending_[vc], tail = rng_.below(4) == 0;
    sending_[vc] = !tail;
    s = LinkSend{};
    s->flit.vc = vc;
    s->flit.kind = static_cast<std::uint8_t>((head ? Flit::kHead : 0u) | (tail ? Flit::kTail : 0u));
  }
  if (!s) return s;
  // A number that is never 0, and bits above it at random.
  const std::uint64_t mask = config_.flit_w == 64 ? ~0ull : (1ull << config_.flit_w) - 1;
  number_ = number_ % 0xffff + 1;
  s->flit.lo = (rng_.next() << 16 & mask) | number_;
  return s;
}

unsigned LinkBlock::give(const LinkTraffic& traffic) {
  unsigned classes = 0;
  for (std::uint32_t c = 0; c < config_.backs(); ++c) {
    if (used_[c] == 0 || !chance(traffic.credit)) continue;
    --used_[c];
    classes |= 1u << c;
  }
  return classes;
}

bool LinkBlock::credits(unsigned classes) {
  for (std::uint32_t c = 0; c < 4; ++c) {
    if ((classes >> c & 1) == 0) continue;
    if (credits_[c]++ == full_[c]) return false;
  }
  return true;
}

bool LinkBlock::receive(const Flit& flit, std::optional<std::uint32_t> group) {
  if (group) turns_.insert(*group);
  if (!flit.sync()) open_[flit.vc] = !flit.tail();
  const std::uint32_t c = class_of(flit);
  return c == kNoClass || used_[c]++ < full_[c];
}

}  // namespace muster::testing
