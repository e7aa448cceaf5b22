// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/step_scheme.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "muster/topology/names.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"

namespace muster::nic {

StepScheme::StepScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : plan_(plan),
      listener_(parts.members),
      traffic_(plan.groups().size(), parts.spec.barriers, parts.network.layout().channels().size(),
               parts.network.layout().into_switch(0), parts.config.vcs),
      known_(plan.groups().size(), 0) {
  for (const NicPlannedGroup& group : plan.groups()) barriers_.emplace_back(group.members.size());
}

void StepScheme::check_with(checkers::CheckerList& checkers) {
  checker_ = checkers.find<checkers::NicBarriers>();
}

bool StepScheme::arrived(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  if (checker_ != nullptr) checker_->arrived(cycle, g, m);
  if (!list(g, m).empty()) return false;
  release(cycle, g, m);
  return true;
}

void StepScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  // The first to be released is the first to know that all have arrived.
  if (++barriers_[group][member] > known_[group]) {
    ++known_[group];
    listener_.completed(cycle, group);
  }
  if (checker_ != nullptr) checker_->released(cycle, group, member);
  listener_.released(cycle, group, member);
}

std::string StepScheme::explain(const run::Members& members, std::uint32_t g) const {
  const NicPlannedGroup& group = plan_.groups()[g];
  const std::uint32_t barrier = members.current(g);
  std::vector<std::string> missing;
  for (const std::uint32_t m : members.missing(g, barrier))
    missing.push_back(topology::node_number_text(*plan_.run().graph, group.members[m]));
  std::string text = fmt::format("group '{}' makes no progress at barrier {} since cycle {}",
                                 group.name, barrier, members.last_event(g));
  if (!missing.empty())
    text += fmt::format("; members that have not arrived: {}", fmt::join(missing, ", "));
  constexpr std::uint32_t kShown = 4;
  std::uint32_t shown = 0;
  for (std::uint32_t m = 0; m < group.members.size() && shown < kShown; ++m) {
    if (members.released_from(g, m) > barrier) continue;
    text += "\n  " + describe(g, m);
    ++shown;
  }
  return text;
}

NicCost StepScheme::cost() const {
  NicCost cost;
  cost.steps = traffic_.sent(NicType::kStep);
  cost.nacks = traffic_.sent(NicType::kNack);
  cost.not_yets = traffic_.sent(NicType::kNotYet);
  cost.acks = traffic_.sent(NicType::kAck);
  cost.data = traffic_.sent(NicType::kData);
  for (const NicPlannedGroup& group : plan_.groups())
    cost.messages_planned += nic::messages(group.lists);
  return cost;
}

}  // namespace muster::nic
