// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "systems/btin/tree.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using muster::topology::Peer;

namespace {

/// Carries one barrier through the images by Table 1 of the paper, with only the graph and
/// the images, and counts the links that its messages traverse.
class PaperBarrier {
 public:
  PaperBarrier(const Graph& graph, const std::vector<RegisterImage>& images) : graph_(graph) {
    for (const RegisterImage& image : images) REQUIRE(images_.emplace(image.sw, image).second);
  }

  std::uint32_t run(const std::vector<NodeId>& members, NodeId root_node, bool reflect) {
    for (const NodeId n : members)
      if (reflect || n != root_node) arrive(n);
    if (!reflect) {
      REQUIRE(notified_ == std::vector<NodeId>{root_node});
      ++hops_;
      ++releases_[root_node];  // it sends the distribution message and goes on
      down(graph_.node(root_node).at.sw);
    }
    REQUIRE(releases_.size() == members.size());
    for (const NodeId n : members) REQUIRE(releases_[n] == 1);
    return hops_;
  }

 private:
  void arrive(NodeId n) {
    ++hops_;
    reduction(graph_.node(n).at);
  }

  void reduction(topology::PortRef at) {
    const RegisterImage& image = images_.at(at.sw);
    const auto port_bit = static_cast<std::uint16_t>(1u << at.port);
    REQUIRE((image.child_mask & port_bit) != 0);
    REQUIRE((arrived_[at.sw] & port_bit) == 0);
    arrived_[at.sw] |= port_bit;
    if (arrived_[at.sw] != image.child_mask) return;
    if (image.reflect) return down(at.sw);
    ++hops_;
    const Peer& parent = graph_.peer(at.sw, image.parent_port);
    if (parent.kind == Peer::Kind::kNode) return notified_.push_back(parent.id);
    REQUIRE(parent.kind == Peer::Kind::kSwitch);
    reduction({parent.id, parent.port});
  }

  void down(SwitchId s) {
    const RegisterImage& image = images_.at(s);
    REQUIRE(arrived_[s] == image.child_mask);
    for (std::uint32_t port = 0; port < graph_.ports(s); ++port) {
      if ((image.child_mask >> port & 1) == 0) continue;
      ++hops_;
      const Peer& child = graph_.peer(s, port);
      REQUIRE(child.kind != Peer::Kind::kOpen);
      if (child.kind == Peer::Kind::kNode) {
        ++releases_[child.id];
      } else {
        REQUIRE(images_.at(child.id).parent_port == child.port);
        down(child.id);
      }
    }
  }

  const Graph& graph_;
  std::map<SwitchId, RegisterImage> images_;
  std::map<SwitchId, std::uint16_t> arrived_;
  std::map<NodeId, int> releases_;
  std::vector<NodeId> notified_;
  std::uint32_t hops_ = 0;
};

TEST_CASE("A barrier carried by the images alone releases all members once", "[image][random]") {
  for_random_groups(30'000, 400, [](const Graph& graph, const auto& members, Random& rng) {
    const bool reflect = rng.below(2) == 1;
    CAPTURE(reflect);
    const BarrierTree tree = plan_tree(graph, members, reflect ? Roots::kAll : Roots::kMembers);
    const auto images = register_images(tree, 5, reflect);
    if (tree.alone()) {
      REQUIRE(images.empty());
      return;
    }
    REQUIRE(images.size() == tree.order.size());
    for (const RegisterImage& image : images) {
      REQUIRE(image.gid == 5);
      REQUIRE(image.child_mask != 0);
      REQUIRE(image.reflect == (reflect && image.sw == tree.root_switch));
      REQUIRE((image.reflect || (image.child_mask >> image.parent_port & 1) == 0));
    }
    REQUIRE(PaperBarrier(graph, images).run(members, tree.root_node, reflect) == hops(tree));
  });
}

PlannedGroup group(const Graph& graph, std::uint32_t gid, const std::vector<NodeId>& members) {
  return {"g" + std::to_string(gid), gid, false, plan_tree(graph, members)};
}

TEST_CASE("Groups take the lowest free register of each switch, in their order", "[plan]") {
  const Graph graph = figure1_graph();
  const NodeId at0 = graph.node_at({0, 3}).value(), at3 = graph.node_at({3, 4}).value(),
               at6 = graph.node_at({6, 2}).value();
  const std::vector<PlannedGroup> groups{group(graph, 7, {at0, at3}), group(graph, 2, {at3, at6})};
  CHECK(registers_needed(groups) == std::vector<std::uint32_t>{1, 0, 0, 2, 0, 0, 1, 0, 0});
  const RegisterPlan plan = plan_registers(groups, 2);
  REQUIRE(plan.size() == 4);
  for (const RegisterSlot& slot : plan) {
    CHECK(slot.image.gid == groups[slot.group].gid);
    CHECK(slot.slot == (slot.group == 1 && slot.image.sw == 3 ? 1u : 0u));
  }
}

TEST_CASE("Group identifiers must fit", "[plan][input]") {
  const std::vector<PlannedGroup> groups{group(figure1_graph(), 256, {20, 25})};
  CHECK(plan_registers(groups, 4, 256).size() > 1);
  CHECK_THROWS_WITH(plan_registers(groups, 4, 255), Contains("'g256'") && Contains("256"));
}

TEST_CASE("No two groups share a register, and no switch keeps more than it needs",
          "[plan][random]") {
  for_random_groups(40'000, 100, [](const Graph& graph, const auto& members, Random& rng) {
    std::vector<PlannedGroup> groups{group(graph, 0, members)};
    while (groups.size() < 6 && rng.below(5) != 0)
      groups.push_back(
          group(graph, static_cast<std::uint32_t>(groups.size()), random_group(graph, rng)));
    const auto needed = registers_needed(groups);
    const std::uint32_t most = *std::ranges::max_element(needed);
    const RegisterPlan plan = plan_registers(groups, most);
    std::set<std::pair<SwitchId, std::uint32_t>> taken;
    for (const RegisterSlot& slot : plan) {
      REQUIRE(slot.slot < needed[slot.image.sw]);
      REQUIRE(taken.insert({slot.image.sw, slot.slot}).second);
    }
    if (most > 0) REQUIRE_THROWS_AS(plan_registers(groups, most - 1), InternalError);
  });
}

}  // namespace
