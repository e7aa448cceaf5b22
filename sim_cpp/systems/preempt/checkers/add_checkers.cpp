// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/add_checkers.hpp"

#include <memory>
#include <vector>

#include "systems/preempt/checkers/bsr_bound.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"

namespace muster::preempt {

void add_checkers(checkers::CheckerList& list, const core::Parts& groups) {
  using checkers::Concern;
  const auto trees = groups.get<std::vector<checkers::BsrGroup>>();
  const bool applies = list.subject().pads;
  list.add(std::make_unique<checkers::BsrMessages>(list.subject(), trees),
           Concern::kBarrierMessages, applies);
  list.add(std::make_unique<checkers::BsrBound>(list.subject(), trees, list.bounds().hop),
           Concern::kBarrierMessages, applies);
}

}  // namespace muster::preempt
