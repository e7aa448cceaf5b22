// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace muster::topology {

std::optional<std::string> mesh_fault(const Graph& graph) {
  if (!graph.mesh) return "there is no mesh";
  const std::uint64_t width = graph.mesh->width, height = graph.mesh->height;
  if (width == 0 || height == 0 || width * height != graph.switches())
    return fmt::format("a mesh of {} x {} has {} switches, not {}", width, height, width * height,
                       graph.switches());
  std::set<std::pair<SwitchId, SwitchId>> joined;
  for (const Link& link : graph.links()) {
    const auto [low, high] = std::minmax(link.a.sw, link.b.sw);
    const bool right = high == low + 1 && high % width != 0;
    if (!right && high != low + width)
      return fmt::format(
          "switches {} and {} are linked and are not neighbours in a mesh of {} x {}", low, high,
          width, height);
    joined.emplace(low, high);
  }
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const auto missing = [&](SwitchId other) {
      return fmt::format("switches {} and {} are neighbours in a mesh of {} x {} and have no link",
                         s, other, width, height);
    };
    if ((s + 1) % width != 0 && !joined.contains({s, s + 1})) return missing(s + 1);
    const SwitchId below = s + static_cast<SwitchId>(width);
    if (below < graph.switches() && !joined.contains({s, below})) return missing(below);
  }
  return std::nullopt;
}

}  // namespace muster::topology
