// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "topology/drawing/drawing.hpp"

namespace muster::topology {

namespace {

/// Fruchterman and Reingold's placement, with 1 for the length of a link: links pull by d^2, any
/// two switches push by 1 / d, and the most that one may move shrinks from step to step.
void relax(const Graph& graph, std::vector<Place>& places) {
  constexpr int kSteps = 200;
  const auto count = places.size();
  std::vector<Place> force(count);
  const auto add = [&](std::size_t a, std::size_t b, double strength, double x, double y) {
    force[a].x += strength * x, force[a].y += strength * y;
    force[b].x -= strength * x, force[b].y -= strength * y;
  };
  for (int step = 0; step < kSteps; ++step) {
    std::fill(force.begin(), force.end(), Place{});
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b) {
        const double x = places[a].x - places[b].x, y = places[a].y - places[b].y;
        add(a, b, 1.0 / std::max(x * x + y * y, 1e-4), x, y);
      }
    for (const Link& link : graph.links()) {
      const double x = places[link.a.sw].x - places[link.b.sw].x;
      const double y = places[link.a.sw].y - places[link.b.sw].y;
      add(link.a.sw, link.b.sw, -std::hypot(x, y), x, y);
    }
    const double most = 0.1 * std::sqrt(static_cast<double>(count)) * (1.0 - step / double{kSteps});
    for (std::size_t s = 0; s < count; ++s) {
      const double length = std::hypot(force[s].x, force[s].y);
      const double share = length > most ? most / length : 1.0;
      places[s].x += share * force[s].x;
      places[s].y += share * force[s].y;
    }
  }
}

}  // namespace

Drawing spring_places(const Graph& graph) {
  Drawing drawing{"springs", {}, {}};
  // A sunflower: no two at one place, and no order that a step could keep.
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const double radius = std::sqrt(s + 0.5), angle = 2.399963229728653 * s;
    drawing.switches.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  relax(graph, drawing.switches);
  return drawing;
}

}  // namespace muster::topology
