// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/sources.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muster::esc {
namespace {

/// Standard normal, by Box and Muller.
double normal(Rng& rng) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - rng.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * rng.uniform());
}

}  // namespace

SessionPlan plan_session(const Spec& spec, std::uint32_t session) {
  SessionPlan plan;
  Rng rng(spec.seed, session);
  plan.seed = rng.next();
  plan.box_seed = static_cast<std::uint16_t>(rng.next());
  for (std::uint32_t g = 0; g < spec.hot_spots; ++g) {
    const std::uint64_t drawn = rng.below(spec.pes / spec.hot_spots);
    plan.hot.push_back(spec.hot ? *spec.hot
                                : static_cast<std::uint32_t>(drawn * spec.hot_spots + g));
  }
  plan.time.resize(spec.pes);
  plan.first = kNever;
  for (std::uint32_t pe = 0; pe < spec.pes; ++pe) {
    const double time = spec.mean + spec.sigma * normal(rng);
    plan.time[pe] = plan.hot_of(pe) == pe
                        ? kNever
                        : static_cast<std::uint64_t>(std::llround(std::max(0.0, time)));
    plan.first = std::min(plan.first, plan.time[pe]);
  }
  return plan;
}

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

Generated count_generated(const Spec& spec, std::span<const std::uint64_t> lengths) {
  Generated all;
  Background background(Cube(spec.pes, spec.box.size), spec);
  for (std::uint32_t session = 0; session < lengths.size(); ++session) {
    const std::uint64_t length = lengths[session];
    const SessionPlan plan = plan_session(spec, session);
    background.start(plan.seed);
    all.synchronization.resize(std::max<std::size_t>(all.synchronization.size(), length + 1));
    all.hot_background.resize(all.synchronization.size());
    for (std::uint32_t pe = 0; pe < spec.pes; ++pe) {
      if (plan.time[pe] != kNever) ++all.synchronization[plan.time[pe] - plan.first];
      for (std::uint64_t t = 0; t <= length; ++t) {
        const std::uint32_t destination = background.at(pe, plan.first + t);
        all.hot_background[t] +=
            destination != Background::kNone && plan.hot_of(destination) == destination;
      }
    }
  }
  return all;
}

}  // namespace muster::esc
