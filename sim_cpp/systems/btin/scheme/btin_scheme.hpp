// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/barrier_data.hpp"
#include "muster/run/plan.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"
#include "systems/switch_kinds.hpp"
#include "topology/places.hpp"

namespace muster::btin {

/// The members of BTIN groups (section 3.2), whether their messages are repeated or not. A member's
/// message carries its synchronization data; the root node adds its own to those of its
/// notification. Every release is checked: a member that is not released with what the data of all
/// members make together of this barrier is an InternalError, whatever the switches between have
/// done.
class TreeScheme : public run::Scheme {
 public:
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override {
    std::vector<topology::NodeId> nodes;
    for (const Member& m : groups_[group].members) nodes.push_back(m.node);
    const RegisterPlan plan = registers();
    const Scene scene{planned_, plan, network_, members_, traffic_, nodes, spill_.get(), many_};
    return Investigation(scene, group).text();
  }

 protected:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNoBarrier = ~std::uint64_t{0};
  struct Member {
    std::uint32_t node = 0;
    std::uint32_t name = 0;           ///< identifier of the group, or label, in its messages
    std::uint64_t barrier = 0;        ///< that it waits for or goes to next
    std::uint64_t held = kNoBarrier;  ///< from this one on it does not arrive
    bool waiting = false;             ///< arrived, not released
    bool active = true;               ///< a member now
  };
  struct Group {
    std::uint32_t gid = 0;
    bool alone = false;                       ///< needs no message
    std::uint32_t root = 0;                   ///< the member at the root node
    std::uint32_t root_member = kNone;        ///< the same; kNone if the root switch reflects
    std::uint64_t last_use = 0;               ///< cycle in which the root arrived or was released
    std::uint64_t expected_for = kNoBarrier;  ///< the barrier of `expected`
    fabric::Payload expected;                 ///< of all members' data
    std::vector<Member> members;
    topology::Places places;  ///< of all that ever were members

    std::uint32_t size() const { return static_cast<std::uint32_t>(members.size()); }
  };
  /// Group g has the identifier groups[g].gid, members in the order of groups[g].tree.members.
  /// `data_width`: bits of a message.
  TreeScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts,
             unsigned data_width, TreeTraffic::Messages messages)
      : Scheme(parts.members),
        planned_(groups),
        many_(variant(parts.config).groups != 0),
        labels_(variant(parts.config).labels),
        network_(parts.network),
        programs_(parts.spec.programs.get()),
        formats_(parts.formats()),
        width_(variant(parts.config).ops == 2 ? 0 : data_width),
        data_(parts.spec.seed, data_width, run::own<Spec>(parts.spec).op,
              variant(parts.config).ops == 2 ? std::optional(0u)
                                             : run::own<Spec>(parts.spec).data_bits),
        traffic_(groups, parts.spec.barriers, network_.layout().channels().size(), formats_,
                 messages) {
    if (programs_ != nullptr) programs_->carry(width_);
    if (run::own<Spec>(parts.spec).spill)
      spill_ = std::make_unique<SpillNodes>(*parts.spec.graph, parts.homes, network_.endpoints(),
                                            formats_);
    registers_ = many_
                     ? plan_places(groups, variant(parts.config).groups)
                     : plan_registers(groups, parts.config.regs, (1u << parts.config.gid_w) - 1,
                                      spill_ ? spill_->ports() : std::span<const core::PortMask>{});
    for (const PlannedGroup& planned : groups) {
      Group group;
      group.gid = planned.gid;
      group.places = topology::Places(planned.tree.members);
      for (const topology::NodeId n : planned.tree.members)
        group.members.push_back({.node = n, .name = planned.gid});
      set_tree(group, planned);
      groups_.push_back(std::move(group));
    }
    if (labels_) name_registers(*parts.spec.graph);
  }

  /// Where the groups are now.
  virtual RegisterPlan registers() const { return registers_; }
  /// Writes a register through the port of its switch.
  void load(const RegisterSlot& slot) {
    const RegisterImage& image = slot.image;
    if (slot.spilled) {
      spill_->reserve(image);
      spill_->commit(image.sw, image.gid);
      return;
    }
    const auto write = [&](topology::SwitchId sw, std::uint32_t address, std::uint32_t value) {
      network_.switches().write_register(sw, address, value);
    };
    if (many_) write(image.sw, fabric::window_registers::kSelect, slot.slot);
    if (labels_) {
      write(image.sw, fabric::registers::labels(slot.slot),
            static_cast<std::uint32_t>(slot.labels));
      write(image.sw, fabric::registers::upper_labels(slot.slot),
            static_cast<std::uint32_t>(slot.labels >> 32));
    }
    write_words(image, many_ ? 0 : slot.slot, network_.graph().ports(image.sw), write);
  }
  /// Of switches with labels: what registers and members have in their messages.
  void name_registers(const topology::Graph& graph) {
    plan_labels(graph, registers_);
    traffic_.name_registers(network_, registers_);
    for (const RegisterSlot& slot : registers_.slots)
      for (Member& m : groups_[slot.group].members)
        if (graph.node(m.node).at.sw == slot.image.sw) m.name = slot.slot;
  }
  static void set_tree(Group& group, const PlannedGroup& planned) {
    group.alone = planned.tree.alone();
    group.root = group.places[planned.tree.root_node];
    group.root_member = planned.reflect ? kNone : group.root;
  }
  void send(std::uint32_t node, const fabric::BarrierMessage& message) {
    network_.endpoints().send_sync(node, formats_.barrier_flit(message, 0));
  }
  fabric::Payload brings(const Group& g, std::uint32_t member) const {
    if (programs_ != nullptr)
      return programs_->brings(static_cast<std::uint32_t>(&g - groups_.data()), member);
    return data_.of(g.gid, g.size(), member, g.members[member].barrier);
  }
  /// What data of its members make together.
  fabric::Payload both(std::uint32_t group, const fabric::Payload& a,
                       const fabric::Payload& b) const {
    return width_ == 0 ? fabric::Payload{} : fabric::reduce(planned_[group].op, a, b, width_);
  }
  /// The member waits for its release, or no more.
  void wait(Member& member, bool waiting) {
    waiting_ += waiting;
    waiting_ -= member.waiting;
    member.waiting = waiting;
  }
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
               const fabric::Payload& data) {
    Group& g = groups_[group];
    Member& m = g.members[member];
    const std::uint64_t barrier = m.barrier++;
    // Once per barrier: no member is released from the next before all are from this one.
    if (std::exchange(g.expected_for, barrier) != barrier)
      g.expected = programs_ != nullptr
                       ? programs_->all(group)
                       : data_.of_all(g.gid, g.size(), barrier,
                                      [&](std::uint32_t other) { return g.members[other].active; });
    if (data != g.expected)
      throw InternalError(
          "cycle {}, node {}: group {}, barrier {}: released with data {:04x}:{:016x}, all "
          "members' "
          "data make {:04x}:{:016x}",
          cycle, m.node, g.gid, barrier, data.hi, data.lo, g.expected.hi, g.expected.lo);
    wait(m, false);
    if (member == g.root) g.last_use = cycle;
    if (programs_ != nullptr) programs_->takes(group, member, data);
    members_.released(cycle, group, member);
  }

  std::vector<PlannedGroup> planned_;
  RegisterPlan registers_;             ///< as planned
  bool many_;                          ///< switches with groups in block RAM
  bool labels_;                        ///< switches with labels
  std::unique_ptr<SpillNodes> spill_;  ///< nullptr if no group may be spilled
  fabric::Network& network_;
  run::Programs* programs_;  ///< nullptr: the data are those of `data_`
  fabric::Formats formats_;
  unsigned width_;  ///< bits of data in a message, 0 if switches ignore them
  run::BarrierData data_;
  std::vector<Group> groups_;
  std::uint64_t waiting_ = 0;  ///< members
  TreeTraffic traffic_;
};

/// A member sends a reduction message when it arrives and is released by a distribution message.
/// The root node is told by a reduction message that all others have arrived; once it has arrived
/// too, it sends the distribution message and goes on. A `reflect` group has no such node: its root
/// switch reflects, and the root node is a member like the others.
class BtinScheme : public TreeScheme, private run::FaultHandler {
 public:
  /// Gives each group a register, or a place in the spill node, on every switch of its tree. Throws
  /// InputError if there are too few registers or the identifiers do not fit.
  BtinScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
      : TreeScheme(groups, parts, parts.formats().data_width(), TreeTraffic::Messages::kOnce),
        notified_(groups.size()) {
    const Spec choice = run::own<Spec>(parts.spec);
    may_retry_ = !many_ && !variant(parts.config).serial && !choice.spill && !choice.in_band;
    for (topology::SwitchId s = 0; spill_ && s < parts.spec.graph->switches(); ++s)
      network_.switches().write_register(s, fabric::registers::kSpill,
                                         static_cast<std::uint32_t>(parts.homes.home_ports[s]));
    if (!choice.in_band)
      for (const RegisterSlot& slot : registers_.slots) load(slot);
    note_places();
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    Group& g = groups_[group];
    wait(g.members[member], true);
    if (member == g.root) g.last_use = cycle;
    if (g.alone) {
      members_.completed(cycle, group);
      release(cycle, group, member, brings(g, member));
    } else if (member == g.root_member) {
      distribute_if_complete(cycle, group);
    } else {
      send(g.members[member].node,
           {MessageType::kReduction, g.members[member].name, brings(g, member)});
    }
  }
  bool holds(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) const override {
    return barrier >= groups_[group].members[member].held;
  }
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override {
    const BarrierMessage message = formats_.barrier_message(flit);
    if (spill_ && spill_->take(node, message)) return;
    const std::uint32_t group = traffic_.group_of(network_.layout().into_node(node), message.gid);
    const std::uint32_t member = group == kNone ? kNone : groups_[group].places[node];
    if (member != kNone && groups_[group].members[member].active) {
      const Group& g = groups_[group];
      const bool is_root = member == g.root_member;
      if (is_root && message.type == MessageType::kReduction && !notified_[group]) {
        notified_[group] = message.data;
        return distribute_if_complete(cycle, group);
      }
      if (!is_root && message.type == MessageType::kDistribution && g.members[member].waiting)
        return release(cycle, group, member, message.data);
    }
    throw InternalError(
        "cycle {}, node {}: barrier message of type {} for group {} that it does not wait for",
        cycle, node, static_cast<int>(message.type), message.gid);
  }
  run::FaultHandler& fault_handler() override { return *this; }
  void fill(run::RunResult& result) const override {
    Result& own = run::own<Result>(result);
    if (own.registers.empty()) own.registers = registers().slots;
    own.spilled = spilled_;
    if (spill_) own.spill = spill_cost(result, own, *spill_);
  }

 protected:
  void distribute_if_complete(std::uint64_t cycle, std::uint32_t group) {
    const Group& g = groups_[group];
    const std::uint32_t root = g.root_member;
    if (!notified_[group] || !g.members[root].waiting) return;
    if (holds(group, root, static_cast<std::uint32_t>(g.members[root].barrier))) return;
    const Payload all = both(group, *std::exchange(notified_[group], {}), brings(g, root));
    send(g.members[root].node, {MessageType::kDistribution, g.members[root].name, all});
    members_.completed(cycle, group);
    release(cycle, group, root, all);
  }
  /// What barriers of the group are counted as from barrier `first` on, by where it lives now.
  void note_place(std::uint32_t group, std::uint64_t first) {
    if (!spill_) return;
    const PlannedGroup& planned = planned_[group];
    std::size_t& switches = spilled_[{group, first}];
    switches = 0;
    for (const auto& image : register_images(planned))
      switches += spill_->find(image.sw, planned.gid) != nullptr;
  }
  /// The same of all groups, from their first barrier on.
  void note_places() {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) note_place(g, 0);
  }

  /// By group: the data with which its root node was told that all others have arrived.
  std::vector<std::optional<fabric::Payload>> notified_;

 private:
  // run::FaultHandler
  void write_again(topology::SwitchId sw) override {
    for (const RegisterSlot& slot : registers_.slots)
      if (slot.image.sw == sw) load(slot);
  }
  std::string survivors_need() const override { return may_retry_ ? "--retry" : ""; }

  bool may_retry_;  ///< the run would not be refused with --retry
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> spilled_;  ///< as in Result
};

/// BtinScheme with groups that are set up, and may change, by messages (group_lifecycle.cpp).
std::unique_ptr<run::Scheme> in_band_scheme(const std::vector<PlannedGroup>& groups,
                                            const run::SchemeParts& parts);
/// TreeScheme with registers that repeat (retry_scheme.cpp).
std::unique_ptr<run::Scheme> retry_scheme(const std::vector<PlannedGroup>& groups,
                                          const run::SchemeParts& parts);

}  // namespace muster::btin
