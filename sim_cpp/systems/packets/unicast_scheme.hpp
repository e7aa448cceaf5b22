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
#include "systems/packets/checkers/packet_barriers.hpp"
#include "systems/switch_kinds.hpp"
#include "topology/places.hpp"

namespace muster::packets {

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

/// What the plans of packets between nodes have in common.
class PacketPlan : public run::SchemePlan {
 public:
  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  run::PlanTimes times(const fabric::SwitchConfig&) const override {
    return {.packet_flits = packet_flits_};
  }
  /// Of a packet's head (docs/systems/barrier-switch.md).
  std::uint32_t hop_cycles(const fabric::SwitchConfig&) const override { return 4; }
  const fabric::SwitchKind& switch_kind() const override { return btin::kBarrierSwitch; }

 protected:
  /// Throws InputError if barrier messages are to have a virtual channel of their own: there are
  /// none.
  PacketPlan(const run::RunSpec& spec, const char* scheme);

  const topology::Graph& graph_;
  std::vector<std::uint32_t> hops_;  ///< by group
  std::uint64_t packet_flits_ = 0;   ///< see run::PlanTimes
};

/// The nodes of schemes whose members send each other packets of barriers.
class PacketScheme : public run::Scheme {
 public:
  /// Throws InternalError for a packet that is not expected.
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  run::BarrierTraffic& traffic() override { return traffic_; }

 protected:
  static constexpr std::uint32_t kNone = topology::Places::kNone;

  /// Of groups with `members`. Throws InputError if packets have no identifiers for so many.
  template <class Groups>
  PacketScheme(const Groups& groups, const run::SchemeParts& parts)
      : PacketScheme(groups.size(), parts) {
    for (const auto& group : groups) places_.emplace_back(group.members);
  }
  /// The destination waits for it. REQUIRES: there is such a group.
  virtual bool expected(const fabric::BarrierPacket& packet) const = 0;
  /// It has come to its destination. REQUIRES: expected(packet).
  virtual void take(std::uint64_t cycle, const fabric::BarrierPacket& packet) = 0;
  /// From its source, in virtual channel 0.
  void send(const fabric::BarrierPacket& packet) {
    network_.endpoints().send_packet(packet.source, formats_.barrier_packet(packet, 0));
  }
  /// Of a node in a group; kNone if it is no member.
  std::uint32_t place(std::uint32_t group, topology::NodeId node) const {
    return places_[group][node];
  }
  /// It is of this barrier, as far as its number says.
  bool is_of(const fabric::BarrierPacket& packet, std::uint32_t barrier) const {
    return formats_.barrier_near(barrier, packet.number) == barrier;
  }

  const run::RunSpec& spec_;
  fabric::Network& network_;
  fabric::Formats formats_;

 private:
  PacketScheme(std::size_t groups, const run::SchemeParts& parts);

  std::vector<topology::Places> places_;  ///< by group
  PacketTraffic traffic_;
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
  std::vector<checkers::PacketGroup> groups_;
};

/// The multicast scheme (BTIN section 4.3, Table 2): arrivals as by unicast, releases by worms that
/// multicast switches replicate; docs/systems/baselines.md.
class MulticastPlan : public UnicastPlan {
 public:
  explicit MulticastPlan(const run::ResolvedRun& run);

  const fabric::SwitchKind& switch_kind() const override { return kMulticastSwitch; }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;
};

}  // namespace muster::packets
