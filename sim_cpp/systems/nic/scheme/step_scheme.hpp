// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/plan.hpp"
#include "systems/nic/scheme/nic_plan.hpp"
#include "systems/nic/scheme/nic_traffic.hpp"

namespace muster::checkers {
class NicBarriers;
}

namespace muster::nic {

/// What does not depend on whether NIC or host walks the step lists: the barrier of each member,
/// and who is told of it.
class StepScheme : public run::Scheme {
 public:
  StepScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void check_with(checkers::CheckerList& checkers) override;
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(const run::Members& members, std::uint32_t group) const override;

 protected:
  const NicPlan& plan() const { return plan_; }
  const std::vector<Step>& list(std::uint32_t group, std::uint32_t member) const {
    return plan_.groups()[group].lists[member];
  }
  /// That the member waits for or goes to next.
  std::uint32_t barrier(std::uint32_t group, std::uint32_t member) const {
    return barriers_[group][member];
  }
  /// True if the member is released at once: it waits for no other.
  bool arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  /// Packets of the run by type, messages planned.
  NicCost cost() const;

 private:
  /// What is known of the barrier at this node, for a member that is not released.
  virtual std::string describe(std::uint32_t group, std::uint32_t member) const = 0;

  const NicPlan& plan_;
  run::ReleaseListener& listener_;
  NicTraffic traffic_;
  checkers::NicBarriers* checker_ = nullptr;
  std::vector<std::vector<std::uint32_t>> barriers_;  ///< by group and member
  std::vector<std::uint32_t> known_;  ///< by group: barriers from which a member has been released
};

}  // namespace muster::nic
