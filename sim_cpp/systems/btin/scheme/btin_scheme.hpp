// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/ranges.h>

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
  std::string explain(std::uint32_t group) const override;

 protected:
  class Investigation;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNoBarrier = ~std::uint64_t{0};
  struct Member {
    std::uint32_t node = 0;
    std::uint32_t name = 0;           ///< identifier of the group, or label, in its messages
    std::uint64_t held = kNoBarrier;  ///< from this barrier on it does not arrive
    bool active = true;               ///< a member now
  };
  struct Group {
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
  /// Group g has the identifier g, members in the order of groups[g].tree.members.
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
        traffic_(groups.size(), parts.spec.barriers, network_.layout(), formats_, messages) {
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
    traffic_.name_registers(registers_);
    for (const RegisterSlot& slot : registers_)
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
  fabric::Payload brings(std::uint32_t group, std::uint32_t member) const {
    if (programs_ != nullptr) return programs_->brings(group, member);
    return data_.of(group, groups_[group].size(), member, members_.released_from(group, member));
  }
  /// What data of its members make together.
  fabric::Payload both(std::uint32_t group, const fabric::Payload& a,
                       const fabric::Payload& b) const {
    return width_ == 0 ? fabric::Payload{} : fabric::reduce(planned_[group].op, a, b, width_);
  }
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
               const fabric::Payload& data) {
    Group& g = groups_[group];
    const std::uint32_t barrier = members_.released_from(group, member);
    // Once per barrier: no member is released from the next before all are from this one.
    if (std::exchange(g.expected_for, barrier) != barrier)
      g.expected = programs_ != nullptr
                       ? programs_->all(group)
                       : data_.of_all(group, g.size(), barrier,
                                      [&](std::uint32_t other) { return g.members[other].active; });
    if (data != g.expected)
      throw InternalError(
          "cycle {}, node {}: group {}, barrier {}: released with data {:04x}:{:016x}, all "
          "members' "
          "data make {:04x}:{:016x}",
          cycle, g.members[member].node, group, barrier, data.hi, data.lo, g.expected.hi,
          g.expected.lo);
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
  TreeTraffic traffic_;
};

/// Why a group makes no progress: where in its tree messages are missing, and whose arrival. Reads
/// the barrier registers of the group through the register ports and compares them with the
/// messages seen on the links. REQUIRES: the group is not done.
class TreeScheme::Investigation {
  using ChannelId = core::ChannelId;
  using Peer = topology::Peer;

 public:
  Investigation(const TreeScheme& scheme, std::uint32_t group)
      : s_(scheme),
        graph_(scheme.network_.graph()),
        group_(group),
        b_(scheme.members_.current(group)) {
    const auto& channels = s_.network_.layout().channels();
    out_.resize(graph_.switches());
    for (ChannelId c = 0; c < channels.size(); ++c) {
      const fabric::End& from = channels[c].from;
      if (from.node) continue;
      out_[from.id].resize(graph_.ports(from.id));
      out_[from.id][from.port] = c;
    }
    for (const std::uint32_t m : s_.members_.missing(group, b_))
      missing_.push_back(s_.groups_[group_].members[m].node);
  }

  std::string text() {
    for (const RegisterSlot& slot : s_.registers())
      if (slot.group == group_) examine(slot);
    if (lines_.empty()) {
      std::vector<std::string> names;
      for (const topology::NodeId n : missing_) names.push_back(node_text(n));
      lines_ = {fmt::format("members that have not arrived: {}", fmt::join(names, ", "))};
    }
    constexpr std::size_t kLines = 12;
    const std::size_t more = lines_.size() > kLines ? lines_.size() - kLines : 0;
    lines_.resize(lines_.size() - more);
    if (more != 0) lines_.push_back(fmt::format("and {} places more", more));
    return fmt::format("group '{}' makes no progress at barrier {} since cycle {}: {}",
                       s_.planned_[group_].name, b_, s_.members_.last_event(group_),
                       fmt::join(lines_, "; "));
  }

 private:
  /// The reverse of a channel, see Layout.
  static ChannelId reverse(ChannelId c) { return c ^ 1u; }
  std::string node_text(topology::NodeId n) const {
    return fmt::format("{} (n{})", topology::node_text(graph_, n), n);
  }
  bool missing(topology::NodeId n) const {
    return std::ranges::find(missing_, n) != missing_.end();
  }
  bool went_up(ChannelId c) const { return s_.traffic_.reductions(group_, c) > b_; }
  bool went_down(ChannelId c) const { return s_.traffic_.distributions(group_, c) > b_; }
  std::string name(ChannelId c) const { return s_.network_.layout().name(c); }
  template <class... Args>
  void say(topology::SwitchId sw, fmt::format_string<const Args&...> line, const Args&... args) {
    lines_.push_back(
        fmt::format("{} {}", topology::switch_text(graph_, sw), fmt::format(line, args...)));
  }

  void examine(const RegisterSlot& slot) {
    const RegisterImage& image = slot.image;
    const Progress progress = this->progress(slot);
    bool served_some = false;
    core::for_each_bit(image.child_mask,
                       [&](std::uint32_t port) { served_some |= went_down(out_[image.sw][port]); });
    if (served_some || progress.serve != 0)
      examine_downward(image);
    else if (image.reflect || !went_up(out_[image.sw][image.parent_port]))
      examine_upward(image, progress.arrived);
    else
      examine_parent(image);
  }

  /// Masks of ports.
  struct Progress {
    core::PortMask arrived = 0, serve = 0;
  };
  /// As the register has it; a spill node serves at once.
  Progress progress(const RegisterSlot& slot) const {
    const topology::SwitchId sw = slot.image.sw;
    core::Bank& switches = s_.network_.switches();
    if (slot.spilled) {
      const SpillRegister* spilled = s_.spill_->find(sw, slot.image.gid);
      return {spilled != nullptr ? spilled->arrived() : 0u, 0};
    }
    if (s_.many_) switches.write_register(sw, fabric::window_registers::kSelect, slot.slot);
    const std::uint32_t r = s_.many_ ? 0 : slot.slot;
    const auto mask = [&](std::uint32_t address) {
      return regs::read_mask(address, switches.ports(),
                             [&](std::uint32_t word) { return switches.read_register(sw, word); });
    };
    return {mask(regs::arrived(r)), mask(regs::serve(r))};
  }

  /// The switch has not yet passed the barrier upwards.
  void examine_upward(const RegisterImage& image, core::PortMask arrived) {
    const core::PortMask absent = image.child_mask & ~arrived;
    if (absent == 0 && image.reflect) say(image.sw, "has all arrivals and has not reflected");
    if (absent == 0 && !image.reflect)
      say(image.sw, "has all arrivals and has not sent its message on {}",
          name(out_[image.sw][image.parent_port]));
    core::for_each_bit(absent, [&](std::uint32_t port) {
      const Peer& peer = graph_.peer(image.sw, port);
      const ChannelId in = reverse(out_[image.sw][port]);
      if (went_up(in))
        say(image.sw, "has not taken the reduction message sent on {}", name(in));
      else if (peer.kind == Peer::Kind::kNode)
        say(image.sw, "waits for member {}, {}", node_text(peer.id),
            missing(peer.id) ? "which has not arrived" : "whose message waits in the node");
      // a child switch has a line of its own
    });
  }

  /// The switch has sent its message up and no answer has come.
  void examine_parent(const RegisterImage& image) {
    const ChannelId up = out_[image.sw][image.parent_port];
    const Peer& peer = graph_.peer(image.sw, image.parent_port);
    if (went_down(reverse(up)))
      say(image.sw, "has not taken the distribution message sent on {}", name(reverse(up)));
    else if (peer.kind == Peer::Kind::kNode && missing(peer.id))
      say(image.sw, "waits for root node {}, which has not arrived", node_text(peer.id));
    else if (peer.kind == Peer::Kind::kNode)
      say(image.sw, "waits for root node {}, notified on {}", node_text(peer.id), name(up));
  }

  void examine_downward(const RegisterImage& image) {
    core::for_each_bit(image.child_mask, [&](std::uint32_t port) {
      const ChannelId out = out_[image.sw][port];
      const Peer& peer = graph_.peer(image.sw, port);
      if (!went_down(out))
        say(image.sw, "has still to send its distribution message on {}", name(out));
      else if (peer.kind == Peer::Kind::kNode && waits(peer.id))
        say(image.sw, "sent a distribution message on {} that member {} has not got", name(out),
            node_text(peer.id));
    });
  }

  bool waits(topology::NodeId n) const {
    return s_.members_.released_from(group_, s_.groups_[group_].places[n]) <= b_;
  }

  const TreeScheme& s_;
  const Graph& graph_;
  std::uint32_t group_, b_;                  ///< the barrier at which it stands
  std::vector<std::vector<ChannelId>> out_;  ///< by switch and port
  std::vector<std::string> lines_;
  std::vector<topology::NodeId> missing_;  ///< members that have not arrived
};

inline std::string TreeScheme::explain(std::uint32_t group) const {
  return Investigation(*this, group).text();
}

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
      for (const RegisterSlot& slot : registers_) load(slot);
    note_places();
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    Group& g = groups_[group];
    if (member == g.root) g.last_use = cycle;
    if (g.alone) {
      members_.completed(cycle, group);
      release(cycle, group, member, brings(group, member));
    } else if (member == g.root_member) {
      distribute_if_complete(cycle, group);
    } else {
      send(g.members[member].node,
           {MessageType::kReduction, g.members[member].name, brings(group, member)});
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
      if (!is_root && message.type == MessageType::kDistribution && members_.waits(group, member))
        return release(cycle, group, member, message.data);
    }
    Scheme::receive_sync(cycle, node, flit);
  }
  run::FaultHandler& fault_handler() override { return *this; }
  void fill(run::RunResult& result) const override {
    Result& own = run::own<Result>(result);
    if (own.registers.empty()) own.registers = registers();
    own.spilled = spilled_;
    if (spill_) own.spill = spill_cost(result, own, *spill_);
  }

 protected:
  void distribute_if_complete(std::uint64_t cycle, std::uint32_t group) {
    const Group& g = groups_[group];
    const std::uint32_t root = g.root_member;
    if (!notified_[group] || !members_.waits(group, root)) return;
    if (holds(group, root, members_.released_from(group, root))) return;
    const Payload all = both(group, *std::exchange(notified_[group], {}), brings(group, root));
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
    for (const RegisterSlot& slot : registers_)
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
