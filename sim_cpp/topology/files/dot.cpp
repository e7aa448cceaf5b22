// SPDX-License-Identifier: Apache-2.0
#include "topology/files/dot.hpp"

#include <fmt/format.h>

#include "muster/topology/names.hpp"

namespace muster::topology {

namespace {

std::string latency_label(std::uint32_t latency) {
  return latency == 1 ? "" : fmt::format("label=\"{}\", ", latency);
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

}  // namespace muster::topology
