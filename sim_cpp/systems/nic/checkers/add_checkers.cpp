// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/checkers/add_checkers.hpp"

#include <memory>
#include <vector>

#include "systems/nic/checkers/nic_barriers.hpp"

namespace muster::nic {

void add_checkers(checkers::CheckerList& list, const core::Parts& groups) {
  list.add(std::make_unique<checkers::NicBarriers>(list.subject(),
                                                   groups.get<std::vector<checkers::NicGroup>>()),
           checkers::Concern::kBarrierPackets);
}

}  // namespace muster::nic
