// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/record.hpp"
#include "core/text.hpp"
#include "muster/run/command.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "systems/btin/tree.hpp"
#include "topology/drawing.hpp"

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

/// By switch, to its children.
using Edges = std::vector<std::vector<const TreeEdge*>>;

/// A line for each switch below `s`, after `indent`.
std::string subtrees(const Graph& graph, const BarrierTree& tree, const Edges& edges, SwitchId s,
                     const std::string& indent) {
  std::string text;
  for (const TreeEdge* edge : edges[s]) {
    const bool last = edge == edges[s].back();
    text += fmt::format("{}{} {} ({}:{} - {}:{}): {}\n", indent, last ? "└─" : "├─",
                        switch_text(graph, edge->child), edge->parent, edge->parent_port,
                        edge->child, edge->child_port, members_of(graph, tree, edge->child)) +
            subtrees(graph, tree, edges, edge->child, indent + (last ? "   " : "│  "));
  }
  return text;
}

constexpr std::uint32_t kLastSwitch = topology::kMaxSwitches - 1;
constexpr std::uint32_t kLastPort = topology::kMaxPorts - 1;

void add_gid(core::Record& r, std::uint32_t gid) {
  r.add("gid", "group identifier", gid).with("maximum", 4095);
}

void describe_image(core::Record& r, const RegisterImage& image) {
  r.add("switch", image.sw).with("maximum", kLastSwitch);
  add_gid(r, image.gid);
  r.add("turn", image.reflect);
  r.add("parent_port", image.parent_port).with("maximum", kLastPort);
  r.add("child_mask", "bit p: port p leads to a child", image.child_mask);
}

/// Two numbers of each edge, at most `most`.
template <class Pair>
void add_pairs(core::Record& r, const char* key, const char* sentence, std::uint32_t most,
               const BarrierTree& tree, const Pair& pair) {
  const core::Rule rule = r.list(key, sentence, tree.edges, pair).items();
  rule.with("minItems", 2).with("maxItems", 2).items().with("maximum", most);
}

void describe_tree(core::Record& r, const Graph& graph, const PlannedGroup& group,
                   const Provenance& origin) {
  const BarrierTree& tree = group.tree;
  const auto name = [&](NodeId n) { return topology::node_name(graph, n); };
  core::add_origin(r, "muster-tree-1", origin);
  core::add_seed(r, origin.seed);
  r.add("network", "its name; empty if the file has none", graph.name);
  r.add("group", "as typed", group.name).filled();
  add_gid(r, group.gid);
  r.add("turn", "the root switch reflects the reduction", group.reflect);
  r.add("alone", "a group of one member: no switch takes part", tree.alone());
  const bool has_root_node = !tree.alone() && tree.has_root_node();
  r.null_unless(!tree.alone())
      .add("root_switch", "null: a group of one member needs none", tree.root_switch)
      .with("maximum", kLastSwitch);
  r.null_unless(has_root_node)
      .add("root_node", "null: no root switch, or one that reflects and has no member",
           has_root_node ? name(tree.root_node) : "")
      .like(core::kPort);
  r.add("height", "edges from the root switch to the deepest leaf", tree.height);
  r.add("deepest_leaves", "switches on the deepest level", tree.deepest_leaves);
  add_pairs(r, "edges", "[parent, child] switches, in the order of the search", kLastSwitch, tree,
            [](const TreeEdge& e) {
              return std::array{e.parent, e.child};
            });
  add_pairs(r, "edge_ports", "[port of the parent, port of the child] of each edge", kLastPort,
            tree, [](const TreeEdge& e) {
              return std::array{e.parent_port, e.child_port};
            });
  r.list("members", "", tree.members, name).some_unique().each_like(core::kPort);
  r.add("member_switches", tree.member_switches).some_unique().items().with("maximum", kLastSwitch);
  r.add("pruned", "switches that the search reached and the tree does not use", tree.pruned)
      .with("uniqueItems", true)
      .items()
      .with("maximum", kLastSwitch);
  r.add("hops", "messages of a barrier on links, node links included", hops(tree));
  r.add("paper_latency_us", "microseconds of a barrier by the paper's formula",
        paper_latency_us(tree));
  r.list("images", "barrier registers, one for each switch of the tree", register_images(group),
         describe_image);
}

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
  const bool member = std::ranges::binary_search(tree.members, n);
  const bool root = n == tree.root_node && tree.has_root_node();
  const char* fill = root ? kTree : member ? "#4a4a4a" : "white";
  return fmt::format(
      "  n{0} [shape=circle, fixedsize=true, width=0.16, label=\"\", tooltip=\"{1}\", "
      "style=filled, fillcolor=\"{2}\", color=\"{3}\"];\n"
      "  s{4} -> n{0} [dir=none, len=0.45, color=\"{3}\"];\n",
      n, topology::dot_escaped(topology::node_text(graph, n)), fill, member ? "#4a4a4a" : kFaint,
      graph.node(n).at.sw);
}

class TreeCommand : public run::Command {
 public:
  std::string name() const override { return "tree"; }
  std::string about() const override { return "Plan the barrier tree of a group"; }
  void add_options(run::Fields& options) override {
    options.text("FILE", file_, "Network; - for standard input");
    options.text("--group", group_,
                 "all, random:N, a list such as 0:3,3:4 or n0,n17, or a group of the file");
    options.flag("--turn", reflect_,
                 "The root switch reflects the reduction, without asking the root node");
    options.text(
        "--root", root_,
        "Root switch, by number (sw3, 3) or by its name in the file; by default that of the "
        "lowest tree");
    options.text("--dot", dot_,
                 "Write network and tree for Graphviz (neato) to FILE, or - for standard output");
  }
  void add_schemas(core::Json& all) const override {
    all["muster-tree-1"] = core::json_schema(
        "Result of muster tree",
        "The barrier tree planned for one group; docs/systems/planning.md.", [](core::Record& r) {
          const topology::Graph graph = topology::generate_mesh(1, 1);
          PlannedGroup group;
          plan_group(group, graph, std::vector<NodeId>{0});
          describe_tree(r, graph, group, {});
        });
  }
  run::CommandReport run(const run::CommandContext& context) override {
    if (dot_ == "-" && context.json_to_stdout)
      throw InputError("--dot -: --json already goes to standard output; give one of them a file");
    context.outputs.reads(file_);
    context.outputs.writes("--dot", dot_);
    auto graph = std::make_shared<const topology::Graph>(topology::read_topology(file_));
    PlannedGroup group;
    group.name = group_;
    group.reflect = reflect_;
    if (!root_.empty()) group.root = topology::parse_switch(*graph, root_, "--root");
    plan_group(group, *graph,
               topology::parse_group_of_file(*graph, file_, group_, context.origin.seed));
    const std::string dot = dot_.empty() ? "" : tree_dot(*graph, group);
    context.outputs.put(dot_, dot);
    return {.json = [graph, group,
                     origin = context.origin] { return tree_json(*graph, group, origin); },
            .text = [graph, group, dot,
                     show = dot_ == "-"] { return show ? dot : tree_text(*graph, group); }};
  }

 private:
  std::string file_, group_ = "all", root_, dot_;
  bool reflect_ = false;
};

}  // namespace

std::string tree_text(const Graph& graph, const PlannedGroup& group, std::size_t most_lines) {
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
  if (!tree.pruned.empty())
    text += tree.pruned.size() > most_lines
                ? fmt::format("pruned: {} switches\n", tree.pruned.size())
                : fmt::format("pruned: {}\n", fmt::join(tree.pruned, " "));
  Edges edges(graph.switches());
  for (const TreeEdge& edge : tree.edges) edges[edge.parent].push_back(&edge);
  const std::string drawing = fmt::format("{}: {}\n", switch_text(graph, tree.root_switch),
                                          members_of(graph, tree, tree.root_switch)) +
                              subtrees(graph, tree, edges, tree.root_switch, "");
  std::string_view rest = drawing;
  for (std::size_t i = 0; i < most_lines && !rest.empty(); ++i) topology::take_line(rest);
  text += "\n" + drawing.substr(0, drawing.size() - rest.size());
  if (const auto more = std::ranges::count(rest, '\n'); more != 0)
    text += fmt::format("and {} more; muster tree shows all\n",
                        counted(static_cast<std::uint64_t>(more), "switch", "switches"));
  return text;
}

std::string tree_json(const Graph& graph, const PlannedGroup& group, const Provenance& origin) {
  return core::json_text([&](core::Record& r) { describe_tree(r, graph, group, origin); });
}

std::string tree_dot(const Graph& graph, const PlannedGroup& group) {
  const BarrierTree& tree = group.tree;
  std::string text =
      "digraph barrier_tree {\n"
      "  graph [overlap=false, splines=true, outputorder=edgesfirst];\n"
      "  node [fontname=\"sans-serif\", fontsize=11];\n"
      "  edge [fontname=\"sans-serif\", fontsize=8];\n";
  for (SwitchId s = 0; s < graph.switches(); ++s) text += switch_line(graph, tree, s);
  for (const topology::Link& link : graph.links()) {
    const auto edge = std::ranges::find_if(tree.edges, [&](const TreeEdge& e) {
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

std::unique_ptr<run::Command> tree_command() { return std::make_unique<TreeCommand>(); }

}  // namespace muster::btin
