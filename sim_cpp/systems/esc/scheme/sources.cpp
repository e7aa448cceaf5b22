// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/sources.hpp"

#include <algorithm>

namespace muster::esc {

Sources::Sources(const Background& background, std::uint32_t pes)
    : background_(background), heads_(pes), next_(pes), own_(pes), hot_(pes), sent_(pes) {}

void Sources::start(const SessionPlan& plan) {
  std::fill(heads_.begin(), heads_.end(), 0);
  std::fill(next_.begin(), next_.end(), 0);
  std::fill(sent_.begin(), sent_.end(), 0);
  own_ = plan.time;
  for (std::uint32_t pe = 0; pe < hot_.size(); ++pe) hot_[pe] = plan.hot_of(pe);
}

void Sources::release(std::uint32_t pe, std::uint64_t cycle, BoxPacket packet) {
  own_[pe] = cycle;
  sent_[pe] = packet;
}

void Sources::advance(std::uint64_t cycle) {
  for (std::uint32_t pe = 0; pe < heads_.size(); ++pe)
    if (heads_[pe] == 0) fill(pe, cycle);
}

void Sources::fill(std::uint32_t pe, std::uint64_t cycle) {
  std::uint64_t t = next_[pe];
  for (; t <= cycle; ++t) {
    if (own_[pe] == t) {  // before the background of the same cycle, which is read next time
      heads_[pe] =
          sent_[pe] != 0 ? sent_[pe] : make_packet(BoxKind::kSynchronization, t, pe, hot_[pe]);
      own_[pe] = kNever;
      break;
    }
    const std::uint32_t destination = background_.at(pe, t);
    if (destination != Background::kNone) {
      heads_[pe] = make_packet(BoxKind::kBackground, t, pe, destination);
      ++t;
      break;
    }
  }
  next_[pe] = t;
}

void Sources::take(std::span<const std::uint8_t> taken) {
  for (std::size_t pe = 0; pe < heads_.size(); ++pe) heads_[pe] &= BoxPacket{taken[pe]} - 1;
}

bool Sources::may_hold(std::uint64_t last) const {
  for (std::uint32_t pe = 0; pe < heads_.size(); ++pe) {
    if (next_[pe] <= last) return true;  // not read so far
    if (heads_[pe] == 0 || kind_of(heads_[pe]) == BoxKind::kRelease) continue;
    if (birth_of(heads_[pe]) <= last) return true;
  }
  return false;
}

}  // namespace muster::esc
