// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "muster/topology/group_spec.hpp"
#include "topology/drawing.hpp"

namespace muster::topology {
namespace {

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

}  // namespace muster::topology
