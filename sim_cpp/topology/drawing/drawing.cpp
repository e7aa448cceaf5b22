// SPDX-License-Identifier: Apache-2.0
#include "topology/drawing/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace muster::topology {

namespace {

/// The direction with most room around a switch, and how much there is, in radians.
struct Room {
  double middle, width;
};

Room widest_room(const Graph& graph, const Drawing& drawing, SwitchId s) {
  std::vector<double> directions;
  for (const Peer& peer : graph.peers(s)) {
    if (peer.kind != Peer::Kind::kSwitch) continue;
    directions.push_back(std::atan2(drawing.switches[peer.id].y - drawing.switches[s].y,
                                    drawing.switches[peer.id].x - drawing.switches[s].x));
  }
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (directions.empty()) return {0.0, kTurn};
  std::sort(directions.begin(), directions.end());
  Room room{0.0, 0.0};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const double next = i + 1 < directions.size() ? directions[i + 1] : directions[0] + kTurn;
    if (next - directions[i] > room.width)
      room = {(next + directions[i]) / 2, next - directions[i]};
  }
  return room;
}

/// So that the nearest neighbour of a switch is about 1 away. A sample of switches will do.
void space_out(std::vector<Place>& places) {
  constexpr std::size_t kSample = 500;
  const std::size_t step = std::max<std::size_t>(1, places.size() / kSample);
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t s = 0; s < places.size(); s += step) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < places.size(); ++other) {
      if (other == s) continue;
      least =
          std::min(least, std::hypot(places[s].x - places[other].x, places[s].y - places[other].y));
    }
    if (!std::isfinite(least)) continue;
    sum += least;
    ++count;
  }
  if (sum <= 0.0) return;
  const double factor = static_cast<double>(count) / sum;
  for (Place& place : places) place = {place.x * factor, place.y * factor};
}

}  // namespace

void place_nodes(const Graph& graph, Drawing& drawing) {
  drawing.nodes.resize(graph.nodes());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::vector<NodeId> here;
    for (std::uint32_t p = 0; p < graph.ports(s); ++p)
      if (graph.peer(s, p).kind == Peer::Kind::kNode) here.push_back(graph.peer(s, p).id);
    if (here.empty()) continue;
    const Room room = widest_room(graph, drawing, s);
    // Side by side in the room there is, but not farther apart than the eye needs.
    const auto count = static_cast<double>(here.size());
    const double step = std::min(0.75, room.width * 0.85 / std::max(1.0, count));
    const double radius = std::clamp(0.17 / std::max(step, 0.05), 0.3, 0.42);
    for (std::size_t i = 0; i < here.size(); ++i) {
      const double angle = room.middle + step * (static_cast<double>(i) - (count - 1) / 2);
      drawing.nodes[here[i]] = {drawing.switches[s].x + radius * std::cos(angle),
                                drawing.switches[s].y + radius * std::sin(angle)};
    }
  }
}

Drawing draw(const Graph& graph) {
  std::optional<Drawing> drawing = regular_places(graph);
  if (!drawing) {
    drawing = graphviz_places(graph);
    if (!drawing) drawing = spring_places(graph);
    space_out(drawing->switches);
  }
  place_nodes(graph, *drawing);
  return std::move(*drawing);
}

}  // namespace muster::topology
