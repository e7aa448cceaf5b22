// SPDX-License-Identifier: Apache-2.0
#include "topology/drawing.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "muster/topology/routes.hpp"

namespace muster::topology {
namespace {

Place on_circle(std::uint32_t i, std::uint32_t count) {
  const double radius = std::max(1.0, static_cast<double>(count) / (2.0 * std::numbers::pi));
  const double angle = 2.0 * std::numbers::pi * i / count - std::numbers::pi / 2;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// The numbers of "torus 4 x 4 x 2, nodes ..." behind a word; none if it does not begin so.
std::vector<std::uint32_t> sizes_after(const std::string& text, std::string_view word) {
  std::vector<std::uint32_t> sizes;
  if (!std::string_view(text).starts_with(word)) return sizes;
  const char* at = text.data() + word.size();
  const char* const end = text.data() + text.size();
  for (std::uint32_t value = 0;;) {
    const auto [behind, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value == 0) return sizes;
    sizes.push_back(value);
    if (!std::string_view(behind, end).starts_with(" x ")) return sizes;
    at = behind + 3;
  }
}

/// Dimensions in turn to the right and down, each third and later one a block of those before.
std::optional<Drawing> torus(const Graph& graph) {
  const auto sizes = sizes_after(graph.generator, "torus ");
  std::uint64_t count = 1;
  for (const std::uint32_t size : sizes) count *= size;
  if (sizes.empty() || count != graph.switches()) return std::nullopt;
  Drawing drawing{"torus", {}, {}};
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    Place place;
    std::uint32_t rest = s;
    double right = 1.0, down = 1.0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      double& at = d % 2 == 0 ? place.x : place.y;
      double& beside = d % 2 == 0 ? place.y : place.x;
      double& step = d % 2 == 0 ? right : down;
      const std::uint32_t digit = rest % sizes[d];
      at += step * digit;
      // A ring is a bow, or the link around it would lie on all the others.
      const double share = digit / std::max(1.0, sizes[d] - 1.0);
      beside -= 0.48 * sizes[d] * share * (1.0 - share) * step;
      step *= sizes[d] + 0.6;
      rest /= sizes[d];
    }
    drawing.switches.push_back(place);
  }
  return drawing;
}

/// A cube of the three low bits, as it is usually drawn, and cubes of such cubes: two may lie into
/// each other, of more no switch would find room.
std::optional<Drawing> hypercube(const Graph& graph) {
  const std::uint32_t count = graph.switches();
  if (count < 4 || !std::has_single_bit(count)) return std::nullopt;
  const auto dimension = static_cast<std::uint32_t>(std::countr_zero(count));
  if (graph.links().size() != std::size_t{count} * dimension / 2) return std::nullopt;
  for (const Link& link : graph.links())
    if (std::popcount(link.a.sw ^ link.b.sw) != 1) return std::nullopt;
  constexpr std::uint32_t kFew = 5;
  Drawing drawing{"hypercube", {}, {}};
  for (SwitchId s = 0; s < count; ++s) {
    Place place;
    for (std::uint32_t bit = 0; bit < dimension; ++bit) {
      if ((s >> bit & 1) == 0) continue;
      constexpr Place kSteps[] = {{1.5, 0.1}, {-0.12, 1.5}, {0.62, -0.55}};
      const double far = std::pow(dimension <= kFew ? 2.2 : 4.1, bit / 3);
      place.x += far * kSteps[bit % 3].x;
      place.y += far * kSteps[bit % 3].y;
    }
    drawing.switches.push_back(place);
  }
  return drawing;
}

/// A row a level, the root or the top above.
Drawing rows(const Graph& graph, const char* method, const std::vector<std::uint32_t>& level) {
  std::vector<std::uint32_t> width(1, 0), seen;
  for (const std::uint32_t l : level) {
    if (l >= width.size()) width.resize(l + 1, 0);
    ++width[l];
  }
  const double widest = *std::max_element(width.begin(), width.end());
  const double height = std::max(1.2, widest / (2.5 * static_cast<double>(width.size())));
  seen.resize(width.size(), 0);
  Drawing drawing{method, {}, {}};
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const double step = widest / width[level[s]];
    drawing.switches.push_back({step * (seen[level[s]]++ + 0.5), height * level[s]});
  }
  return drawing;
}

/// By distance from switch 0, which is the root of those that the program makes. Children lie below
/// their parent where numbers grow level by level.
std::optional<Drawing> tree(const Graph& graph) {
  const std::uint32_t count = graph.switches();
  if (count < 3 || graph.links().size() + 1 != count) return std::nullopt;
  if (!graph.generator.starts_with("tree ") || !graph.connected()) return std::nullopt;
  return rows(graph, "tree", bfs_levels(graph, 0));
}

/// All are linked to each other.
std::optional<Drawing> circle(const Graph& graph) {
  const std::uint32_t count = graph.switches();
  const bool complete = count > 3 && graph.links().size() == std::size_t{count} * (count - 1) / 2 &&
                        graph.generator.starts_with("complete");
  if (!complete) return std::nullopt;
  Drawing drawing{"circle", {}, {}};
  for (SwitchId s = 0; s < count; ++s) drawing.switches.push_back(on_circle(s, count));
  return drawing;
}

/// A circle of groups, each a circle of routers.
std::optional<Drawing> dragonfly(const Graph& graph) {
  const auto sizes = sizes_after(graph.name, "dragonfly-");
  const auto cross = graph.name.find('x');
  if (sizes.empty() || cross == std::string::npos) return std::nullopt;
  const auto routers = sizes_after(graph.name.substr(cross), "x");
  if (routers.empty() || sizes[0] * routers[0] != graph.switches()) return std::nullopt;
  Drawing drawing{"dragonfly", {}, {}};
  const double spread = 1.4 * std::max(2.0, static_cast<double>(routers[0]) / 2.0);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const Place group = on_circle(s / routers[0], sizes[0]),
                own = on_circle(s % routers[0], routers[0]);
    drawing.switches.push_back({spread * group.x + own.x, spread * group.y + own.y});
  }
  return drawing;
}

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

/// Of meshes, tori, hypercubes, stages, trees, complete graphs and dragonflies; none of others.
std::optional<Drawing> regular_places(const Graph& graph) {
  if (graph.mesh) {
    Drawing drawing{"mesh", {}, {}};
    for (SwitchId s = 0; s < graph.switches(); ++s)
      drawing.switches.push_back(
          {static_cast<double>(s % graph.mesh->width), static_cast<double>(s / graph.mesh->width)});
    return drawing;
  }
  if (graph.levels.size() == graph.switches() && graph.switches() > 0)
    return rows(graph, "levels", graph.levels);
  for (const auto shape : {torus, hypercube, tree, circle, dragonfly})
    if (auto drawing = shape(graph)) return drawing;
  return std::nullopt;
}

/// Links pull, switches push each other away. Equal graphs get equal places.
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

/// Puts the nodes of each switch side by side, where most room is between its links.
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

}  // namespace

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
