// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/run.hpp>
#include <vector>

namespace token_ring {

/// The way of the token.
struct Ring {
  struct Stop {
    muster::topology::SwitchId sw = 0;
    std::uint32_t previous = 0, next = 0;  ///< ports to the neighbours
    std::uint32_t members = 0;             ///< mask of ports
  };
  std::vector<Stop> stops;                        ///< the home first, in the token's order
  std::vector<muster::topology::NodeId> members;  ///< ascending
};

/// Around all switches of a network, the home at the switch of the lowest member. Throws InputError
/// if the network is no ring.
Ring plan_ring(const muster::topology::Graph& graph, std::vector<muster::topology::NodeId> members);

}  // namespace token_ring
