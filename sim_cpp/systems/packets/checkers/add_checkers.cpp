// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/add_checkers.hpp"

#include <memory>
#include <vector>

#include "systems/packets/checkers/packet_barriers.hpp"
#include "systems/packets/checkers/packet_trees.hpp"
#include "systems/packets/checkers/unit_trees.hpp"
#include "systems/packets/checkers/worms.hpp"

namespace muster::packets {

void add_checkers(checkers::CheckerList& list, const core::Parts& groups) {
  using checkers::Concern;
  const auto trees = groups.get<std::vector<checkers::PacketTree>>();
  // Before the checker of barriers, which relies on whole worms.
  list.add(std::make_unique<checkers::Worms>(list.subject(), list.bounds().packet),
           Concern::kOtherPackets);
  list.add(std::make_unique<checkers::PacketBarriers>(
               list.subject(), groups.get<std::vector<checkers::PacketGroup>>()),
           Concern::kBarrierPackets, trees.empty());
  if (list.subject().units)
    list.add(
        std::make_unique<checkers::UnitTrees>(
            list.subject(), groups.get<std::vector<checkers::UnitGroup>>(), list.bounds().packet),
        Concern::kBarrierPackets);
  list.add(std::make_unique<checkers::PacketTrees>(list.subject(), trees), Concern::kBarrierPackets,
           !trees.empty());
}

}  // namespace muster::packets
