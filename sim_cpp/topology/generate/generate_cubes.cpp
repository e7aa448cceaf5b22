// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "topology/generate/regular_network.hpp"

namespace muster::topology {

Graph generate_torus(const std::vector<std::uint32_t>& sizes, std::uint32_t nodes_per_switch) {
  const std::string text =
      fmt::format("torus {}, nodes per switch {}", fmt::join(sizes, " x "), nodes_per_switch);
  std::uint64_t count = 1, ports = nodes_per_switch;
  for (const std::uint32_t size : sizes) {
    // The product of what is possible so far and a size of 32 bits does not overflow.
    count = count > kMaxSwitches ? count : count * size;
    ports += std::min(size - std::min(size, 1u), 2u);  // no link, one or two
  }
  if (sizes.empty()) throw InputError("torus: no dimension; give at least one size");
  check_size(text, count, std::min(count, std::uint64_t{kMaxSwitches}) * nodes_per_switch, ports);
  std::vector<Edge> edges;
  std::uint64_t stride = 1;  // between neighbours in a dimension
  for (const std::uint32_t size : sizes) {
    for (std::uint64_t s = 0; s < count; ++s) {
      const std::uint64_t at = s / stride % size;
      // In a ring of two the link back would be a second one between the same switches.
      if (at + 1 == size && size <= 2) continue;
      const std::uint64_t next = at + 1 < size ? s + stride : s - (size - 1) * stride;
      edges.push_back({static_cast<SwitchId>(s), static_cast<SwitchId>(next)});
    }
    stride *= size;
  }
  return regular_network(fmt::format("torus-{}", fmt::join(sizes, "x")), text, count, ports,
                         std::move(edges), nodes_on_all(count, nodes_per_switch));
}

Graph generate_hypercube(std::uint32_t dimension, std::uint32_t nodes_per_switch) {
  const std::string text =
      fmt::format("hypercube of dimension {}, nodes per switch {}", dimension, nodes_per_switch);
  const std::uint64_t count = std::uint64_t{1} << std::min(dimension, 31u);
  const std::uint64_t ports = std::uint64_t{dimension} + nodes_per_switch;
  check_size(text, count, count * nodes_per_switch, ports);
  std::vector<Edge> edges;
  for (SwitchId s = 0; s < count; ++s)
    for (std::uint32_t bit = 0; bit < dimension; ++bit)
      if ((s >> bit & 1) == 0) edges.push_back({s, s | 1u << bit});
  return regular_network(fmt::format("hypercube-{}", dimension), text, count, ports,
                         std::move(edges), nodes_on_all(count, nodes_per_switch));
}

}  // namespace muster::topology
