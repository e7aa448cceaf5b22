// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/run.hpp"
#include "systems/switch_kinds.hpp"
#include "topology/places.hpp"

namespace muster::packets {

/// The unicast scheme (BTIN section 4.3, Table 2): no help of the switches, a point-to-point
/// message from each member to the root node, that of the group's BTIN tree, and one back;
/// docs/systems/baselines.md.
///
/// All plans throw InputError for members that no path joins, and if barrier messages are to have a
/// virtual channel of their own: there are none.
std::unique_ptr<run::SchemePlan> plan_unicast(const run::ResolvedRun& run);

/// The star (section 4.2 of the paper on preempting switches): all members straight to the center
/// of docs/systems/bsr-tree.md and back.
std::unique_ptr<run::SchemePlan> plan_star(const run::ResolvedRun& run);

/// The multicast scheme (BTIN section 4.3, Table 2): arrivals as by unicast, releases by worms that
/// multicast switches replicate; docs/systems/baselines.md.
std::unique_ptr<run::SchemePlan> plan_multicast(const run::ResolvedRun& run);

/// The tree barrier without preemption, [4] of the paper on preempting switches: members combine
/// along a binomial tree in switch-based order, multicast back, and acknowledge
/// (docs/systems/baselines.md, Tree). Packets between nodes, in virtual channel 0.
std::unique_ptr<run::SchemePlan> plan_tree(const run::ResolvedRun& run);

inline constexpr const char* kUnitScheme = "tree-units";
inline constexpr std::uint32_t kMostUnitBuffer = 5;  ///< messages: queues have 16 flits at most

/// The tree barrier of barrier units in the switches, [4] of the paper on preempting switches
/// (docs/systems/baselines.md). Throws InputError for a switch with members of more groups than
/// it can have entries.
std::unique_ptr<run::SchemePlan> plan_units(const run::ResolvedRun& run);

/// A binomial tree over `count` places has its root at place 0; the parent of place i is i less its
/// lowest set bit. The children of a place, the farthest first, which has most to tell.
inline std::vector<std::uint32_t> binomial_children(std::uint32_t place, std::uint32_t count) {
  std::vector<std::uint32_t> children;
  const std::uint32_t limit = place == 0 ? std::bit_ceil(count) : place & -place;
  for (std::uint32_t step = limit / 2; step != 0; step /= 2)
    if (place + step < count) children.push_back(place + step);
  return children;
}

/// Unicasts from member to member that reach all of a group in ceil(log2 n) steps, over the members
/// in switch-based order: by switch, those of a switch side by side, so that the last steps stay
/// within switches (docs/systems/baselines.md, Tree): a binomial tree in this
/// order, which begins with the root, cyclic.
struct BinomialTree {
  std::vector<topology::NodeId> members;  ///< ascending; all other fields are by place in here
  std::uint32_t root = 0;
  std::vector<std::uint32_t> parent;                 ///< the root's is itself
  std::vector<std::vector<std::uint32_t>> children;  ///< in the order in which they are told
};

/// Throws InputError if the group is empty, names a node that is not there or one twice, or if the
/// root is no member.
BinomialTree plan_binomial_tree(const topology::Graph& graph,
                                std::span<const topology::NodeId> members, topology::NodeId root);

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
  explicit PacketPlan(const run::RunSpec& spec) : graph_(*spec.graph) {
    if (spec.own_barrier_vc)
      throw InputError(
          "--barrier-vc own: scheme '{}' sends packets, which share virtual channel 0 with data",
          spec.scheme);
  }

  const topology::Graph& graph_;
  std::vector<std::uint32_t> hops_;  ///< by group
  std::uint64_t packet_flits_ = 0;   ///< see run::PlanTimes
};

/// The barrier packets of groups 0, 1, ..., whose identifiers are their numbers. A packet is
/// counted on each channel, when its last flit, which says of which barrier it is, stands there.
class PacketTraffic : public run::BarrierTraffic {
 public:
  PacketTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels, std::uint32_t vcs,
                fabric::Formats formats)
      : run::BarrierTraffic(groups, barriers),
        channels_(channels),
        vcs_(vcs),
        formats_(formats),
        opcode_(channels * vcs, fabric::kOpcodeData),
        newest_(groups, 0) {}
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (event.flit.sync() || event.channel >= channels_) continue;
      std::uint8_t& opcode = opcode_[event.channel * vcs_ + event.flit.vc];
      if (event.flit.head()) opcode = fabric::Formats::opcode(event.flit);
      if (!event.flit.tail() ||
          !(fabric::is_barrier_opcode(opcode) || fabric::is_unit_opcode(opcode)))
        continue;
      const auto last = formats_.barrier_of(event.flit);
      if (last.gid >= newest_.size()) continue;
      // Barriers of a group that are on the links at once are neighbours.
      const std::uint64_t barrier = formats_.barrier_near(newest_[last.gid], last.number);
      newest_[last.gid] = std::max(newest_[last.gid], barrier);
      count(cycle, last.gid, static_cast<std::uint32_t>(barrier),
            opcode != fabric::kOpcodeArrival && opcode != fabric::kOpcodeUnitArrival);
    }
  }

 private:
  std::size_t channels_;  ///< those behind a delay pipe are not counted again
  std::uint32_t vcs_;
  fabric::Formats formats_;
  std::vector<std::uint8_t> opcode_;   ///< of the packet on a channel and virtual channel
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
};

/// The nodes of schemes whose members send each other packets of barriers.
class PacketScheme : public run::Scheme {
 public:
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    const bool whole = flits.size() == fabric::kBarrierPacketFlits;
    const auto packet = whole ? formats_.barrier_packet(flits) : fabric::BarrierPacket{};
    if (!whole || packet.destination != node || packet.gid >= places_.size() || !expected(packet))
      return Scheme::receive_packet(cycle, node, flits);
    take(cycle, packet);
  }
  run::BarrierTraffic& traffic() override { return traffic_; }

 protected:
  static constexpr std::uint32_t kNone = topology::Places::kNone;

  /// Of groups with `members`. Throws InputError if packets have no identifiers for so many.
  template <class Groups>
  PacketScheme(const Groups& groups, const run::SchemeParts& parts)
      : Scheme(parts.members),
        spec_(parts.spec),
        network_(parts.network),
        formats_(parts.formats()),
        traffic_(groups.size(), parts.spec.barriers, parts.network.layout().channels().size(),
                 parts.config.vcs, formats_) {
    const std::size_t identifiers = std::size_t{1} << formats_.gid_width();
    if (groups.size() > identifiers)
      throw InputError("{} groups, but a group identifier of {} bits has {} values", groups.size(),
                       formats_.gid_width(), identifiers);
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
  std::vector<topology::Places> places_;  ///< by group
  PacketTraffic traffic_;
};

}  // namespace muster::packets
