// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/generated.hpp"

#include <algorithm>

#include "systems/esc/scheme/background.hpp"

namespace muster::esc {

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
