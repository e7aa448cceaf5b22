// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/spill_cost.hpp"

#include <iterator>

namespace muster::btin {

std::vector<topology::SwitchId> Result::spilled_switches(std::size_t group) const {
  std::vector<topology::SwitchId> switches;
  for (const RegisterSlot& r : registers)
    if (r.spilled && r.group == group) switches.push_back(r.image.sw);
  return switches;
}

std::size_t Result::spilled_in(std::size_t group, std::uint64_t barrier) const {
  const auto after = spilled.upper_bound({group, barrier});
  if (after == spilled.begin()) return 0;
  const auto& [since, switches] = *std::prev(after);
  return since.first == group ? switches : 0;
}

SpillCost spill_cost(const run::RunResult& result, const Result& groups, const SpillNodes& spill) {
  SpillCost cost;
  cost.handed_over = spill.handed_over();
  cost.answered = spill.answered();
  cost.dropped = spill.dropped();
  for (const run::BarrierRecord& barrier : result.barriers) {
    const bool spilled = groups.spilled_in(barrier.group, barrier.number) != 0;
    ++(spilled ? cost.spilled_barriers : cost.other_barriers);
    (spilled ? cost.spilled_latency_mean : cost.other_latency_mean) +=
        static_cast<double>(barrier.latency_cycles);
  }
  if (cost.spilled_barriers != 0)
    cost.spilled_latency_mean /= static_cast<double>(cost.spilled_barriers);
  if (cost.other_barriers != 0) cost.other_latency_mean /= static_cast<double>(cost.other_barriers);
  return cost;
}

}  // namespace muster::btin
