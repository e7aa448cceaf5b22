// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "systems/btin/scheme/btin_plan.hpp"

namespace muster::nic {

inline constexpr const char* kBroadcastScheme = "nic-broadcast";

/// A barrier by hardware broadcast, as Quadrics' library has it (docs/systems/nic-broadcast.md).
/// Switches that broadcast what a root sends and combine what comes back are barrier switches, each
/// group with a tree of registers as any of `btin`.
class BroadcastPlan : public btin::BtinPlan {
 public:
  /// Throws InputError for the choices of NICs with step lists.
  explicit BroadcastPlan(const run::ResolvedRun& run);

  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  const run::RunSpec& spec_;
};

}  // namespace muster::nic
