// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/unit_scheme.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/run/members.hpp"
#include "muster/topology/names.hpp"
#include "systems/packets/blocks/unit_registers.hpp"
#include "systems/packets/checkers/unit_trees.hpp"
#include "systems/packets/scheme/unicast_scheme.hpp"

namespace muster::packets {

using fabric::BarrierPacket;

UnitPlan::UnitPlan(const run::ResolvedRun& run) : choice_(run.spec.parts.get<Spec>()) {
  const run::RunSpec& spec = run.spec;
  check_packet_options(spec, kUnitScheme);
  if (choice_.unit_buffer < 1 || choice_.unit_buffer > kMostUnitBuffer)
    throw InputError(fmt::format("packets::Spec::unit_buffer: {} is not in 1..{}",
                                 choice_.unit_buffer, kMostUnitBuffer));
  std::vector<std::uint32_t> used(spec.graph->switches(), 0);
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    const auto& members = spec.groups[g].members;
    const topology::NodeId center = topology::choose_center(
        *spec.graph, *spec.routes, members, spec.center.value_or(topology::CenterChoice::kNearest),
        spec.seed + g);
    trees_.push_back(plan_unit_tree(*spec.graph, members, center));
    const UnitTree& tree = trees_.back();
    hops_.push_back(unit_tree_hops(*spec.graph, *spec.routes, tree));
    for (const UnitTree::Unit& unit : tree.units) ++used[unit.sw];
    // Of each edge an acknowledgement and the next arrival may be under way, of a member one.
    packet_flits_ += fabric::kBarrierPacketFlits * (2 * tree.units.size() + tree.members.size());
  }
  const auto busiest = std::max_element(used.begin(), used.end());
  entries_ = std::max(*busiest, 1u);
  if (entries_ > kUnitSwitch.max_regs)
    throw InputError(fmt::format(
        "{} has members of {} groups, but a barrier unit has {} entries at "
        "most; use fewer simultaneous groups",
        topology::switch_text(*spec.graph, static_cast<topology::SwitchId>(busiest - used.begin())),
        entries_, kUnitSwitch.max_regs));
}

void UnitPlan::require_variant(fabric::Requirement& need) const {
  need.depth = fabric::kBarrierPacketFlits * choice_.unit_buffer;
}

core::Parts UnitPlan::checked() const {
  core::Parts parts;
  auto& trees = parts.make<std::vector<checkers::UnitGroup>>();
  for (std::uint32_t g = 0; g < trees_.size(); ++g) {
    checkers::UnitGroup group{g, trees_[g].members, {}, {}};
    for (const UnitTree::Unit& unit : trees_[g].units) {
      group.switches.push_back(unit.sw);
      group.parent.push_back(unit.parent);
    }
    trees.push_back(std::move(group));
  }
  return parts;
}

std::unique_ptr<run::Scheme> UnitPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<UnitScheme>(trees_, choice_, parts);
}

UnitScheme::UnitScheme(const std::vector<UnitTree>& trees, const Spec& choice,
                       const run::SchemeParts& parts)
    : trees_(trees),
      spec_(parts.spec),
      network_(parts.network),
      formats_(parts.formats()),
      listener_(parts.members),
      traffic_(trees.size(), parts.spec.barriers, parts.network.layout().channels().size(),
               parts.config.vcs, formats_) {
  require_identifiers(trees.size(), formats_);
  for (const UnitTree& tree : trees) {
    Group group{std::vector<std::uint32_t>(tree.members.size(), 0),
                std::vector<std::uint8_t>(tree.members.size(), 0),
                std::vector<std::uint32_t>(spec_.graph->nodes(), kNone)};
    for (std::uint32_t m = 0; m < tree.members.size(); ++m) group.member_of[tree.members[m]] = m;
    groups_.push_back(std::move(group));
  }
  load_entries(choice);
}

void UnitScheme::load_entries(const Spec& choice) {
  core::Bank& switches = network_.switches();
  const std::uint32_t nodes = spec_.graph->nodes();
  std::vector<std::uint32_t> used(spec_.graph->switches(), 0);
  for (topology::SwitchId s = 0; s < used.size(); ++s) {
    switches.write_register(s, registers::kAddress, nodes + s);
    switches.write_register(s, registers::kPolicy,
                            choice.unit_waits ? registers::kPolicyWaits.mask() : 0);
  }
  for (std::uint32_t g = 0; g < trees_.size(); ++g)
    for (const UnitTree::Unit& unit : trees_[g].units) {
      const std::uint32_t e = used[unit.sw]++;
      const bool root = &unit == &trees_[g].units.front();
      switches.write_register(unit.sw, registers::entry_locals(e), unit.locals);
      switches.write_register(unit.sw, registers::entry_parent(e),
                              nodes + trees_[g].units[unit.parent].sw);
      for (std::uint32_t c = 0; c < unit.children.size(); ++c)
        switches.write_register(unit.sw, registers::entry_child(e, c),
                                nodes + trees_[g].units[unit.children[c]].sw);
      switches.write_register(
          unit.sw, registers::entry(e),
          registers::entry_word(g, root, static_cast<std::uint32_t>(unit.children.size())));
    }
}

void UnitScheme::arrive(std::uint64_t, std::uint32_t group, std::uint32_t member) {
  const topology::NodeId node = trees_[group].members[member];
  const BarrierPacket packet{node, spec_.graph->nodes() + spec_.graph->node(node).at.sw, group,
                             groups_[group].barrier[member], fabric::kOpcodeUnitArrival};
  groups_[group].waiting[member] = 1;
  network_.endpoints().send_packet(node, formats_.barrier_packet(packet, 0));
}

void UnitScheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                                std::span<const core::Flit> flits) {
  const bool whole = flits.size() == fabric::kBarrierPacketFlits;
  const BarrierPacket packet = whole ? formats_.barrier_packet(flits) : BarrierPacket{};
  const std::uint32_t member =
      packet.gid < groups_.size() ? groups_[packet.gid].member_of[node] : kNone;
  const std::uint32_t own = spec_.graph->nodes() + spec_.graph->node(node).at.sw;
  const bool expected = whole && packet.opcode == fabric::kOpcodeUnitRelease &&
                        packet.destination == node && packet.source == own && member != kNone &&
                        groups_[packet.gid].waiting[member] &&
                        formats_.barrier_near(groups_[packet.gid].barrier[member], packet.number) ==
                            groups_[packet.gid].barrier[member];
  if (!expected)
    throw InternalError(fmt::format(
        "cycle {}, node {}: packet of {} flits with opcode {} that it does not wait for", cycle,
        node, flits.size(), fabric::Formats::opcode(flits.front())));
  groups_[packet.gid].waiting[member] = 0;
  ++groups_[packet.gid].barrier[member];
  listener_.released(cycle, packet.gid, member);
}

std::string UnitScheme::explain(const run::Members& members, std::uint32_t group) const {
  const UnitTree& tree = trees_[group];
  const std::uint32_t barrier = members.current(group);
  std::vector<std::string> missing;
  for (const std::uint32_t m : members.missing(group, barrier))
    missing.push_back(topology::node_number_text(*spec_.graph, tree.members[m]));
  std::string text =
      fmt::format("group '{}' makes no progress at barrier {} since cycle {}, root {}",
                  spec_.groups[group].name, barrier, members.last_event(group),
                  topology::switch_text(*spec_.graph, tree.units.front().sw));
  if (!missing.empty())
    text += fmt::format("; members that have not arrived: {}", fmt::join(missing, ", "));
  return text + describe_units(members, group);
}

/// Those that have something to do and do not; if there is none, those of the missing members.
std::string UnitScheme::describe_units(const run::Members& members, std::uint32_t group) const {
  const UnitTree& tree = trees_[group];
  std::vector<topology::SwitchId> shown;
  for (topology::SwitchId s = 0; s < spec_.graph->switches(); ++s)
    if (!network_.switches().quiescent(s)) shown.push_back(s);
  if (shown.empty())
    for (const std::uint32_t m : members.missing(group, members.current(group)))
      shown.push_back(spec_.graph->node(tree.members[m]).at.sw);
  std::string text;
  for (std::size_t i = 0; i < shown.size() && i < kShown; ++i)
    text += fmt::format("\n  {}: {}", topology::switch_text(*spec_.graph, shown[i]),
                        network_.switches().describe(shown[i]));
  if (shown.size() > kShown) text += fmt::format("\n  and {} switches more", shown.size() - kShown);
  return text;
}

}  // namespace muster::packets
