// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/topology/group_spec.hpp"
#include "topology/bfs.hpp"
#include "topology/route_rules.hpp"

namespace muster::btin {
namespace {

/// A group sorted out by switches.
struct SortedGroup {
  std::vector<NodeId> members;            // ascending
  std::vector<SwitchId> member_switches;  // ascending
  std::vector<std::vector<NodeId>> at;    // per switch, by port
};

SortedGroup sort_out(const Graph& graph, std::span<const NodeId> members) {
  SortedGroup m{topology::sorted_members(graph, members), {}, {}};
  m.at.resize(graph.switches());
  for (const NodeId n : m.members) m.at[graph.node(n).at.sw].push_back(n);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (m.at[s].empty()) continue;
    m.member_switches.push_back(s);
    std::ranges::sort(m.at[s], {}, [&](NodeId n) { return graph.node(n).at.port; });
  }
  return m;
}

/// Searches around roots and prunes: a switch stays if it is a member switch or the parent of one
/// that stays. That removes nonmember leaves until there is none (Setup_Register, step 4).
class Pruner {
 public:
  Pruner(const topology::Neighbours& neighbours, const SortedGroup& membership)
      : membership_(membership), bfs_(neighbours), kept_(neighbours.switches()) {}

  RootCandidate around(SwitchId root) {
    bfs_.run(root);
    for (const SwitchId s : membership_.member_switches)
      if (bfs_.level(s) == topology::kUnreachable)
        throw InputError("no path joins switches {} and {} of the group; connect the network", root,
                         s);
    for (const SwitchId s : bfs_.order()) kept_[s] = !membership_.at[s].empty();
    RootCandidate result{.without_member = membership_.at[root].empty(), .root_switch = root};
    const auto& order = bfs_.order();
    for (auto s = order.rbegin(); s != order.rend(); ++s) {  // children before parents
      if (!kept_[*s]) continue;
      kept_[bfs_.parent(*s)] = true;
      // Levels fall along this order, so the first switch kept is on the deepest level.
      if (result.deepest_leaves == 0) {
        result.height = bfs_.level(*s);
        deepest_ = *s;
      }
      if (bfs_.level(*s) == result.height) ++result.deepest_leaves;
      if (*s != root) ++result.edges;
    }
    return result;
  }

  /// A member switch that was farthest from the last root.
  SwitchId deepest() const { return deepest_; }
  /// A search without pruning.
  void search(SwitchId root) { bfs_.run(root); }
  const topology::Bfs& bfs() const { return bfs_; }
  bool kept(SwitchId s) const { return kept_[s]; }

 private:
  const SortedGroup& membership_;
  topology::Bfs bfs_;
  std::vector<char> kept_;
  SwitchId deepest_ = 0;
};

/// The switches that can be the root, ascending. A group of one needs no other than its own.
std::vector<SwitchId> possible_roots(Pruner& pruner, const SortedGroup& membership, Roots roots) {
  if (roots == Roots::kMembers || membership.members.size() == 1) return membership.member_switches;
  pruner.around(membership.member_switches.front());
  std::vector<SwitchId> reached(pruner.bfs().order().begin(), pruner.bfs().order().end());
  std::ranges::sort(reached);
  return reached;
}

/// The least of root_candidates(). A tree is at least as high as its root is far from any member
/// switch, so most roots of a large network need no search: distances to a few landmarks, the
/// deepest members of trees that were higher than known, rule them out.
RootCandidate best_candidate(Pruner& pruner, const std::vector<SwitchId>& roots) {
  constexpr std::uint32_t kMostLandmarks = 32, kTried = topology::kUnreachable;
  std::vector<std::uint32_t> least(roots.size(), 0);  // height at least, by root
  RootCandidate best{.height = kTried};
  for (std::uint32_t landmarks = 0;;) {
    const auto next = std::ranges::min_element(least);
    if (*next == kTried || *next > best.height) return best;
    const RootCandidate tried = pruner.around(roots[next - least.begin()]);
    const bool higher = tried.height > *next;
    best = std::min(best, tried);
    *next = kTried;
    if (!higher || landmarks++ == kMostLandmarks) continue;
    pruner.search(pruner.deepest());
    for (std::size_t r = 0; r < roots.size(); ++r)
      least[r] = std::max(least[r], pruner.bfs().level(roots[r]));
  }
}

/// All switches of a torus are alike: with members at each of them no root is better than another,
/// and the search for the best one, which nothing would cut short, is saved.
bool alike(const Graph& graph, const SortedGroup& membership) {
  return membership.member_switches.size() == graph.switches() &&
         !topology::torus_sizes(graph).empty();
}

using core::port_bit;

BarrierTree assemble(const Graph& graph, Pruner& pruner, const SortedGroup& membership,
                     SwitchId root) {
  const RootCandidate chosen = pruner.around(root);
  BarrierTree tree;
  tree.root_switch = root;
  tree.root_node =
      membership.at[root].empty() ? membership.members.front() : membership.at[root].front();
  tree.height = chosen.height;
  tree.deepest_leaves = chosen.deepest_leaves;
  tree.members = membership.members;
  tree.member_switches = membership.member_switches;
  tree.switches.resize(graph.switches());
  for (const SwitchId s : pruner.bfs().order()) {
    if (!pruner.kept(s)) {
      tree.pruned.push_back(s);
      continue;
    }
    tree.order.push_back(s);
    TreeSwitch& here = tree.switches[s];
    here.in_tree = true;
    here.level = pruner.bfs().level(s);
    here.members = membership.at[s];
    for (const NodeId n : here.members) here.child_mask |= port_bit(graph.node(n).at.port);
    if (s == root) {
      if (!here.members.empty()) here.parent_port = graph.node(tree.root_node).at.port;
      continue;
    }
    const SwitchId parent = pruner.bfs().parent(s);
    const topology::Hop& hop = pruner.bfs().hop_to(s);
    here.parent_port = hop.to_port;
    tree.switches[parent].child_mask |= port_bit(hop.port);
    tree.edges.push_back({parent, s, hop.port, hop.to_port});
  }
  std::ranges::sort(tree.pruned);
  return tree;
}

void check_root(const Graph& graph, const SortedGroup& group, Roots roots, SwitchId root) {
  if (root >= graph.switches())
    throw InputError("switch {} does not exist; the network has {}", root, graph.switches());
  if (group.members.size() != 1 && roots == Roots::kMembers && group.at[root].empty())
    throw InputError(
        "switch {} has no member of the group that could answer as its root; choose "
        "one of {}, or a root that reflects (--turn)",
        root, fmt::join(group.member_switches, ", "));
}

void check_identifiers(std::span<const PlannedGroup> groups, std::uint32_t max_gid) {
  for (const PlannedGroup& group : groups)
    if (group.gid > max_gid)
      throw InputError(
          "group '{}' has identifier {}, but this configuration supports up to {}; "
          "choose a smaller one or a wider group identifier",
          group.name, group.gid, max_gid);
}

}  // namespace

std::vector<RootCandidate> root_candidates(const Graph& graph, std::span<const NodeId> members,
                                           Roots roots) {
  const SortedGroup membership = sort_out(graph, members);
  const topology::Neighbours neighbours(graph);
  Pruner pruner(neighbours, membership);
  std::vector<RootCandidate> list;
  for (const SwitchId s : possible_roots(pruner, membership, roots))
    list.push_back(pruner.around(s));
  return list;
}

BarrierTree plan_tree(const Graph& graph, std::span<const NodeId> members, Roots roots,
                      std::optional<SwitchId> root) {
  const SortedGroup membership = sort_out(graph, members);
  if (root) check_root(graph, membership, roots, *root);
  if (root && membership.members.size() == 1) root = membership.member_switches.front();
  const topology::Neighbours neighbours(graph);
  Pruner pruner(neighbours, membership);
  if (!root)
    root = alike(graph, membership)
               ? 0
               : best_candidate(pruner, possible_roots(pruner, membership, roots)).root_switch;
  return assemble(graph, pruner, membership, *root);
}

std::uint32_t hops(const BarrierTree& tree) {
  if (tree.alone()) return 0;
  return 2 * static_cast<std::uint32_t>(tree.edges.size() + tree.members.size());
}

double paper_latency_us(const BarrierTree& tree) {
  if (tree.alone()) return 0;
  // Whole nanoseconds until here, so that 7.16 is printed as 7.16.
  return static_cast<double>(btin::btin_latency_ns(tree.height)) / 1000.0;
}

std::uint32_t control_word(const RegisterImage& image, std::uint32_t epoch) {
  return fabric::registers::control_word(image.gid, image.parent_port, image.reflect,
                                         static_cast<std::uint32_t>(image.op)) |
         epoch << fabric::registers::kBarrierControlEpoch.low;
}

std::vector<RegisterImage> register_images(const BarrierTree& tree, std::uint32_t gid, bool reflect,
                                           fabric::ReduceOp op) {
  if (gid > kMaxGid)
    throw InputError("group identifier {} is too large; choose 0 to {}", gid, kMaxGid);
  std::vector<RegisterImage> images;
  if (tree.alone()) return images;
  images.reserve(tree.order.size());
  for (const SwitchId s : tree.order) {
    const TreeSwitch& here = tree.switches[s];
    images.push_back({s, gid, false, here.parent_port, here.child_mask, op});
  }
  RegisterImage& root = images.front();
  if (reflect) {
    root.reflect = true;
    root.parent_port = 0;
  } else {
    root.child_mask &= ~port_bit(root.parent_port);
  }
  return images;
}

void plan_group(PlannedGroup& group, const Graph& graph, std::span<const NodeId> members,
                bool organized) {
  const Roots roots = group.reflect && !organized ? Roots::kAll : Roots::kMembers;
  try {
    group.tree = plan_tree(graph, members, roots, group.root);
  } catch (const InputError& error) {
    if (!group.root) throw;
    throw InputError("--root, group '{}': {}", group.name, error.what());
  }
}

std::vector<RegisterImage> register_images(std::span<const PlannedGroup> groups) {
  std::vector<RegisterImage> images;
  for (const PlannedGroup& group : groups)
    std::ranges::copy(register_images(group), std::back_inserter(images));
  return images;
}

std::vector<std::uint32_t> registers_needed(std::span<const PlannedGroup> groups) {
  std::vector<std::uint32_t> needed;
  for (const PlannedGroup& group : groups) {
    needed.resize(std::max(needed.size(), group.tree.switches.size()));
    if (group.tree.alone()) continue;
    for (const SwitchId s : group.tree.order) ++needed[s];
  }
  return needed;
}

RegisterPlan plan_registers(std::span<const PlannedGroup> groups, std::uint32_t registers,
                            std::uint32_t max_gid, std::span<const core::PortMask> spill_ports) {
  check_identifiers(groups, max_gid);
  RegisterPlan plan;
  std::map<SwitchId, std::uint32_t> used;
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    for (const RegisterImage& image : register_images(groups[g])) {
      const bool full = used[image.sw] == registers;
      const bool spilled = full && !spill_ports.empty() && spill_ports[image.sw] != 0;
      if (full && !spilled) throw InternalError("switch {} has too few registers", image.sw);
      plan.push_back({spilled ? 0 : used[image.sw]++, g, image, spilled});
    }
  return plan;
}

void plan_labels(const Graph& graph, RegisterPlan& plan) {
  std::map<std::pair<std::uint32_t, SwitchId>, std::uint64_t> place;  // of a group in a switch
  for (const RegisterSlot& slot : plan) place[{slot.group, slot.image.sw}] = slot.slot;
  for (RegisterSlot& slot : plan) {
    const RegisterImage& image = slot.image;
    const core::PortMask edges =
        image.child_mask | (image.reflect ? 0 : port_bit(image.parent_port));
    core::for_each_bit(edges, [&](std::uint32_t p) {
      const topology::Peer& peer = graph.peer(image.sw, p);
      const SwitchId at = peer.kind == topology::Peer::Kind::kSwitch ? peer.id : image.sw;
      slot.labels |= place.at({slot.group, at}) << 4 * p;
    });
  }
}

RegisterPlan plan_places(std::span<const PlannedGroup> groups, std::uint32_t places) {
  check_identifiers(groups, places - 1);
  RegisterPlan plan;
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    for (const RegisterImage& image : register_images(groups[g]))
      plan.push_back({groups[g].gid, g, image, false});
  return plan;
}

}  // namespace muster::btin
