// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree.hpp"

#include "muster/topology/generate.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

TEST_CASE("A group or a root that cannot be planned is refused with its reason", "[tree][input]") {
  Graph graph;  // switches 0 and 1, each with a node of its number; switch 2 stands apart
  for (SwitchId s = 0; s < 3; ++s) {
    graph.add_switch(8);
    graph.add_node({s, 7});
  }
  graph.add_link({0, 0}, {1, 0});
  struct Refused {
    std::vector<NodeId> members;
    Roots roots;
    std::optional<SwitchId> root;
    const char* reason;
  };
  for (const Refused& r : {Refused{{}, Roots::kMembers, {}, "empty"},
                           {{0, 3}, Roots::kMembers, {}, "node 3, which does not exist"},
                           {{1, 0, 1}, Roots::kMembers, {}, "node 1 twice"},
                           {{0, 2}, Roots::kMembers, {}, "no path joins switches 0 and 2"},
                           {{0, 1}, Roots::kMembers, 2, "choose one of 0, 1, or a root that ref"},
                           {{0, 1}, Roots::kAll, 3, "switch 3 does not exist; the network has 3"}})
    CHECK_THROWS_WITH(plan_tree(graph, r.members, r.roots, r.root), Contains(r.reason));
  // What the search never reached is not pruned.
  CHECK(plan_tree(graph, std::vector<NodeId>{0, 1}).pruned.empty());
}

TEST_CASE("The paper's latency is 5.88 us and 0.64 us for each level of the tree", "[btin]") {
  for (std::uint64_t height : {0, 2, 1000}) CHECK(btin_latency_ns(height) == 5880 + 640 * height);
}

TEST_CASE("A name that is not UTF-8 does not stop the report", "[tree][json]") {
  Graph graph = figure1_graph();
  graph.name = "broken \xff name";
  const PlannedGroup group{"g\xfe", 1, false, plan_tree(graph, std::vector<NodeId>{0, 1})};
  CHECK(test::valid_json(tree_json(graph, group, {"muster tree", "1.2", 4}))["root_node"] == "0:3");
}

TEST_CASE("Names of the network's file follow the numbers of switches and nodes", "[tree][text]") {
  Graph graph = figure1_graph();
  graph.switch_names = {{3, "top"}, {7, "leaf"}};
  graph.node_names = {{*graph.node_at({7, 3}), "host"}};
  const PlannedGroup group{"paper", 1, false, plan_tree(graph, figure1_members(graph))};
  const std::string text = tree_text(graph, group);
  CHECK_THAT(text, Contains("root switch 3 \"top\", root node 3:4\n"));
  CHECK_THAT(text, Contains("\nswitch 3 \"top\": members 3:4 (root node) 3:6\n"));
  CHECK_THAT(text, Contains("└─ switch 7 \"leaf\" (3:3 - 7:1): member 7:3 \"host\"\n"));
  const std::string dot = tree_dot(graph, group);
  CHECK_THAT(dot, Contains("tooltip=\"switch 3 \\\"top\\\"\""));
  CHECK_THAT(dot, Contains("tooltip=\"7:3 \\\"host\\\"\""));
}

namespace reference {

/// Planning once more, slowly and by the words of the paper: maps and sets, one leaf removed at a
/// time. Shares nothing with sim_cpp/systems/btin.

using muster::topology::Graph;
using muster::topology::NodeId;
using muster::topology::SwitchId;

std::map<SwitchId, std::set<SwitchId>> adjacency(const Graph& graph) {
  std::map<SwitchId, std::set<SwitchId>> result;
  for (const auto& link : graph.links()) {
    result[link.a.sw].insert(link.b.sw);
    result[link.b.sw].insert(link.a.sw);
  }
  return result;
}

inline std::set<SwitchId> member_switches(const Graph& graph, const std::vector<NodeId>& members) {
  std::set<SwitchId> result;
  for (const NodeId n : members) result.insert(graph.node(n).at.sw);
  return result;
}

struct Tree {
  std::map<SwitchId, SwitchId> parent;  // of every switch but the root
  std::map<SwitchId, std::uint32_t> level;
  std::uint32_t height() const {
    std::uint32_t most = 0;
    for (const auto& [s, l] : level) most = std::max(most, l);
    return most;
  }
  std::uint32_t deepest_leaves() const {
    std::uint32_t count = 0;
    for (const auto& [s, l] : level) count += l == height();
    return count;
  }
  std::set<SwitchId> leaves() const {
    std::set<SwitchId> result;
    for (const auto& [s, l] : level) result.insert(s);
    for (const auto& [s, p] : parent) result.erase(p);
    return result;
  }
};

inline Tree search(const Graph& graph, SwitchId root) {
  auto neighbours = adjacency(graph);
  Tree tree;
  tree.level[root] = 0;
  std::deque<SwitchId> queue{root};
  while (!queue.empty()) {
    const SwitchId s = queue.front();
    queue.pop_front();
    for (const SwitchId n : neighbours[s]) {
      if (tree.level.count(n)) continue;
      tree.level[n] = tree.level[s] + 1;
      tree.parent[n] = s;
      queue.push_back(n);
    }
  }
  return tree;
}

inline Tree prune(Tree tree, const std::set<SwitchId>& members) {
  for (bool again = true; again;) {
    again = false;
    for (const SwitchId leaf : tree.leaves()) {
      if (members.count(leaf)) continue;
      tree.level.erase(leaf);
      tree.parent.erase(leaf);
      again = true;
    }
  }
  return tree;
}

/// Best root by height, edges, deepest leaves, identifier. `all`: also of switches without members,
/// which must be flatter. A group of one has its own.
inline SwitchId best_root(const Graph& graph, const std::vector<NodeId>& members,
                          bool all = false) {
  const auto switches = member_switches(graph, members);
  std::set<SwitchId> roots = switches;
  if (all && members.size() > 1)
    for (const auto& [s, level] : search(graph, *switches.begin()).level) roots.insert(s);
  std::set<std::tuple<std::uint32_t, bool, std::size_t, std::uint32_t, SwitchId>> ranking;
  for (const SwitchId s : roots) {
    const Tree tree = prune(search(graph, s), switches);
    ranking.insert(
        {tree.height(), switches.count(s) == 0, tree.parent.size(), tree.deepest_leaves(), s});
  }
  return std::get<4>(*ranking.begin());
}

}  // namespace reference

TEST_CASE("Figure 1 gives the tree of Figure 2", "[tree][figure1]") {
  const Graph graph = figure1_graph();
  const auto members = figure1_members(graph);
  REQUIRE(members.size() == 14);
  const BarrierTree tree = plan_tree(graph, members);
  CHECK(tree.root_switch == 3);
  CHECK(graph.node(tree.root_node).at == topology::PortRef{3, 4});
  CHECK(tree.height == 2);
  CHECK(tree.deepest_leaves == 2);
  CHECK(tree.member_switches == std::vector<SwitchId>{0, 3, 4, 5, 6, 7});
  CHECK(tree.pruned == std::vector<SwitchId>{2, 8});
  CHECK(tree.order == std::vector<SwitchId>{3, 0, 1, 6, 7, 4, 5});
  CHECK(tree.edges ==
        std::vector<TreeEdge>{
            {3, 0, 0, 1}, {3, 1, 1, 1}, {3, 6, 2, 1}, {3, 7, 3, 1}, {1, 4, 2, 0}, {1, 5, 3, 0}});
  CHECK(hops(tree) == 40);
  CHECK(btin_latency_ns(tree.height) == 7160);
}

TEST_CASE("Figure 3: three candidates of height 2 with six edges differ in their deepest leaves",
          "[tree][figure1]") {
  const Graph graph = figure1_graph();
  std::vector<RootCandidate> best;
  for (const RootCandidate& candidate : root_candidates(graph, figure1_members(graph)))
    if (candidate.height == 2) best.push_back(candidate);
  CHECK(best ==
        std::vector<RootCandidate>{{2, false, 6, 3, 0}, {2, false, 6, 2, 3}, {2, false, 6, 3, 7}});
}

TEST_CASE("Figure 1: the registers of root, intermediate and leaf", "[image][figure1]") {
  const Graph graph = figure1_graph();
  const BarrierTree tree = plan_tree(graph, figure1_members(graph));
  // Switch 3: ports 0..3 lead to 0, 1, 6, 7; the root node is on 4, the other member on 6.
  CHECK(register_images(tree, 9, false) ==
        std::vector<RegisterImage>{{3, 9, false, 4, 0b0100'1111},
                                   {0, 9, false, 1, 0b0011'1000},
                                   {1, 9, false, 1, 0b0000'1100},
                                   {6, 9, false, 1, 0b0000'1100},
                                   {7, 9, false, 1, 0b0000'1000},
                                   {4, 9, false, 0, 0b0001'1100},
                                   {5, 9, false, 0, 0b0001'1100}});
  CHECK(register_images(tree, 9, true).front() == RegisterImage{3, 9, true, 0, 0b0101'1111});
}

namespace {

/// Every edge is a link of the network, on the parent's lowest port that leads to the child.
void check_ports(const Graph& graph, const BarrierTree& tree) {
  for (const TreeEdge& edge : tree.edges) {
    const muster::topology::Peer& down = graph.peer(edge.parent, edge.parent_port);
    REQUIRE(down.kind == muster::topology::Peer::Kind::kSwitch);
    REQUIRE(down.id == edge.child);
    REQUIRE(down.port == edge.child_port);
    for (std::uint32_t p = 0; p < edge.parent_port; ++p) {
      const muster::topology::Peer& peer = graph.peer(edge.parent, p);
      REQUIRE_FALSE((peer.kind == muster::topology::Peer::Kind::kSwitch && peer.id == edge.child));
    }
    REQUIRE(tree.switches[edge.child].parent_port == edge.child_port);
    REQUIRE((tree.switches[edge.parent].child_mask >> edge.parent_port & 1) == 1);
  }
}

/// Levels are shortest distances, and every edge leads one level down: none joins siblings.
void check_levels(const BarrierTree& tree, const reference::Tree& expected) {
  for (const TreeEdge& edge : tree.edges) {
    REQUIRE(tree.switches[edge.child].level == tree.switches[edge.parent].level + 1);
    REQUIRE(tree.switches[edge.child].level == expected.level.at(edge.child));
  }
}

/// The ports of a switch's mask are its children and its members, no more.
void check_masks(const Graph& graph, const BarrierTree& tree) {
  std::vector<std::uint16_t> masks(graph.switches(), 0);
  for (const TreeEdge& edge : tree.edges)
    masks[edge.parent] = static_cast<std::uint16_t>(masks[edge.parent] | 1u << edge.parent_port);
  for (const NodeId n : tree.members) {
    const auto at = graph.node(n).at;
    masks[at.sw] = static_cast<std::uint16_t>(masks[at.sw] | 1u << at.port);
  }
  for (SwitchId s = 0; s < graph.switches(); ++s) REQUIRE(tree.switches[s].child_mask == masks[s]);
}

void check_tree(const Graph& graph, const std::vector<NodeId>& members, const BarrierTree& tree) {
  const auto member_switches = reference::member_switches(graph, members);
  const auto full = reference::search(graph, tree.root_switch);
  const auto expected = reference::prune(full, member_switches);

  std::map<SwitchId, SwitchId> parents;
  for (const TreeEdge& edge : tree.edges) REQUIRE(parents.emplace(edge.child, edge.parent).second);
  REQUIRE(parents == expected.parent);
  REQUIRE(tree.height == expected.height());
  REQUIRE(tree.deepest_leaves == expected.deepest_leaves());
  REQUIRE(tree.order.size() == tree.edges.size() + 1);
  REQUIRE(tree.order.front() == tree.root_switch);

  std::vector<SwitchId> gone;
  for (const auto& [s, level] : full.level) {
    REQUIRE(tree.switches[s].in_tree == (expected.level.count(s) == 1));
    if (!expected.level.count(s)) gone.push_back(s);
  }
  REQUIRE(tree.pruned == gone);
  for (const SwitchId s : member_switches) REQUIRE(tree.switches[s].in_tree);
  for (const SwitchId s : expected.leaves()) REQUIRE(member_switches.count(s) == 1);
  REQUIRE(std::equal(tree.member_switches.begin(), tree.member_switches.end(),
                     member_switches.begin(), member_switches.end()));
  check_levels(tree, full);
  check_ports(graph, tree);
  check_masks(graph, tree);

  if (!tree.has_root_node()) {
    REQUIRE(member_switches.count(tree.root_switch) == 0);
    REQUIRE(tree.root_node == tree.members.front());
    return;
  }
  std::uint32_t lowest = topology::kMaxPorts;
  for (const NodeId n : members)
    if (graph.node(n).at.sw == tree.root_switch) lowest = std::min(lowest, graph.node(n).at.port);
  REQUIRE(graph.node(tree.root_node).at == topology::PortRef{tree.root_switch, lowest});
}

}  // namespace

TEST_CASE("On random networks the tree is the one the paper's words give", "[tree][random]") {
  for_random_groups(0, 600, [](const Graph& graph, const auto& members, Random& rng) {
    const BarrierTree tree = plan_tree(graph, members);
    REQUIRE(tree.root_switch == reference::best_root(graph, members));
    check_tree(graph, members, tree);
    // Any other root that is asked for must give a proper tree as well.
    const SwitchId other = tree.member_switches[rng.below(tree.member_switches.size())];
    const BarrierTree asked = plan_tree(graph, members, Roots::kMembers, other);
    REQUIRE(asked.root_switch == other);
    check_tree(graph, members, asked);
    const BarrierTree any = plan_tree(graph, members, Roots::kAll);
    REQUIRE(any.root_switch == reference::best_root(graph, members, true));
    check_tree(graph, members, any);
    const auto by_hand = static_cast<SwitchId>(rng.below(graph.switches()));
    if (members.size() > 1)
      check_tree(graph, members, plan_tree(graph, members, Roots::kAll, by_hand));
  });
}

TEST_CASE("With members at all or all but one of a torus's switches the root is the best one",
          "[tree]") {
  for (const std::vector<std::uint32_t>& sizes :
       std::vector<std::vector<std::uint32_t>>{{5, 4}, {3, 3}, {7}, {2, 3, 4}}) {
    CAPTURE(sizes);
    const Graph graph = generate_torus(sizes, 2);
    std::vector<NodeId> members;
    for (NodeId n = 0; n < graph.nodes(); n += 2) members.push_back(n);
    for (const bool all : {true, false}) {
      if (!all) members.erase(members.begin());
      const auto candidates = root_candidates(graph, members);
      const auto best = std::ranges::min_element(candidates);
      CHECK(plan_tree(graph, members).root_switch == best->root_switch);
    }
  }
}
