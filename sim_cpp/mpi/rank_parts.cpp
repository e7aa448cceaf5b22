// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "muster/topology/load_file.hpp"
#include "topology/divide.hpp"

/// `rank_parts NETWORK PARTS` prints the part of each switch, a line each, of equal parts as ranks
/// are given them (topology::divide); for scripts/ranks.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const muster::topology::Graph graph = muster::topology::read_topology(argv[1]);
  const auto parts = static_cast<std::uint32_t>(std::atoi(argv[2]));
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t p = 0; p < parts; ++p)
    sizes.push_back(graph.switches() * (p + 1) / parts - graph.switches() * p / parts);
  for (const std::uint32_t part : muster::topology::divide(graph, sizes)) fmt::print("{}\n", part);
}
