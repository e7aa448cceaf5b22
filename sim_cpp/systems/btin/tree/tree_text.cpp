// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/tree_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/topology/names.hpp"
#include "systems/btin/tree/paper_latency.hpp"

namespace muster::btin {
namespace {

using topology::node_text;
using topology::switch_text;

std::string members_of(const Graph& graph, const BarrierTree& tree, SwitchId s) {
  const auto& members = tree.switches[s].members;
  if (members.empty()) return "no members";
  std::string text = members.size() == 1 ? "member" : "members";
  for (const NodeId n : members)
    text += fmt::format(" {}{}", node_text(graph, n),
                        n == tree.root_node && s == tree.root_switch ? " (root node)" : "");
  return text;
}

/// Draws the subtrees of a switch, each line after `indent`.
class Drawing {
 public:
  Drawing(const Graph& graph, const BarrierTree& tree) : graph_(graph), tree_(tree) {
    children_.resize(graph.switches());
    for (const TreeEdge& edge : tree.edges) children_[edge.parent].push_back(&edge);
  }

  std::string text() {
    text_ = fmt::format("{}: {}\n", switch_text(graph_, tree_.root_switch),
                        members_of(graph_, tree_, tree_.root_switch));
    below(tree_.root_switch, "");
    return text_;
  }

 private:
  void below(SwitchId s, const std::string& indent) {
    for (const TreeEdge* edge : children_[s]) {
      const bool last = edge == children_[s].back();
      text_ += fmt::format("{}{} {} ({}:{} - {}:{}): {}\n", indent, last ? "└─" : "├─",
                           switch_text(graph_, edge->child), edge->parent, edge->parent_port,
                           edge->child, edge->child_port, members_of(graph_, tree_, edge->child));
      below(edge->child, indent + (last ? "   " : "│  "));
    }
  }

  const Graph& graph_;
  const BarrierTree& tree_;
  std::vector<std::vector<const TreeEdge*>> children_;
  std::string text_;
};

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::string tree_text(const Graph& graph, const PlannedGroup& group) {
  const BarrierTree& tree = group.tree;
  if (tree.alone())
    return fmt::format("group {}: one member, {}, released at once without a switch\n", group.name,
                       node_text(graph, tree.root_node));
  std::string text = fmt::format(
      "group {}: {} on {} of {}\n", group.name, counted(tree.members.size(), "member", "members"),
      tree.member_switches.size(), counted(graph.switches(), "switch", "switches"));
  text += fmt::format(
      "root {}, {}{}\n", switch_text(graph, tree.root_switch),
      tree.has_root_node() ? "root node " + node_text(graph, tree.root_node) : "without a member",
      group.reflect ? " (the root switch reflects)" : "");
  text += fmt::format("height {}, {}, {} on the deepest level\n", tree.height,
                      counted(tree.edges.size(), "edge", "edges"),
                      counted(tree.deepest_leaves, "leaf", "leaves"));
  text += fmt::format("a barrier takes {} hops and, by the paper's formula, {:.2f} us\n",
                      hops(tree), paper_latency_us(tree));
  if (!tree.pruned.empty()) text += fmt::format("pruned: {}\n", fmt::join(tree.pruned, " "));
  return text + "\n" + Drawing(graph, tree).text();
}

}  // namespace muster::btin
