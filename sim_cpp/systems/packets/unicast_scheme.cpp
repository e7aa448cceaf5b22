// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/unicast_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/groups.hpp"
#include "systems/btin/tree.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "topology/route_walk.hpp"

namespace muster::packets {

using fabric::Formats;

namespace {
bool counted(std::uint8_t opcode) {
  return fabric::is_barrier_opcode(opcode) || fabric::is_unit_opcode(opcode);
}
}  // namespace

PacketTraffic::PacketTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
                             std::uint32_t vcs, Formats formats)
    : run::BarrierTraffic(groups, barriers),
      channels_(channels),
      vcs_(vcs),
      formats_(formats),
      opcode_(channels * vcs, fabric::kOpcodeData),
      newest_(groups, 0) {}

void PacketTraffic::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                            std::span<const core::CreditEvent> /*credits*/) {
  for (const core::FlitEvent& event : flits) {
    if (event.flit.sync() || event.channel >= channels_) continue;
    std::uint8_t& opcode = opcode_[event.channel * vcs_ + event.flit.vc];
    if (event.flit.head()) opcode = Formats::opcode(event.flit);
    if (!event.flit.tail() || !counted(opcode)) continue;
    const auto last = formats_.barrier_of(event.flit);
    if (last.gid >= newest_.size()) continue;
    // Barriers of a group that are on the links at once are neighbours.
    const std::uint64_t barrier = formats_.barrier_near(newest_[last.gid], last.number);
    newest_[last.gid] = std::max(newest_[last.gid], barrier);
    count(cycle, last.gid, static_cast<std::uint32_t>(barrier),
          opcode != fabric::kOpcodeArrival && opcode != fabric::kOpcodeUnitArrival);
  }
}

using fabric::BarrierPacket;

topology::NodeId UnicastPlan::tree_root(const run::RunSpec& spec, std::uint32_t g) {
  return btin::plan_tree(*spec.graph, spec.groups[g].members).root_node;
}

void require_identifiers(std::size_t groups, const fabric::Formats& formats) {
  const std::size_t identifiers = std::size_t{1} << formats.gid_width();
  if (groups > identifiers)
    throw InputError(fmt::format("{} groups, but a group identifier of {} bits has {} values",
                                 groups, formats.gid_width(), identifiers));
}

PacketPlan::PacketPlan(const run::RunSpec& spec, const char* scheme) : graph_(*spec.graph) {
  if (spec.own_barrier_vc)
    throw InputError(fmt::format(
        "--barrier-vc own: scheme '{}' sends packets, which share virtual channel 0 with data",
        scheme));
}

UnicastPlan::UnicastPlan(const run::ResolvedRun& run, const char* scheme, RootChoice choose)
    : PacketPlan(run.spec, scheme) {
  const run::RunSpec& spec = run.spec;
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    const topology::NodeId root = choose(spec, g);
    RootedGroup group{topology::sorted_members(*spec.graph, spec.groups[g].members)};
    std::uint32_t hops = 0;
    for (std::uint32_t m = 0; m < group.members.size(); ++m) {
      const topology::NodeId n = group.members[m];
      if (n == root) group.root_member = m;
      if (n == root) continue;
      hops += topology::route_length(*spec.graph, *spec.routes, n, root) +
              topology::route_length(*spec.graph, *spec.routes, root, n);
    }
    // Of a member either its arrival or its release is under way.
    packet_flits_ += fabric::kBarrierPacketFlits * (group.members.size() - 1);
    groups_.push_back(std::move(group));
    hops_.push_back(hops);
  }
}

std::vector<topology::PortRef> UnicastPlan::ports(std::uint32_t group,
                                                  const topology::Routes& routes) const {
  const RootedGroup& planned = groups_[group];
  std::vector<topology::PortRef> ports;
  for (const topology::NodeId n : planned.members)
    topology::add_ways(graph_, routes, n, planned.members[planned.root_member], ports);
  return ports;
}

std::unique_ptr<const run::CheckedGroups> UnicastPlan::checked() const {
  auto checked = std::make_unique<Checked>();
  auto& groups = checked->groups;
  for (const RootedGroup& group : groups_)
    groups.push_back({static_cast<std::uint32_t>(groups.size()), group.members,
                      group.members[group.root_member]});
  return checked;
}

std::unique_ptr<run::Scheme> UnicastPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<UnicastScheme>(groups_, parts);
}

UnicastScheme::UnicastScheme(const std::vector<RootedGroup>& groups, const run::SchemeParts& parts,
                             std::uint8_t release)
    : Scheme(parts.members),
      planned_(groups),
      spec_(parts.spec),
      endpoints_(parts.network.endpoints()),
      formats_(parts.formats()),
      release_opcode_(release),
      traffic_(groups.size(), parts.spec.barriers, parts.network.layout().channels().size(),
               parts.config.vcs, formats_) {
  require_identifiers(groups.size(), formats_);
  for (const RootedGroup& planned : groups) {
    Group group;
    const std::size_t members = planned.members.size();
    group.barrier.assign(members, 0);
    group.waiting.assign(members, 0);
    group.announced.assign(members, 0);
    group.places = topology::Places(planned.members);
    groups_.push_back(std::move(group));
  }
}

BarrierPacket UnicastScheme::barrier_packet(std::uint32_t group, std::uint32_t from,
                                            std::uint32_t to) const {
  const std::vector<topology::NodeId>& nodes = planned_[group].members;
  return {nodes[from], nodes[to], group, groups_[group].barrier[from]};
}

void UnicastScheme::send(std::uint8_t opcode, std::uint32_t group, std::uint32_t from,
                         std::uint32_t to) {
  BarrierPacket packet = barrier_packet(group, from, to);
  packet.opcode = opcode;
  send_packet(packet.source, formats_.barrier_packet(packet, 0));
}

void UnicastScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  groups_[group].waiting[member] = 1;
  const std::uint32_t root = planned_[group].root_member;
  if (member == root)
    release_all_if_complete(cycle, group);
  else
    send(fabric::kOpcodeArrival, group, member, root);
}

bool UnicastScheme::expected(const BarrierPacket& packet) const {
  if (packet.gid >= groups_.size()) return false;
  const Group& g = groups_[packet.gid];
  const std::uint32_t from = g.places[packet.source], to = g.places[packet.destination];
  const std::uint32_t root = planned_[packet.gid].root_member;
  if (from == topology::Places::kNone || to == topology::Places::kNone || from == to) return false;
  if (formats_.barrier_near(g.barrier[to], packet.number) != g.barrier[to]) return false;
  if (packet.opcode == fabric::kOpcodeArrival) return to == root && !g.announced[from];
  return packet.opcode == release_opcode_ && from == root && g.waiting[to];
}

void UnicastScheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                                   std::span<const core::Flit> flits) {
  const bool whole = flits.size() == fabric::kBarrierPacketFlits;
  const BarrierPacket packet = whole ? formats_.barrier_packet(flits) : BarrierPacket{};
  if (!whole || packet.destination != node || !expected(packet)) {
    throw InternalError(fmt::format(
        "cycle {}, node {}: packet of {} flits with opcode {} that it does not wait for", cycle,
        node, flits.size(), fabric::Formats::opcode(flits.front())));
  }
  Group& g = groups_[packet.gid];
  if (packet.opcode != fabric::kOpcodeArrival) {
    release(cycle, packet.gid, g.places[node]);
    return;
  }
  g.announced[g.places[packet.source]] = 1;
  ++g.announcements;
  release_all_if_complete(cycle, packet.gid);
}

void UnicastScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  groups_[group].waiting[member] = 0;
  ++groups_[group].barrier[member];
  members_.released(cycle, group, member);
}

void UnicastScheme::release_all_if_complete(std::uint64_t cycle, std::uint32_t group) {
  Group& g = groups_[group];
  const std::uint32_t root = planned_[group].root_member;
  const auto members = static_cast<std::uint32_t>(g.barrier.size());
  if (!g.waiting[root] || g.announcements != members - 1) return;
  members_.completed(cycle, group);
  g.announcements = 0;
  std::fill(g.announced.begin(), g.announced.end(), std::uint8_t{0});
  send_releases(group);
  release(cycle, group, root);
}

void UnicastScheme::send_releases(std::uint32_t group) {
  const std::uint32_t root = planned_[group].root_member;
  for (std::uint32_t m = 0; m < planned_[group].members.size(); ++m)
    if (m != root) send(fabric::kOpcodeRelease, group, root, m);
}

std::string UnicastScheme::explain(std::uint32_t group) const {
  const RootedGroup& planned = planned_[group];
  const Group& g = groups_[group];
  const std::uint32_t barrier = members_.current(group);
  const std::vector<std::uint32_t> absent = members_.missing(group, barrier);
  const bool sent = g.barrier[planned.root_member] > barrier;
  std::vector<topology::NodeId> unannounced, unreleased;
  for (std::uint32_t m = 0; m < planned.members.size(); ++m) {
    const bool missing = std::find(absent.begin(), absent.end(), m) != absent.end();
    if (missing || m == planned.root_member || g.barrier[m] != barrier) continue;
    if (sent)
      unreleased.push_back(planned.members[m]);
    else if (!g.announced[m])
      unannounced.push_back(planned.members[m]);
  }
  return run::stalled_text(spec_, members_, group, planned.members,
                           fmt::format(", root node n{}", planned.members[planned.root_member])) +
         run::nodes_text(*spec_.graph, "arrival packets that the root node has not got from",
                         unannounced) +
         run::nodes_text(*spec_.graph, "release packets that have not reached", unreleased);
}

BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const topology::NodeId> members, topology::NodeId root,
                             std::uint32_t worm_addresses) {
  BaselinePaths paths;
  // The ways of the worm at hand, by the ports that it leaves by. Branches of it that part and meet
  // again in a switch stay apart: both take the link behind it.
  std::set<std::vector<topology::PortRef>> worm;
  for (const topology::NodeId n : members) {
    if (n == root) continue;
    if (paths.others++ % worm_addresses == 0) {
      worm.clear();
      ++paths.worms;
      ++paths.hops_worms;  // the root node's link
    }
    paths.hops_up += topology::route_length(graph, routes, n, root);
    std::vector<topology::PortRef> way;
    topology::walk_route(graph, routes, root, n, [&](topology::SwitchId s, std::uint32_t port) {
      way.push_back({s, port});
      paths.hops_worms += worm.insert(way).second ? 1 : 0;
    });
  }
  return paths;
}

MulticastPlan::MulticastPlan(const run::ResolvedRun& run)
    : UnicastPlan(run, "multicast", tree_root) {
  hops_.clear();
  packet_flits_ = 0;
  for (const RootedGroup& group : groups()) {
    const BaselinePaths paths =
        packets::baseline_paths(*run.spec.graph, *run.spec.routes, group.members,
                                group.members[group.root_member], fabric::kWormAddresses);
    hops_.push_back(paths.hops_up + paths.hops_worms);
    packet_flits_ += fabric::kBarrierPacketFlits * paths.others +
                     (fabric::kWormAddresses + fabric::kBarrierPacketFlits) * paths.worms;
  }
}

std::unique_ptr<run::Scheme> MulticastPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<MulticastScheme>(groups(), parts);
}

MulticastScheme::MulticastScheme(const std::vector<RootedGroup>& groups,
                                 const run::SchemeParts& parts)
    : UnicastScheme(groups, parts, fabric::kOpcodeWorm),
      worm_channel_(static_cast<std::uint8_t>(parts.config.vcs - 1)) {}

void MulticastScheme::send_releases(std::uint32_t group) {
  const RootedGroup& planned = planned_group(group);
  const topology::NodeId root = planned.members[planned.root_member];
  std::vector<std::uint32_t> others;
  for (const topology::NodeId n : planned.members)
    if (n != root) others.push_back(n);
  for (std::size_t first = 0; first < others.size(); first += fabric::kWormAddresses) {
    const std::size_t count = std::min<std::size_t>(fabric::kWormAddresses, others.size() - first);
    send_packet(root,
                formats().worm({&others[first], count},
                               barrier_packet(group, planned.root_member, planned.root_member),
                               worm_channel_));
  }
}

}  // namespace muster::packets
