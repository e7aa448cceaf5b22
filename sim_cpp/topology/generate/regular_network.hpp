// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/generate/assemble.hpp"

namespace muster::topology {

/// Refuses sizes of a regular network before anything is allocated; `what` names the request.
/// Throws InputError.
void check_size(const std::string& what, std::uint64_t switches, std::uint64_t nodes,
                std::uint64_t ports);

/// The network of such sizes. `ports` are those of every switch; 0 becomes 1.
Graph regular_network(std::string name, std::string generator, std::uint64_t switches,
                      std::uint64_t ports, std::vector<Edge> edges,
                      const std::vector<Attachment>& nodes);

/// So many nodes on each of the switches 0, 1, ..., in this order.
std::vector<Attachment> nodes_on_all(std::uint64_t switches, std::uint32_t nodes_per_switch);

}  // namespace muster::topology
