// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/plan.hpp"
#include "muster/run/resolve.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/packets/scheme/packet_traffic.hpp"

namespace muster::packets {

/// A group whose members and root node send each other packets.
struct RootedGroup {
  std::string name;
  std::vector<topology::NodeId> members;  ///< ascending
  std::uint32_t root_member = 0;          ///< place of the root node among them
};

/// Throws InputError if barrier messages are to have a virtual channel of their own: schemes of
/// packets have no such messages.
void check_packet_options(const run::RunSpec& spec, const char* scheme);
/// Throws InputError if packets have no identifiers for so many groups.
void require_identifiers(std::size_t groups, const fabric::Formats& formats);

/// The unicast scheme (BTIN section 4.3, Table 2): no help of the switches, a point-to-point
/// message from each member to the root node and one back; docs/systems/baselines.md.
class UnicastPlan : public run::SchemePlan {
 public:
  /// Throws InputError for members that no path joins, and for a virtual channel of barrier
  /// messages.
  explicit UnicastPlan(const run::ResolvedRun& run) : UnicastPlan(run, "unicast", tree_root) {}

  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  run::PlanTimes times(const fabric::SwitchConfig&) const override {
    return {.packet_flits = packet_flits_};
  }
  std::uint32_t hop_cycles(const fabric::SwitchConfig&) const override { return kPacketHop; }
  const fabric::SwitchKind& switch_kind() const override { return btin::kBarrierSwitch; }
  /// On the ways between the members and the root node.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override;
  core::Parts checked() const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 protected:
  /// The root node of group g.
  using RootChoice = topology::NodeId (*)(const run::RunSpec& spec, std::uint32_t g);
  /// That of its BTIN tree.
  static topology::NodeId tree_root(const run::RunSpec& spec, std::uint32_t g);
  /// For a scheme of another name, or with other root nodes.
  UnicastPlan(const run::ResolvedRun& run, const char* scheme, RootChoice root);
  const std::vector<RootedGroup>& groups() const { return groups_; }

 private:
  const topology::Graph& graph_;
  std::vector<RootedGroup> groups_;
  std::vector<std::uint32_t> hops_;
  std::uint64_t packet_flits_ = 0;
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
  std::string explain(const run::Members& members, std::uint32_t group) const override;

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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Group {
    std::vector<std::uint32_t> barrier;    ///< by member: that it waits for or goes to next
    std::vector<std::uint8_t> waiting;     ///< by member: arrived, not released
    std::vector<std::uint8_t> announced;   ///< by member: the root node has its arrival
    std::uint32_t announcements = 0;       ///< of them
    std::vector<std::uint32_t> member_of;  ///< by node, kNone if it is no member
  };
  bool expected(const fabric::BarrierPacket& packet) const;
  void send(std::uint8_t opcode, std::uint32_t group, std::uint32_t from, std::uint32_t to);
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void release_all_if_complete(std::uint64_t cycle, std::uint32_t group);

  const std::vector<RootedGroup>& planned_;
  const topology::Graph& graph_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  std::uint8_t release_opcode_;
  run::ReleaseListener& listener_;
  std::vector<Group> groups_;
  PacketTraffic traffic_;
};

}  // namespace muster::packets
