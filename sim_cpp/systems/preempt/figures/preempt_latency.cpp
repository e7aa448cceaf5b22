// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_latency.hpp"

#include <cmath>

namespace muster::preempt {
namespace {

/// What a hop waits for data on average.
double wait(PreemptScheme scheme, const PreemptModel& model) {
  const double all_occupied = std::pow(model.occupied, model.ports);
  switch (scheme) {
    case PreemptScheme::kSwitch1:
      return all_occupied * model.preempting_cycles;
    case PreemptScheme::kSwitch2:
      return model.occupied * model.preempting_cycles;
    case PreemptScheme::kSwitch3:
      return all_occupied * ((1 - model.blocked) * model.preempting_cycles +
                             model.blocked * model.congestion_cycles);
    case PreemptScheme::kTree:
      break;
  }
  return model.occupied * model.congestion_cycles;
}

}  // namespace

double preempt_latency(PreemptScheme scheme, const PreemptModel& model) {
  const double hops = 2.0 * (model.levels - 1);
  return model.startup_cycles + hops * model.hop_cycles +
         hops * (model.hop_cycles + wait(scheme, model));
}

}  // namespace muster::preempt
