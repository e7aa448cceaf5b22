// SPDX-License-Identifier: Apache-2.0
#include "topology/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <sstream>

#include "muster/topology/group_spec.hpp"
#include "muster/topology/routes.hpp"
#include "topology/route_rules.hpp"

namespace muster::topology {
namespace {

Place on_circle(std::uint32_t i, std::uint32_t count) {
  const double radius = std::max(1.0, static_cast<double>(count) / (2.0 * std::numbers::pi));
  const double angle = 2.0 * std::numbers::pi * i / count - std::numbers::pi / 2;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// With each switch where `place_of` puts it.
template <class PlaceOf>
Drawing drawing_of(const Graph& graph, const char* method, PlaceOf&& place_of) {
  Drawing drawing{method, {}, {}};
  for (SwitchId s = 0; s < graph.switches(); ++s) drawing.switches.push_back(place_of(s));
  return drawing;
}

/// Dimensions in turn to the right and down, each third and later one a block of those before.
std::optional<Drawing> torus(const Graph& graph) {
  const std::vector<std::uint32_t> sizes = torus_sizes(graph);
  if (sizes.empty()) return std::nullopt;
  return drawing_of(graph, "torus", [&](SwitchId s) {
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
    return place;
  });
}

/// A cube of the three low bits, as it is usually drawn, and cubes of such cubes: two may lie into
/// each other, of more no switch would find room.
std::optional<Drawing> hypercube(const Graph& graph) {
  const std::vector<std::uint32_t> sizes = torus_sizes(graph);
  const auto dimension = static_cast<std::uint32_t>(sizes.size());
  if (dimension < 2 || sizes != std::vector<std::uint32_t>(dimension, 2)) return std::nullopt;
  constexpr std::uint32_t kFew = 5;
  return drawing_of(graph, "hypercube", [&](SwitchId s) {
    Place place;
    for (std::uint32_t bit = 0; bit < dimension; ++bit) {
      if ((s >> bit & 1) == 0) continue;
      constexpr Place kSteps[] = {{1.5, 0.1}, {-0.12, 1.5}, {0.62, -0.55}};
      const double far = std::pow(dimension <= kFew ? 2.2 : 4.1, bit / 3);
      place.x += far * kSteps[bit % 3].x;
      place.y += far * kSteps[bit % 3].y;
    }
    return place;
  });
}

/// A row a level, the root or the top above. A level with more switches than are read side by side
/// takes several rows, in turn.
Drawing rows(const Graph& graph, const char* method, const std::vector<std::uint32_t>& level) {
  std::vector<std::uint32_t> width(1, 0), seen;
  for (const std::uint32_t l : level) {
    if (l >= width.size()) width.resize(l + 1, 0);
    ++width[l];
  }
  constexpr std::uint32_t kReadable = 12;
  constexpr double kRow = 1.1;  // from row to row of a level
  const auto most =
      std::max(kReadable, static_cast<std::uint32_t>(std::ceil(std::sqrt(3.0 * graph.switches()))));
  const double widest = std::min(most, *std::ranges::max_element(width));
  const double height = std::max(1.2, widest / (2.5 * static_cast<double>(width.size())));
  std::vector<std::uint32_t> turns;
  std::vector<double> top;
  double down = 0.0;
  for (const std::uint32_t w : width) {
    turns.push_back(std::max(1u, (w + most - 1) / most));
    top.push_back(down);
    down += height + kRow * (turns.back() - 1);
  }
  seen.resize(width.size(), 0);
  return drawing_of(graph, method, [&](SwitchId s) -> Place {
    const std::uint32_t l = level[s], place = seen[l]++;
    return {widest / width[l] * (place + 0.5), top[l] + kRow * (place % turns[l])};
  });
}

/// By distance from switch 0, which is the root of those that the program makes. Children lie below
/// their parent where numbers grow level by level.
std::optional<Drawing> tree(const Graph& graph) {
  const std::uint32_t count = graph.switches();
  if (count < 3 || graph.links().size() + 1 != count) return std::nullopt;
  if (!graph.generator.starts_with("tree ") || !graph.connected()) return std::nullopt;
  return rows(graph, "tree", bfs_levels(graph, 0));
}

Drawing circle(const Graph& graph) {
  return drawing_of(graph, "circle", [&](SwitchId s) { return on_circle(s, graph.switches()); });
}

/// All are linked to each other.
std::optional<Drawing> complete(const Graph& graph) {
  const std::size_t count = graph.switches();
  if (count < 4 || graph.links().size() != count * (count - 1) / 2 ||
      !graph.generator.starts_with("complete"))
    return std::nullopt;
  return circle(graph);
}

/// A circle of groups, each a circle of routers.
std::optional<Drawing> dragonfly(const Graph& graph) {
  const auto shape = dragonfly_shape(graph);
  if (!shape) return std::nullopt;
  const double spread = 1.4 * std::max(2.0, shape->routers / 2.0);
  return drawing_of(graph, "dragonfly", [&](SwitchId s) -> Place {
    const Place group = on_circle(s / shape->routers, shape->groups),
                own = on_circle(s % shape->routers, shape->routers);
    return {spread * group.x + own.x, spread * group.y + own.y};
  });
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
  std::ranges::sort(directions);
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
  if (graph.mesh)
    return drawing_of(graph, "mesh", [width = graph.mesh->width](SwitchId s) {
      return Place{static_cast<double>(s % width), static_cast<double>(s / width)};
    });
  if (graph.levels.size() == graph.switches() && graph.switches() > 0)
    return rows(graph, "levels", graph.levels);
  for (const auto shape : {hypercube, torus, tree, complete, dragonfly})
    if (auto drawing = shape(graph)) return drawing;
  return std::nullopt;
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

std::string latency_label(std::uint32_t latency) {
  return latency == 1 ? "" : fmt::format("label=\"{}\", ", latency);
}

/// Small networks look better by stress, large ones take too long.
constexpr std::uint32_t kManySwitches = 200;

/// Switches and links only: nodes have their places beside their switches.
std::string graph_text(const Graph& graph) {
  std::string text = "graph g {\nnode [shape=point, width=0.4];\noverlap=prism; start=1;\n";
  for (SwitchId s = 0; s < graph.switches(); ++s) text += fmt::format("{};\n", s);
  for (const Link& link : graph.links()) text += fmt::format("{}--{};\n", link.a.sw, link.b.sw);
  return text + "}\n";
}

/// What a command writes to standard output; empty if it cannot be run.
std::string output_of(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 65536> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), got);
  return pclose(pipe) == 0 ? output : std::string();
}

/// Lines "node NAME X Y ..." of Graphviz's plain format, y upwards.
std::optional<std::vector<Place>> read_plain(const std::string& text, std::uint32_t switches) {
  std::vector<Place> places(switches);
  std::uint32_t found = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint32_t name = 0;
    Place place;
    if (!(words >> word) || word != "node") continue;
    if (!(words >> name >> place.x >> place.y) || name >= switches) return std::nullopt;
    places[name] = {place.x, -place.y};
    ++found;
  }
  if (found != switches) return std::nullopt;
  return places;
}

/// Of a Graphviz program; none if there is none, or it fails.
std::optional<Drawing> graphviz_places(const Graph& graph) {
  std::string folder = (std::filesystem::temp_directory_path() / "muster-draw-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return std::nullopt;
  const std::string file = folder + "/network.dot";
  std::ofstream(file, std::ios::binary) << graph_text(graph);
  std::optional<Drawing> drawing;
  const bool many = graph.switches() > kManySwitches;
  for (const char* program : {many ? "sfdp" : "neato", many ? "neato" : "sfdp", "dot"}) {
    const std::string plain = output_of(fmt::format("{} -Tplain '{}' 2>/dev/null", program, file));
    auto places = plain.empty() ? std::nullopt : read_plain(plain, graph.switches());
    if (!places) continue;
    drawing = Drawing{program, std::move(*places), {}};
    break;
  }
  std::filesystem::remove_all(folder);
  return drawing;
}

}  // namespace

std::string dot_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string to_dot(const Graph& graph) {
  std::string text = fmt::format(
      "graph \"{}\" {{\n"
      "  node [fontname=\"sans-serif\", fontsize=10];\n"
      "  edge [fontname=\"sans-serif\", fontsize=8];\n",
      dot_escaped(graph.name));
  for (SwitchId s = 0; s < graph.switches(); ++s)
    text += fmt::format("  s{} [shape=box, label=\"{}{}\"];\n", s, s,
                        dot_escaped(label_of(graph.switch_names, s)));
  for (NodeId n = 0; n < graph.nodes(); ++n)
    text += fmt::format("  n{} [shape=circle, fontsize=7, margin=0.02, label=\"{}\"];\n", n,
                        dot_escaped(node_text(graph, n)));
  for (const Link& link : graph.links())
    text += fmt::format("  s{} -- s{} [{}taillabel=\"{}\", headlabel=\"{}\"];\n", link.a.sw,
                        link.b.sw, latency_label(link.latency), link.a.port, link.b.port);
  for (NodeId n = 0; n < graph.nodes(); ++n)
    text += fmt::format("  s{} -- n{} [{}len=0.6];\n", graph.node(n).at.sw, n,
                        latency_label(graph.node(n).latency));
  return text + "}\n";
}

Drawing draw(const Graph& graph) {
  std::optional<Drawing> drawing = regular_places(graph);
  if (!drawing && (drawing = graphviz_places(graph))) space_out(drawing->switches);
  if (!drawing) drawing = circle(graph);
  place_nodes(graph, *drawing);
  return std::move(*drawing);
}

}  // namespace muster::topology
