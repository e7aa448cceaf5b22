// SPDX-License-Identifier: Apache-2.0
#include "scheme/ring_plan.hpp"

#include <fmt/format.h>

#include <muster/core/error.hpp>
#include <muster/system.hpp>

#include "checkers/ring_checker.hpp"
#include "golden/ring_kind.hpp"
#include "scheme/ring_scheme.hpp"

namespace token_ring {

using namespace muster;

RingPlan::RingPlan(const run::RunSpec& spec) {
  if (spec.groups.size() != 1)
    throw InputError("scheme token-ring: it serves one group; give one --group");
  if (spec.load_flits > 0.0)
    throw InputError("scheme token-ring: it carries no data; leave --load out");
  ring_ = plan_ring(*spec.graph, spec.groups[0].members);
}

const fabric::SwitchKind& RingPlan::switch_kind() const { return kRingSwitch; }

void RingPlan::require_registers(fabric::Requirement& need, std::uint32_t) const { need.regs = 1; }

/// Every member's message and release, and the token twice around.
std::uint32_t RingPlan::hops(std::uint32_t) const {
  return static_cast<std::uint32_t>(2 * (ring_.members.size() + ring_.stops.size()));
}

std::unique_ptr<const run::CheckedGroups> RingPlan::checked() const {
  auto checked = std::make_unique<CheckedRing>();
  checked->ring = ring_;
  checked->own_messages = true;
  return checked;
}

std::string RingPlan::describe() const {
  return fmt::format("token        around {} switches, home is switch {}\n", ring_.stops.size(),
                     ring_.stops.front().sw);
}

std::unique_ptr<run::Scheme> RingPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<RingScheme>(ring_, parts);
}

}  // namespace token_ring
