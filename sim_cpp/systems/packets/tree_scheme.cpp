// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/groups.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/packets/packet_schemes.hpp"
#include "topology/route_walk.hpp"

namespace muster::packets {

BinomialTree plan_binomial_tree(const topology::Graph& graph,
                                std::span<const topology::NodeId> members, topology::NodeId root) {
  BinomialTree tree;
  tree.members = topology::sorted_members(graph, members);
  const auto found = std::lower_bound(tree.members.begin(), tree.members.end(), root);
  if (found == tree.members.end() || *found != root)
    throw InputError(fmt::format("node {} cannot be the root: it is not a member", root));
  tree.root = static_cast<std::uint32_t>(found - tree.members.begin());
  const auto count = static_cast<std::uint32_t>(tree.members.size());
  tree.parent.assign(count, tree.root);
  tree.children.resize(count);

  std::vector<std::uint32_t> order(count);  // places
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return graph.node(tree.members[a]).at.sw < graph.node(tree.members[b]).at.sw;
  });
  std::rotate(order.begin(), std::find(order.begin(), order.end(), tree.root), order.end());
  for (std::uint32_t i = 0; i < count; ++i) {
    tree.parent[order[i]] = order[i & (i - 1)];
    for (const std::uint32_t child : binomial_children(i, count))
      tree.children[order[i]].push_back(order[child]);
  }
  return tree;
}

using fabric::BarrierPacket;

namespace {

/// The nodes. A member that has arrived, and has the arrivals of all its children, tells its
/// parent; the root, then, and every member that is told, goes on and tells its children. A member
/// whose children have all acknowledged tells its parent so; until then it keeps its next arrival
/// back.
class TreeScheme : public PacketScheme {
 public:
  TreeScheme(const std::vector<BinomialTree>& trees, const run::SchemeParts& parts)
      : PacketScheme(trees, parts), trees_(trees) {
    for (const BinomialTree& tree : trees) states_.emplace_back(tree.members.size());
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    ++states_[group][member].arrived;
    advance(cycle, group, member);
  }
  std::string explain(std::uint32_t group) const override {
    const BinomialTree& tree = trees_[group];
    const std::uint32_t barrier = members_.current(group);
    std::vector<topology::NodeId> silent, unreleased;
    for (std::uint32_t m = 0; m < tree.members.size(); ++m) {
      const Member& who = states_[group][m];
      const Member& parent = states_[group][tree.parent[m]];
      if (who.arrived > barrier && who.reported == barrier) silent.push_back(tree.members[m]);
      if (m != tree.root && parent.released > barrier && who.released == barrier)
        unreleased.push_back(tree.members[m]);
    }
    const std::string root = topology::node_number_text(*spec_.graph, tree.members[tree.root]);
    return run::stalled_text(spec_, members_, group, tree.members, ", root node " + root) +
           run::nodes_text(*spec_.graph, "members that wait for packets of their children",
                           silent) +
           run::nodes_text(*spec_.graph, "release packets that have not reached", unreleased);
  }

 private:
  /// Barriers in which it has done this, or was told so by its children.
  struct Member {
    std::uint32_t arrived = 0, reported = 0, released = 0, acknowledged = 0;
    std::uint32_t reports = 0, acks = 0;  ///< of all children together
  };
  void advance(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    const BinomialTree& tree = trees_[group];
    Member& m = states_[group][member];
    const auto children = static_cast<std::uint32_t>(tree.children[member].size());
    if (m.released > m.acknowledged && m.acks == children) {
      m.acks = 0;
      const std::uint32_t barrier = m.acknowledged++;
      if (member != tree.root)
        send(fabric::kOpcodeAck, group, member, tree.parent[member], barrier);
    }
    if (m.arrived > m.reported && m.reports == children && m.acknowledged == m.reported) {
      m.reports = 0;
      const std::uint32_t barrier = m.reported++;
      if (member != tree.root) {
        send(fabric::kOpcodeArrival, group, member, tree.parent[member], barrier);
      } else {
        members_.completed(cycle, group);
        release(cycle, group, member);
      }
    }
  }

  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    const BinomialTree& tree = trees_[group];
    const std::uint32_t barrier = states_[group][member].released++;
    for (const std::uint32_t child : tree.children[member])
      send(fabric::kOpcodeRelease, group, member, child, barrier);
    members_.released(cycle, group, member);
    advance(cycle, group, member);  // without children it acknowledges at once
  }
  void send(std::uint8_t opcode, std::uint32_t group, std::uint32_t from, std::uint32_t to,
            std::uint32_t barrier) {
    const auto& nodes = trees_[group].members;
    PacketScheme::send({nodes[from], nodes[to], group, barrier, opcode});
  }
  bool expected(const BarrierPacket& packet) const override {
    const BinomialTree& tree = trees_[packet.gid];
    const std::uint32_t from = place(packet.gid, packet.source);
    const std::uint32_t to = place(packet.gid, packet.destination);
    if (from == kNone || to == kNone || from == to) return false;
    const Member& m = states_[packet.gid][to];
    const bool release = packet.opcode == fabric::kOpcodeRelease;
    if (tree.parent[release ? to : from] != (release ? from : to)) return false;
    const std::uint32_t number = release                                   ? m.released
                                 : packet.opcode == fabric::kOpcodeArrival ? m.reported
                                                                           : m.acknowledged;
    return is_of(packet, number) && (!release || m.reported > m.released);
  }

  void take(std::uint64_t cycle, const BarrierPacket& packet) override {
    const std::uint32_t member = place(packet.gid, packet.destination);
    if (packet.opcode == fabric::kOpcodeRelease) return release(cycle, packet.gid, member);
    Member& m = states_[packet.gid][member];
    ++(packet.opcode == fabric::kOpcodeArrival ? m.reports : m.acks);
    advance(cycle, packet.gid, member);
  }

  const std::vector<BinomialTree>& trees_;
  std::vector<std::vector<Member>> states_;  ///< by group and member
};

class TreePlan : public PacketPlan {
 public:
  explicit TreePlan(const run::ResolvedRun& run) : PacketPlan(run.spec) {
    const run::RunSpec& spec = run.spec;
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      trees_.push_back(
          plan_binomial_tree(*spec.graph, spec.groups[g].members, run::center_of(spec, g)));
      const BinomialTree& tree = trees_.back();
      std::uint32_t hops = 0;
      for (std::uint32_t m = 0; m < tree.members.size(); ++m) {
        if (m == tree.root) continue;
        const topology::NodeId child = tree.members[m], parent = tree.members[tree.parent[m]];
        // Arrival and acknowledgement go up, the release goes down.
        hops += 2 * topology::route_length(*spec.graph, *spec.routes, child, parent) +
                topology::route_length(*spec.graph, *spec.routes, parent, child);
      }
      hops_.push_back(hops);
      // Of each edge one of the three at a time; an acknowledgement and the next arrival may meet.
      packet_flits_ += 2 * fabric::kBarrierPacketFlits * (tree.members.size() - 1);
    }
  }

  /// On the ways between members and their parents.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override {
    const BinomialTree& tree = trees_[group];
    std::vector<topology::PortRef> ports;
    for (std::uint32_t m = 0; m < tree.members.size(); ++m)
      topology::add_ways(graph_, routes, tree.members[m], tree.members[tree.parent[m]], ports);
    return ports;
  }
  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<Checked>();
    for (std::uint32_t g = 0; g < trees_.size(); ++g)
      checked->trees.push_back({g, trees_[g].members, trees_[g].parent});
    return checked;
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<TreeScheme>(trees_, parts);
  }

 private:
  std::vector<BinomialTree> trees_;
};
}  // namespace

std::unique_ptr<run::SchemePlan> plan_tree(const run::ResolvedRun& run) {
  return std::make_unique<TreePlan>(run);
}

}  // namespace muster::packets
