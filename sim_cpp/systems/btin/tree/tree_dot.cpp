// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/tree_dot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/topology/names.hpp"
#include "topology/files/dot.hpp"

namespace muster::btin {
namespace {

constexpr const char* kTree = "#b3261e";
constexpr const char* kFaint = "#b8b8b8";

std::string switch_line(const Graph& graph, const BarrierTree& tree, SwitchId s) {
  const bool in = tree.switches[s].in_tree;
  return fmt::format(
      "  s{0} [shape=box, label=\"{0}\", {5}width=0.35, height=0.3, style=\"filled,rounded\", "
      "fillcolor=\"{1}\", color=\"{2}\", fontcolor=\"{3}\", penwidth={4}];\n",
      s, in ? "#fde7e4" : "white", in ? kTree : kFaint, in ? "black" : "#808080",
      s == tree.root_switch ? 3 : 1,
      graph.switch_names.contains(s)
          ? fmt::format("tooltip=\"{}\", ", topology::dot_escaped(topology::switch_text(graph, s)))
          : "");
}

std::string node_lines(const Graph& graph, const BarrierTree& tree, NodeId n) {
  const bool member = std::binary_search(tree.members.begin(), tree.members.end(), n);
  const bool root = n == tree.root_node && tree.has_root_node();
  const char* fill = root ? kTree : member ? "#4a4a4a" : "white";
  return fmt::format(
      "  n{0} [shape=circle, fixedsize=true, width=0.16, label=\"\", tooltip=\"{1}\", "
      "style=filled, fillcolor=\"{2}\", color=\"{3}\"];\n"
      "  s{4} -> n{0} [dir=none, len=0.45, color=\"{3}\"];\n",
      n, topology::dot_escaped(topology::node_text(graph, n)), fill, member ? "#4a4a4a" : kFaint,
      graph.node(n).at.sw);
}

}  // namespace

std::string tree_dot(const Graph& graph, const PlannedGroup& group) {
  const BarrierTree& tree = group.tree;
  std::string text =
      "digraph barrier_tree {\n"
      "  graph [overlap=false, splines=true, outputorder=edgesfirst];\n"
      "  node [fontname=\"sans-serif\", fontsize=11];\n"
      "  edge [fontname=\"sans-serif\", fontsize=8];\n";
  for (SwitchId s = 0; s < graph.switches(); ++s) text += switch_line(graph, tree, s);
  for (const topology::Link& link : graph.links()) {
    const auto edge = std::find_if(tree.edges.begin(), tree.edges.end(), [&](const TreeEdge& e) {
      const topology::PortRef up{e.parent, e.parent_port}, down{e.child, e.child_port};
      return (up == link.a && down == link.b) || (up == link.b && down == link.a);
    });
    if (edge == tree.edges.end())
      text += fmt::format("  s{} -> s{} [dir=none, len=1.1, color=\"{}\"];\n", link.a.sw, link.b.sw,
                          kFaint);
    else
      text += fmt::format("  s{} -> s{} [len=1.1, penwidth=2.5, arrowsize=0.7, color=\"{}\"];\n",
                          edge->parent, edge->child, kTree);
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) text += node_lines(graph, tree, n);
  return text + "}\n";
}

}  // namespace muster::btin
