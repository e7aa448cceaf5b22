// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/broadcast_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/systems/nic.hpp"
#include "systems/nic/scheme/broadcast_scheme.hpp"
#include "systems/nic/scheme/nic_plan.hpp"

namespace muster::nic {

BroadcastPlan::BroadcastPlan(const run::ResolvedRun& run) : btin::BtinPlan(run), run_(run.spec) {
  if (run_.parts.find<NicSpec>() != nullptr)
    throw InputError(
        fmt::format("scheme '{}' has no step lists: its NICs have no options", kBroadcastScheme));
}

run::PlanTimes BroadcastPlan::times(const fabric::SwitchConfig& config) const {
  run::PlanTimes times = btin::BtinPlan::times(config);
  const run::Profile& p = run_.profile;
  times.silence = p.bus + p.host + kStepPasses * std::max(p.interface_pass, p.interface_launch);
  return times;
}

std::unique_ptr<run::Scheme> BroadcastPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<BroadcastScheme>(groups(), parts);
}

}  // namespace muster::nic
