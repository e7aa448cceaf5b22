// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/groups.hpp"
#include "systems/btin/tree.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/packets/packet_schemes.hpp"
#include "topology/route_walk.hpp"

namespace muster::packets {
namespace {

using fabric::BarrierPacket;

/// That of the BTIN tree of group g.
topology::NodeId tree_root(const run::RunSpec& spec, std::uint32_t g) {
  return btin::plan_tree(*spec.graph, spec.groups[g].members).root_node;
}

/// The nodes of the unicast scheme. A member sends an arrival packet to the root node; when that
/// has one from every other member and has itself arrived, it goes on and sends each a release
/// packet, in the order of the group. All packets travel in virtual channel 0. A scheme that tells
/// the others in another way derives from it.
class UnicastScheme : public PacketScheme {
 public:
  /// `release`: the opcode of what releases.
  UnicastScheme(const std::vector<checkers::PacketGroup>& groups, const run::SchemeParts& parts,
                std::uint8_t release = fabric::kOpcodeRelease)
      : PacketScheme(groups, parts), planned_(groups), release_opcode_(release) {
    for (const checkers::PacketGroup& group : groups)
      groups_.push_back({std::vector<Member>(group.members.size())});
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    groups_[group].members[member].waiting = true;
    if (member == root(group))
      release_all_if_complete(cycle, group);
    else
      send(packet(fabric::kOpcodeArrival, group, member, root(group)));
  }
  std::string explain(std::uint32_t group) const override {
    const checkers::PacketGroup& planned = planned_[group];
    const std::vector<Member>& states = groups_[group].members;
    const std::uint32_t barrier = members_.current(group);
    const std::vector<std::uint32_t> absent = members_.missing(group, barrier);
    const bool sent = states[root(group)].barrier > barrier;
    std::vector<topology::NodeId> unannounced, unreleased;
    for (std::uint32_t m = 0; m < states.size(); ++m) {
      const bool missing = std::find(absent.begin(), absent.end(), m) != absent.end();
      if (missing || m == root(group) || states[m].barrier != barrier) continue;
      if (sent)
        unreleased.push_back(planned.members[m]);
      else if (!states[m].announced)
        unannounced.push_back(planned.members[m]);
    }
    return run::stalled_text(spec_, members_, group, planned.members,
                             fmt::format(", root node n{}", planned.root_node)) +
           run::nodes_text(*spec_.graph, "arrival packets that the root node has not got from",
                           unannounced) +
           run::nodes_text(*spec_.graph, "release packets that have not reached", unreleased);
  }

 protected:
  /// All have arrived: the root node, which still is at this barrier, tells the others.
  virtual void send_releases(std::uint32_t group) {
    for (std::uint32_t m = 0; m < groups_[group].members.size(); ++m)
      if (m != root(group)) send(packet(fabric::kOpcodeRelease, group, root(group), m));
  }
  const checkers::PacketGroup& planned(std::uint32_t group) const { return planned_[group]; }
  /// What a packet between two members, by their places, says of the barrier of the first.
  fabric::BarrierPacket packet(std::uint8_t opcode, std::uint32_t group, std::uint32_t from,
                               std::uint32_t to) const {
    const std::vector<topology::NodeId>& nodes = planned_[group].members;
    return {nodes[from], nodes[to], group, groups_[group].members[from].barrier, opcode};
  }
  /// The place of the root node.
  std::uint32_t root(std::uint32_t group) const { return place(group, planned_[group].root_node); }

 private:
  struct Member {
    std::uint32_t barrier = 0;  ///< that it waits for or goes to next
    bool waiting = false;       ///< arrived, not released
    bool announced = false;     ///< the root node has its arrival
  };
  struct Group {
    std::vector<Member> members;
    std::uint32_t announcements = 0;
  };
  bool expected(const BarrierPacket& packet) const override {
    const std::uint32_t g = packet.gid;
    const std::uint32_t from = place(g, packet.source), to = place(g, packet.destination);
    if (from == kNone || to == kNone || from == to) return false;
    const Member& receiver = groups_[g].members[to];
    if (!is_of(packet, receiver.barrier)) return false;
    if (packet.opcode == fabric::kOpcodeArrival)
      return to == root(g) && !groups_[g].members[from].announced;
    return packet.opcode == release_opcode_ && from == root(g) && receiver.waiting;
  }

  void take(std::uint64_t cycle, const BarrierPacket& packet) override {
    Group& g = groups_[packet.gid];
    if (packet.opcode != fabric::kOpcodeArrival)
      return release(cycle, packet.gid, place(packet.gid, packet.destination));
    g.members[place(packet.gid, packet.source)].announced = true;
    ++g.announcements;
    release_all_if_complete(cycle, packet.gid);
  }
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    groups_[group].members[member].waiting = false;
    ++groups_[group].members[member].barrier;
    members_.released(cycle, group, member);
  }
  void release_all_if_complete(std::uint64_t cycle, std::uint32_t group) {
    Group& g = groups_[group];
    if (!g.members[root(group)].waiting || g.announcements != g.members.size() - 1) return;
    members_.completed(cycle, group);
    g.announcements = 0;
    for (Member& member : g.members) member.announced = false;
    send_releases(group);
    release(cycle, group, root(group));
  }

  const std::vector<checkers::PacketGroup>& planned_;
  std::uint8_t release_opcode_;
  std::vector<Group> groups_;
};

/// Nodes as in UnicastScheme, but the root node sends worms, each to the next 64 of the others in
/// the order of the group, in the worm channel.
class MulticastScheme : public UnicastScheme {
 public:
  MulticastScheme(const std::vector<checkers::PacketGroup>& groups, const run::SchemeParts& parts)
      : UnicastScheme(groups, parts, fabric::kOpcodeWorm),
        worm_channel_(static_cast<std::uint8_t>(parts.config.vcs - 1)) {}

 private:
  void send_releases(std::uint32_t group) override {
    const topology::NodeId root_node = planned(group).root_node;
    std::vector<std::uint32_t> others;
    for (const topology::NodeId n : planned(group).members)
      if (n != root_node) others.push_back(n);
    const BarrierPacket payload = packet(fabric::kOpcodeWorm, group, root(group), root(group));
    for (std::size_t first = 0; first < others.size(); first += fabric::kWormAddresses) {
      const std::size_t count =
          std::min<std::size_t>(fabric::kWormAddresses, others.size() - first);
      network_.endpoints().send_packet(
          root_node, formats_.worm({&others[first], count}, payload, worm_channel_));
    }
  }

  std::uint8_t worm_channel_;
};

class UnicastPlan : public PacketPlan {
 public:
  /// The root node of group g.
  using RootChoice = topology::NodeId (*)(const run::RunSpec& spec, std::uint32_t g);
  UnicastPlan(const run::ResolvedRun& run, RootChoice choose) : PacketPlan(run.spec) {
    const run::RunSpec& spec = run.spec;
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      const topology::NodeId root = choose(spec, g);
      groups_.push_back({g, topology::sorted_members(*spec.graph, spec.groups[g].members), root});
      hops_.push_back(0);
      for (const topology::NodeId n : groups_.back().members)
        if (n != root)
          hops_.back() += topology::route_length(*spec.graph, *spec.routes, n, root) +
                          topology::route_length(*spec.graph, *spec.routes, root, n);
      // Of a member either its arrival or its release is under way.
      packet_flits_ += fabric::kBarrierPacketFlits * (groups_.back().members.size() - 1);
    }
  }

  /// On the ways between the members and the root node.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override {
    std::vector<topology::PortRef> ports;
    for (const topology::NodeId n : groups_[group].members)
      topology::add_ways(graph_, routes, n, groups_[group].root_node, ports);
    return ports;
  }
  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<Checked>();
    checked->groups = groups_;
    return checked;
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<UnicastScheme>(groups_, parts);
  }

 protected:
  std::vector<checkers::PacketGroup> groups_;
};

class MulticastPlan : public UnicastPlan {
 public:
  explicit MulticastPlan(const run::ResolvedRun& run) : UnicastPlan(run, tree_root) {
    const topology::Routes& routes = *run.spec.routes;
    hops_.clear();
    packet_flits_ = 0;
    for (const checkers::PacketGroup& group : groups_) {
      std::uint32_t others = 0, hops = 0;
      // The ways of the worm at hand, by the ports that it leaves by. Branches of it that part and
      // meet again in a switch stay apart: both take the link behind it.
      std::set<std::vector<topology::PortRef>> worm;
      for (const topology::NodeId n : group.members) {
        if (n == group.root_node) continue;
        if (others++ % fabric::kWormAddresses == 0) {
          worm.clear();
          ++hops;  // the root node's link
          packet_flits_ += fabric::kWormAddresses + fabric::kBarrierPacketFlits;
        }
        hops += topology::route_length(graph_, routes, n, group.root_node);
        packet_flits_ += fabric::kBarrierPacketFlits;
        std::vector<topology::PortRef> way;
        topology::walk_route(graph_, routes, group.root_node, n,
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
    return std::make_unique<MulticastScheme>(groups_, parts);
  }
};
}  // namespace

std::unique_ptr<run::SchemePlan> plan_unicast(const run::ResolvedRun& run) {
  return std::make_unique<UnicastPlan>(run, tree_root);
}

std::unique_ptr<run::SchemePlan> plan_star(const run::ResolvedRun& run) {
  return std::make_unique<UnicastPlan>(run, run::center_of);
}

std::unique_ptr<run::SchemePlan> plan_multicast(const run::ResolvedRun& run) {
  return std::make_unique<MulticastPlan>(run);
}

}  // namespace muster::packets
