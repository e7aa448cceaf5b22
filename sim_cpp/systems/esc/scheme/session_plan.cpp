// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/session_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "muster/core/rng.hpp"

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

}  // namespace muster::esc
