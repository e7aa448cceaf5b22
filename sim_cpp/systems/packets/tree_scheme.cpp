// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "run/groups.hpp"
#include "systems/btin/tree.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/packets/packet_schemes.hpp"

namespace muster::packets {

BinomialTree plan_binomial_tree(const topology::Graph& graph,
                                std::span<const topology::NodeId> members, topology::NodeId root) {
  BinomialTree tree;
  tree.members = topology::sorted_members(graph, members);
  const auto found = std::ranges::lower_bound(tree.members, root);
  if (found == tree.members.end() || *found != root)
    throw InputError("node {} cannot be the root: it is not a member", root);
  tree.root = static_cast<std::uint32_t>(found - tree.members.begin());
  const auto count = static_cast<std::uint32_t>(tree.members.size());
  tree.parent.assign(count, tree.root);
  tree.children.resize(count);

  std::vector<std::uint32_t> order(count);  // places
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, {}, [&](std::uint32_t place) { return graph.node(tree.members[place]).at.sw; });
  std::rotate(order.begin(), std::ranges::find(order, tree.root), order.end());
  for (std::uint32_t i = 0; i < count; ++i) {
    tree.parent[order[i]] = order[i & (i - 1)];
    for (const std::uint32_t child : binomial_children(i, count))
      tree.children[order[i]].push_back(order[child]);
  }
  return tree;
}

using fabric::BarrierPacket;

namespace {

/// That of the BTIN tree of group g.
topology::NodeId tree_root(const run::RunSpec& spec, std::uint32_t g) {
  return btin::plan_tree(*spec.graph, spec.groups[g].members).root_node;
}

/// All others are children of the root, told in the order of the group.
BinomialTree star_tree(const topology::Graph& graph, std::span<const topology::NodeId> members,
                       topology::NodeId root) {
  BinomialTree star = plan_binomial_tree(graph, members, root);
  std::ranges::fill(star.parent, star.root);
  for (auto& children : star.children) children.clear();
  for (std::uint32_t m = 0; m < star.members.size(); ++m)
    if (m != star.root) star.children[star.root].push_back(m);
  return star;
}

/// The nodes. A member that has arrived, and has the arrivals of all its children, tells its
/// parent; the root, then, and every member that is told, goes on and tells its children. With
/// acknowledgements a member whose children have all acknowledged tells its parent so; until then
/// it keeps its next arrival back. All packets travel in virtual channel 0. A scheme that tells the
/// children in another way derives from it.
class TreeScheme : public PacketScheme {
 public:
  /// `release`: the opcode of what releases.
  TreeScheme(const std::vector<BinomialTree>& trees, const run::SchemeParts& parts, bool acks,
             std::uint8_t release = fabric::kOpcodeRelease)
      : PacketScheme(trees, parts), trees_(trees), acks_(acks), release_opcode_(release) {
    for (const BinomialTree& tree : trees) phases_.emplace_back(tree.members.size());
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    advance(cycle, group, member);
  }
  std::string explain(std::uint32_t group) const override {
    const BinomialTree& tree = trees_[group];
    const std::uint32_t barrier = members_.current(group);
    std::vector<topology::NodeId> silent, unreleased;
    for (std::uint32_t m = 0; m < tree.members.size(); ++m) {
      const Phases& who = phases_[group][m];
      const bool is_silent =
          acks_ ? who.reported == barrier : m != tree.root && who.announced == barrier;
      if (is_silent && members_.waits(group, m)) silent.push_back(tree.members[m]);
      if (members_.released_from(group, tree.parent[m]) > barrier &&
          members_.released_from(group, m) == barrier)
        unreleased.push_back(tree.members[m]);
    }
    const topology::NodeId root_node = tree.members[tree.root];
    const std::string root =
        acks_ ? topology::node_number_text(*spec_.graph, root_node) : fmt::format("n{}", root_node);
    return run::stalled_text(spec_, members_, group, tree.members, ", root node " + root) +
           run::nodes_text(*spec_.graph,
                           acks_ ? "members that wait for packets of their children"
                                 : "arrival packets that the root node has not got from",
                           silent) +
           run::nodes_text(*spec_.graph, "release packets that have not reached", unreleased);
  }

 protected:
  /// A member tells its children that all have arrived at a barrier.
  virtual void send_releases(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) {
    for (const std::uint32_t child : trees_[group].children[member])
      send(fabric::kOpcodeRelease, group, member, child, barrier);
  }
  const BinomialTree& tree(std::uint32_t group) const { return trees_[group]; }

 private:
  /// Barriers in which it has done this, or was told so by its children.
  struct Phases {
    std::uint32_t reported = 0, acknowledged = 0;
    std::uint32_t reports = 0, acks = 0;  ///< of all children together
    std::uint32_t announced = 0;          ///< reports that have come to its parent
  };
  void advance(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    const BinomialTree& tree = trees_[group];
    Phases& m = phases_[group][member];
    const auto children = static_cast<std::uint32_t>(tree.children[member].size());
    if (members_.released_from(group, member) > m.acknowledged && (!acks_ || m.acks == children)) {
      m.acks = 0;
      const std::uint32_t barrier = m.acknowledged++;
      if (acks_ && member != tree.root)
        send(fabric::kOpcodeAck, group, member, tree.parent[member], barrier);
    }
    if (members_.waits(group, member) && m.reports == children && m.acknowledged == m.reported) {
      m.reports = 0;
      const std::uint32_t barrier = m.reported++;
      if (member != tree.root) {
        send(fabric::kOpcodeArrival, group, member, tree.parent[member], barrier);
      } else {
        members_.completed(cycle, group);
        go_on(cycle, group, member);
      }
    }
  }

  void go_on(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    send_releases(group, member, members_.released_from(group, member));
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
    const Phases& m = phases_[packet.gid][to];
    const bool release = packet.opcode == release_opcode_;
    if (tree.parent[release ? to : from] != (release ? from : to)) return false;
    const std::uint32_t released = members_.released_from(packet.gid, to);
    if (release) return is_of(packet, released) && m.reported > released;
    if (packet.opcode == fabric::kOpcodeArrival)
      return is_of(packet, m.reported) && phases_[packet.gid][from].announced == m.reported;
    return acks_ && packet.opcode == fabric::kOpcodeAck && is_of(packet, m.acknowledged);
  }

  void take(std::uint64_t cycle, const BarrierPacket& packet) override {
    const std::uint32_t member = place(packet.gid, packet.destination);
    if (packet.opcode == release_opcode_) return go_on(cycle, packet.gid, member);
    Phases& m = phases_[packet.gid][member];
    if (packet.opcode == fabric::kOpcodeArrival) {
      ++phases_[packet.gid][place(packet.gid, packet.source)].announced;
      ++m.reports;
    } else {
      ++m.acks;
    }
    advance(cycle, packet.gid, member);
  }

  const std::vector<BinomialTree>& trees_;
  bool acks_;
  std::uint8_t release_opcode_;
  std::vector<std::vector<Phases>> phases_;  ///< by group and member
};

/// The root node sends worms, each to the next 64 of the others in the order of the group, in the
/// worm channel.
class MulticastScheme : public TreeScheme {
 public:
  MulticastScheme(const std::vector<BinomialTree>& trees, const run::SchemeParts& parts)
      : TreeScheme(trees, parts, false, fabric::kOpcodeWorm),
        worm_channel_(static_cast<std::uint8_t>(parts.config.vcs - 1)) {}

 private:
  void send_releases(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) override {
    std::vector<std::uint32_t> others;
    for (const std::uint32_t child : tree(group).children[member])
      others.push_back(tree(group).members[child]);
    const topology::NodeId root_node = tree(group).members[member];
    const BarrierPacket payload{root_node, root_node, group, barrier, fabric::kOpcodeWorm};
    for (std::size_t first = 0; first < others.size(); first += fabric::kWormAddresses) {
      const std::size_t count =
          std::min<std::size_t>(fabric::kWormAddresses, others.size() - first);
      network_.endpoints().send_packet(
          root_node, formats_.worm({&others[first], count}, payload, worm_channel_));
    }
  }

  std::uint8_t worm_channel_;
};

/// A binomial tree with acknowledgements, or a star without.
class TreePlan : public PacketPlan {
 public:
  /// The root node of group g.
  using RootChoice = topology::NodeId (*)(const run::RunSpec& spec, std::uint32_t g);
  TreePlan(const run::ResolvedRun& run, RootChoice choose, bool acks)
      : PacketPlan(run.spec), acks_(acks) {
    const run::RunSpec& spec = run.spec;
    // Arrival and acknowledgement go up, the release goes down. Of each edge one of the three is
    // under way at a time; an acknowledgement and the next arrival may meet.
    const std::uint32_t ups = acks ? 2 : 1;
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      trees_.push_back((acks ? plan_binomial_tree : star_tree)(*spec.graph, spec.groups[g].members,
                                                               choose(spec, g)));
      const BinomialTree& tree = trees_.back();
      hops_.push_back(0);
      for (std::uint32_t m = 0; m < tree.members.size(); ++m) {
        if (m == tree.root) continue;
        const topology::NodeId child = tree.members[m], parent = tree.members[tree.parent[m]];
        hops_.back() += ups * topology::route_length(*spec.graph, *spec.routes, child, parent) +
                        topology::route_length(*spec.graph, *spec.routes, parent, child);
      }
      packet_flits_ += ups * fabric::kBarrierPacketFlits * (tree.members.size() - 1);
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
    auto checked = std::make_unique<checkers::PacketTrees>();
    if (acks_) checked->kind = checkers::PacketKind::kTrees;
    for (const BinomialTree& tree : trees_) {
      const auto members = static_cast<std::uint32_t>(tree.members.size());
      checked->groups.push_back({tree.members, tree.parent, acks_ ? members : 0});
    }
    return checked;
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<TreeScheme>(trees_, parts, acks_);
  }

 protected:
  std::vector<BinomialTree> trees_;

 private:
  bool acks_;
};

class MulticastPlan : public TreePlan {
 public:
  explicit MulticastPlan(const run::ResolvedRun& run) : TreePlan(run, tree_root, false) {
    const topology::Routes& routes = *run.spec.routes;
    hops_.clear();
    packet_flits_ = 0;
    for (const BinomialTree& group : trees_) {
      const topology::NodeId root_node = group.members[group.root];
      std::uint32_t others = 0, hops = 0;
      // The ways of the worm at hand, by the ports that it leaves by. Branches of it that part and
      // meet again in a switch stay apart: both take the link behind it.
      std::set<std::vector<topology::PortRef>> worm;
      for (const topology::NodeId n : group.members) {
        if (n == root_node) continue;
        if (others++ % fabric::kWormAddresses == 0) {
          worm.clear();
          ++hops;  // the root node's link
          packet_flits_ += fabric::kWormAddresses + fabric::kBarrierPacketFlits;
        }
        hops += topology::route_length(graph_, routes, n, root_node);
        packet_flits_ += fabric::kBarrierPacketFlits;
        std::vector<topology::PortRef> way;
        topology::walk_route(graph_, routes, root_node, n,
                             [&](topology::SwitchId s, std::uint32_t port) {
                               way.push_back({s, port});
                               hops += worm.insert(way).second ? 1 : 0;
                             });
      }
      hops_.push_back(hops);
    }
  }

  const fabric::SwitchKind& switch_kind() const override { return kMulticastSwitch; }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<MulticastScheme>(trees_, parts);
  }
};

}  // namespace

std::unique_ptr<run::SchemePlan> plan_tree(const run::ResolvedRun& run) {
  return std::make_unique<TreePlan>(run, run::center_of, true);
}

std::unique_ptr<run::SchemePlan> plan_unicast(const run::ResolvedRun& run) {
  return std::make_unique<TreePlan>(run, tree_root, false);
}

std::unique_ptr<run::SchemePlan> plan_star(const run::ResolvedRun& run) {
  return std::make_unique<TreePlan>(run, run::center_of, false);
}

std::unique_ptr<run::SchemePlan> plan_multicast(const run::ResolvedRun& run) {
  return std::make_unique<MulticastPlan>(run);
}

}  // namespace muster::packets
