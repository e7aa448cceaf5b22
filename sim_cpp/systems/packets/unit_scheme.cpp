// SPDX-License-Identifier: Apache-2.0
#include "fabric/register_map.hpp"
#include "muster/systems/packets.hpp"
#include "run/groups.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/packets/packet_schemes.hpp"

namespace muster::packets::registers {

/// Addresses and fields of the register port that switches with a barrier unit have besides those
/// of every switch (fabric/register_map.hpp), for the host's side; the prose is
/// docs/systems/baselines.md.

#include "systems/packets/unit_switch_registers.inc"

/// A word of entry e, named by its address in entry 0.
constexpr std::uint32_t entry(std::uint32_t e, std::uint32_t word) {
  return word + kEntriesWords * e;
}
constexpr std::uint32_t entry_child(std::uint32_t e, std::uint32_t c) {
  return kAddressesChild + kAddressesWords * e + c;
}
constexpr std::uint32_t entry_word(std::uint32_t gid, bool root, std::uint32_t children) {
  return kEntriesControlValid.put(1) | kEntriesControlRoot.put(root) |
         kEntriesControlChildren.put(children) | kEntriesControlGid.put(gid);
}

}  // namespace muster::packets::registers

namespace muster::packets {

using topology::SwitchId;

namespace {

/// The tree of the switches that have members of a group (docs/systems/baselines.md, Tree).
struct UnitTree {
  /// A switch in it; place 0 is the center's, the others follow in switch-based order.
  struct Unit {
    topology::SwitchId sw = 0;
    std::uint32_t parent = 0;             ///< place; the root's is itself
    std::vector<std::uint32_t> children;  ///< places, in the order in which they are told
    core::PortMask locals = 0;            ///< ports of members
  };
  std::vector<topology::NodeId> members;  ///< ascending
  std::vector<Unit> units;
};

/// Throws InputError if the group is empty, names a node that is not there or one twice, or if the
/// center is no member.
UnitTree plan_unit_tree(const topology::Graph& graph, std::span<const topology::NodeId> members,
                        topology::NodeId center) {
  UnitTree tree;
  tree.members = topology::sorted_members(graph, members);
  if (!std::ranges::binary_search(tree.members, center))
    throw InputError("node {} cannot be the center: it is not a member", center);
  std::map<SwitchId, core::PortMask> locals;
  for (const topology::NodeId n : tree.members) {
    const topology::PortRef at = graph.node(n).at;
    locals[at.sw] |= core::port_bit(at.port);
  }
  for (const auto& [sw, ports] : locals) tree.units.push_back({sw, 0, {}, ports});
  const auto first = std::ranges::find_if(
      tree.units, [&](const auto& unit) { return unit.sw == graph.node(center).at.sw; });
  std::rotate(tree.units.begin(), first, tree.units.end());
  const auto count = static_cast<std::uint32_t>(tree.units.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    tree.units[i].parent = i & (i - 1);
    tree.units[i].children = binomial_children(i, count);
  }
  return tree;
}

/// Links that the messages of one barrier traverse, node links included.
std::uint32_t unit_tree_hops(const topology::Graph& graph, const topology::Routes& routes,
                             const UnitTree& tree) {
  const auto links_between = [&](SwitchId from, SwitchId to) {
    return topology::WaysTo(graph, routes, to).walk(from, [](auto...) {});
  };
  // Of each member its arrival and its release.
  auto hops = static_cast<std::uint32_t>(2 * tree.members.size());
  for (std::uint32_t i = 1; i < tree.units.size(); ++i) {
    const SwitchId child = tree.units[i].sw, parent = tree.units[tree.units[i].parent].sw;
    // Arrival and acknowledgement go up, the release goes down.
    hops += 2 * links_between(child, parent) + links_between(parent, child);
  }
  return hops;
}

using fabric::BarrierPacket;

/// The nodes: a member sends its arrival to its own switch and is released by it.
class UnitScheme : public PacketScheme {
 public:
  UnitScheme(const std::vector<UnitTree>& trees, const Spec& choice, const run::SchemeParts& parts)
      : PacketScheme(trees, parts), trees_(trees) {
    load_entries(choice);
  }

  void arrive(std::uint64_t, std::uint32_t group, std::uint32_t member) override {
    const topology::NodeId node = trees_[group].members[member];
    send({node, switch_of(node), group, members_.released_from(group, member),
          fabric::kOpcodeUnitArrival});
  }
  std::string explain(std::uint32_t group) const override {
    const UnitTree& tree = trees_[group];
    const std::string root = topology::switch_text(*spec_.graph, tree.units.front().sw);
    return run::stalled_text(spec_, members_, group, tree.members, ", root " + root) +
           describe_units(group);
  }

 private:
  static constexpr std::size_t kShown = 8;  ///< switches in a report
  void load_entries(const Spec& choice) {
    core::Bank& switches = network_.switches();
    const std::uint32_t nodes = spec_.graph->nodes();
    std::vector<std::uint32_t> used(spec_.graph->switches(), 0);
    for (topology::SwitchId s = 0; s < used.size(); ++s) {
      switches.write_register(s, registers::kAddress, nodes + s);
      switches.write_register(s, registers::kPolicy,
                              registers::kPolicyWaits.put(choice.unit == UnitTakes::kIdle) |
                                  registers::kPolicyHolds.put(choice.unit == UnitTakes::kInOrder));
    }
    for (std::uint32_t g = 0; g < trees_.size(); ++g)
      for (const UnitTree::Unit& unit : trees_[g].units) {
        const std::uint32_t e = used[unit.sw]++;
        const bool root = &unit == &trees_[g].units.front();
        fabric::registers::write_mask(registers::entry(e, registers::kEntriesLocals), unit.locals,
                                      spec_.graph->ports(unit.sw),
                                      [&](std::uint32_t address, std::uint32_t value) {
                                        switches.write_register(unit.sw, address, value);
                                      });
        switches.write_register(unit.sw, registers::entry(e, registers::kEntriesParent),
                                nodes + trees_[g].units[unit.parent].sw);
        for (std::uint32_t c = 0; c < unit.children.size(); ++c)
          switches.write_register(unit.sw, registers::entry_child(e, c),
                                  nodes + trees_[g].units[unit.children[c]].sw);
        switches.write_register(
            unit.sw, registers::entry(e, registers::kEntriesControl),
            registers::entry_word(g, root, static_cast<std::uint32_t>(unit.children.size())));
      }
  }

  bool expected(const BarrierPacket& packet) const override {
    const std::uint32_t member = place(packet.gid, packet.destination);
    if (member == kNone || packet.opcode != fabric::kOpcodeUnitRelease) return false;
    return packet.source == switch_of(packet.destination) && members_.waits(packet.gid, member) &&
           is_of(packet, members_.released_from(packet.gid, member));
  }
  void take(std::uint64_t cycle, const BarrierPacket& packet) override {
    members_.released(cycle, packet.gid, place(packet.gid, packet.destination));
  }
  /// The address of a node's switch.
  std::uint32_t switch_of(topology::NodeId node) const {
    return spec_.graph->nodes() + spec_.graph->node(node).at.sw;
  }
  /// Those that have something to do and do not; if there is none, those of the missing members.
  std::string describe_units(std::uint32_t group) const {
    const UnitTree& tree = trees_[group];
    std::vector<topology::SwitchId> shown;
    for (topology::SwitchId s = 0; s < spec_.graph->switches(); ++s)
      if (!network_.switches().quiescent(s)) shown.push_back(s);
    if (shown.empty())
      for (const std::uint32_t m : members_.missing(group, members_.current(group)))
        shown.push_back(spec_.graph->node(tree.members[m]).at.sw);
    std::string text;
    for (std::size_t i = 0; i < shown.size() && i < kShown; ++i)
      text += fmt::format("\n  {}: {}", topology::switch_text(*spec_.graph, shown[i]),
                          network_.switches().describe(shown[i]));
    if (shown.size() > kShown)
      text += fmt::format("\n  and {} switches more", shown.size() - kShown);
    return text;
  }

  const std::vector<UnitTree>& trees_;
};

class UnitPlan : public PacketPlan {
 public:
  explicit UnitPlan(const run::ResolvedRun& run)
      : PacketPlan(run.spec), choice_(run::own<Spec>(run.spec)) {
    const run::RunSpec& spec = run.spec;
    std::vector<std::uint32_t> used(spec.graph->switches(), 0);
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      trees_.push_back(
          plan_unit_tree(*spec.graph, spec.groups[g].members, run::center_of(spec, g)));
      const UnitTree& tree = trees_.back();
      hops_.push_back(unit_tree_hops(*spec.graph, *spec.routes, tree));
      for (const UnitTree::Unit& unit : tree.units) ++used[unit.sw];
      // Of each edge an acknowledgement and the next arrival may be under way, of a member one.
      packet_flits_ += fabric::kBarrierPacketFlits * (2 * tree.units.size() + tree.members.size());
    }
    const auto busiest = std::ranges::max_element(used);
    entries_ = std::max(*busiest, 1u);
    if (entries_ > kUnitSwitch.max_regs)
      throw InputError(
          "{} has members of {} groups, but a barrier unit has {} entries at "
          "most; use fewer simultaneous groups",
          topology::switch_text(*spec.graph,
                                static_cast<topology::SwitchId>(busiest - used.begin())),
          entries_, kUnitSwitch.max_regs);
  }

  void require(fabric::Requirement& need, const run::Available&) const override {
    need.depth = fabric::kBarrierPacketFlits * choice_.unit_buffer;
    need.regs = entries_;
    need.dests = graph_.destinations();
  }
  const fabric::SwitchKind& switch_kind() const override { return kUnitSwitch; }
  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<checkers::PacketTrees>();
    checked->kind = checkers::PacketKind::kUnits;
    for (const UnitTree& tree : trees_) {
      checkers::PacketTree group{.acks = static_cast<std::uint32_t>(tree.units.size())};
      std::map<SwitchId, std::uint32_t> vertex_of;
      for (const UnitTree::Unit& unit : tree.units) {
        vertex_of[unit.sw] = static_cast<std::uint32_t>(group.addresses.size());
        group.addresses.push_back(graph_.nodes() + unit.sw);
        group.parent.push_back(unit.parent);
      }
      for (const topology::NodeId n : tree.members) {
        group.addresses.push_back(n);
        group.parent.push_back(vertex_of.at(graph_.node(n).at.sw));
      }
      checked->groups.push_back(std::move(group));
    }
    return checked;
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<UnitScheme>(trees_, choice_, parts);
  }

 private:
  Spec choice_;
  std::vector<UnitTree> trees_;
  std::uint32_t entries_ = 1;
};
}  // namespace

std::unique_ptr<run::SchemePlan> plan_units(const run::ResolvedRun& run) {
  return std::make_unique<UnitPlan>(run);
}

}  // namespace muster::packets
