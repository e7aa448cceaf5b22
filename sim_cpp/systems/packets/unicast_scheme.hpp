// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/run.hpp"
#include "muster/run/scheme.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "systems/switch_kinds.hpp"
#include "topology/places.hpp"

namespace muster::packets {

/// Cycles of a hop of a packet's head over a link of latency 1 (docs/systems/barrier-switch.md).
inline constexpr std::uint32_t kPacketHop = 4;

/// The barrier packets of groups 0, 1, ..., whose identifiers are their numbers. A packet is
/// counted on each channel, when its last flit, which says of which barrier it is, stands there.
class PacketTraffic : public run::BarrierTraffic {
 public:
  PacketTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels, std::uint32_t vcs,
                fabric::Formats formats);
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;

 private:
  std::size_t channels_;  ///< those behind a delay pipe are not counted again
  std::uint32_t vcs_;
  fabric::Formats formats_;
  std::vector<std::uint8_t> opcode_;   ///< of the packet on a channel and virtual channel
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
};

/// A group whose members and root node send each other packets.
struct RootedGroup {
  std::vector<topology::NodeId> members;  ///< ascending
  std::uint32_t root_member = 0;          ///< place of the root node among them
};

/// Throws InputError if packets have no identifiers for so many groups.
void require_identifiers(std::size_t groups, const fabric::Formats& formats);

/// What the plans of packets between nodes have in common.
class PacketPlan : public run::SchemePlan {
 public:
  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  run::PlanTimes times(const fabric::SwitchConfig&) const override {
    return {.packet_flits = packet_flits_};
  }
  std::uint32_t hop_cycles(const fabric::SwitchConfig&) const override { return kPacketHop; }
  const fabric::SwitchKind& switch_kind() const override { return btin::kBarrierSwitch; }

 protected:
  /// Throws InputError if barrier messages are to have a virtual channel of their own: there are
  /// none.
  PacketPlan(const run::RunSpec& spec, const char* scheme);

  const topology::Graph& graph_;
  std::vector<std::uint32_t> hops_;  ///< by group
  std::uint64_t packet_flits_ = 0;   ///< see run::PlanTimes
};

/// The unicast scheme (BTIN section 4.3, Table 2): no help of the switches, a point-to-point
/// message from each member to the root node and one back; docs/systems/baselines.md.
class UnicastPlan : public PacketPlan {
 public:
  /// The root node of group g.
  using RootChoice = topology::NodeId (*)(const run::RunSpec& spec, std::uint32_t g);
  /// That of its BTIN tree.
  static topology::NodeId tree_root(const run::RunSpec& spec, std::uint32_t g);

  /// Throws InputError for members that no path joins, and for a virtual channel of barrier
  /// messages.
  UnicastPlan(const run::ResolvedRun& run, const char* scheme, RootChoice choose);

  /// On the ways between the members and the root node.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override;
  std::unique_ptr<const run::CheckedGroups> checked() const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 protected:
  const std::vector<RootedGroup>& groups() const { return groups_; }

 private:
  std::vector<RootedGroup> groups_;
};

/// The nodes of the unicast scheme. A member sends an arrival packet to the root node; when that
/// has one from every other member and has itself arrived, it goes on and sends each a release
/// packet, in the order of the group. All packets travel in virtual channel 0. A scheme that tells
/// the others in another way derives from it.
class UnicastScheme : public run::Scheme {
 public:
  /// Throws InputError if there are more groups than identifiers.
  UnicastScheme(const std::vector<RootedGroup>& groups, const run::SchemeParts& parts)
      : UnicastScheme(groups, parts, fabric::kOpcodeRelease) {}

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override;

 protected:
  /// `release`: the opcode of what releases.
  UnicastScheme(const std::vector<RootedGroup>& groups, const run::SchemeParts& parts,
                std::uint8_t release);
  /// All have arrived: the root node, which still is at this barrier, tells the others.
  virtual void send_releases(std::uint32_t group);
  const RootedGroup& planned_group(std::uint32_t group) const { return planned_[group]; }
  const fabric::Formats& formats() const { return formats_; }
  /// What a packet between two members, by their places, says of the barrier of the first.
  fabric::BarrierPacket barrier_packet(std::uint32_t group, std::uint32_t from,
                                       std::uint32_t to) const;
  void send_packet(std::uint32_t node, std::vector<core::Flit> flits) {
    endpoints_.send_packet(node, std::move(flits));
  }

 private:
  struct Group {
    std::vector<std::uint32_t> barrier;   ///< by member: that it waits for or goes to next
    std::vector<std::uint8_t> waiting;    ///< by member: arrived, not released
    std::vector<std::uint8_t> announced;  ///< by member: the root node has its arrival
    std::uint32_t announcements = 0;      ///< of them
    topology::Places places;
  };
  bool expected(const fabric::BarrierPacket& packet) const;
  void send(std::uint8_t opcode, std::uint32_t group, std::uint32_t from, std::uint32_t to);
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void release_all_if_complete(std::uint64_t cycle, std::uint32_t group);

  const std::vector<RootedGroup>& planned_;
  const run::RunSpec& spec_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  std::uint8_t release_opcode_;
  std::vector<Group> groups_;
  PacketTraffic traffic_;
};

/// What one barrier by packets to and from a root node asks of the network: the deterministic
/// routes between it and the other members.
struct BaselinePaths {
  std::uint32_t others = 0;      ///< members but the root node
  std::uint32_t hops_up = 0;     ///< links of all routes to the root node together
  std::uint32_t hops_worms = 0;  ///< links that the branches of worms from the root node traverse
  std::uint32_t worms = 0;       ///< of at most `worm_addresses`, in the order of `members`
};

/// REQUIRES: delivery_fault(graph, routes) finds none; `root` is one of `members`.
BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const topology::NodeId> members, topology::NodeId root,
                             std::uint32_t worm_addresses);

/// The multicast scheme (BTIN section 4.3, Table 2): arrivals as by unicast, releases by worms that
/// multicast switches replicate; docs/systems/baselines.md.
class MulticastPlan : public UnicastPlan {
 public:
  explicit MulticastPlan(const run::ResolvedRun& run);

  const fabric::SwitchKind& switch_kind() const override { return kMulticastSwitch; }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;
};

/// Nodes as in UnicastScheme, but the root node sends worms, each to the next 64 of the others in
/// the order of the group, in the worm channel.
class MulticastScheme : public UnicastScheme {
 public:
  MulticastScheme(const std::vector<RootedGroup>& groups, const run::SchemeParts& parts);

 private:
  void send_releases(std::uint32_t group) override;

  std::uint8_t worm_channel_;
};

}  // namespace muster::packets
