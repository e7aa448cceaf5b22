// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/spill_cost.hpp"

namespace muster::btin {

std::vector<topology::SwitchId> spilled_switches(const run::RunResult& result, std::size_t group) {
  std::vector<topology::SwitchId> switches;
  for (const RegisterSlot& r : result.registers)
    if (r.spilled && r.group == group) switches.push_back(r.image.sw);
  return switches;
}

void add_spill_cost(run::RunResult& result, const SpillNodes& spill) {
  run::SpillCost cost;
  cost.handed_over = spill.handed_over();
  cost.answered = spill.answered();
  cost.dropped = spill.dropped();
  for (run::BarrierRecord& barrier : result.barriers) {
    barrier.spilled_switches =
        static_cast<std::uint32_t>(spilled_switches(result, barrier.group).size());
    const bool spilled = barrier.spilled_switches != 0;
    ++(spilled ? cost.spilled_barriers : cost.other_barriers);
    (spilled ? cost.spilled_latency_mean : cost.other_latency_mean) +=
        static_cast<double>(barrier.latency_cycles);
  }
  if (cost.spilled_barriers != 0)
    cost.spilled_latency_mean /= static_cast<double>(cost.spilled_barriers);
  if (cost.other_barriers != 0) cost.other_latency_mean /= static_cast<double>(cost.other_barriers);
  result.spill = cost;
}

}  // namespace muster::btin
