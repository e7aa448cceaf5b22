// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/add_checkers.hpp"

#include <memory>
#include <vector>

#include "muster/fabric/checkers/own_messages.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"
#include "systems/btin/checkers/retry_safety.hpp"
#include "systems/btin/checkers/spill_messages.hpp"

namespace muster::btin {

void add_checkers(checkers::CheckerList& list, const core::Parts& groups) {
  using checkers::Concern;
  const bool applies = groups.find<checkers::OwnMessages>() == nullptr;
  if (groups.find<checkers::RepeatedMessages>() != nullptr) {
    list.add(std::make_unique<checkers::RetrySafety>(list.subject(),
                                                     groups.get<std::vector<checkers::Group>>()),
             Concern::kBarrierMessages, applies);
    return;
  }
  const auto& ports = groups.get<checkers::SpillPorts>();
  auto& barriers = list.add(std::make_unique<checkers::BarrierSafety>(
                                list.subject(), groups.get<std::vector<checkers::Group>>(), ports),
                            Concern::kBarrierMessages, applies);
  list.watch(barriers);
  list.add(std::make_unique<checkers::SpillMessages>(list.subject(), ports),
           Concern::kBarrierMessages, applies);
}

}  // namespace muster::btin
