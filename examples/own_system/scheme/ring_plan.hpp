// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/system.hpp>

#include "ring.hpp"

namespace token_ring {

/// One group on a network that is a ring. Throws muster::InputError for anything else.
class RingPlan : public muster::run::SchemePlan {
 public:
  explicit RingPlan(const muster::run::RunSpec& spec);
  const muster::fabric::SwitchKind& switch_kind() const override;
  void require_registers(muster::fabric::Requirement& need, std::uint32_t) const override;
  std::uint32_t hops(std::uint32_t group) const override;
  std::unique_ptr<const muster::run::CheckedGroups> checked() const override;
  std::string describe() const override;
  std::unique_ptr<muster::run::Scheme> start(const muster::run::SchemeParts& parts) const override;

 private:
  Ring ring_;
};

}  // namespace token_ring
