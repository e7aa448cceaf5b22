// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/topology/generate.hpp"

namespace muster::bench {

/// The irregular networks of the BTIN paper: 8 ports a switch, three quarters of them connected.
inline topology::Graph irregular(std::uint32_t switches, std::uint32_t nodes, std::uint64_t seed) {
  return topology::generate_irregular(
      {.switches = switches, .nodes = nodes, .ports = 8, .connectivity = 0.75, .seed = seed});
}

}  // namespace muster::bench
