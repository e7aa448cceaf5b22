// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/btin_scheme.hpp"

#include <fmt/format.h>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/systems/btin.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {

using fabric::BarrierMessage;
using fabric::MessageType;
using fabric::Payload;

TreeScheme::TreeScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts,
                       unsigned data_width, TreeTraffic::Messages messages)
    : Scheme(parts.members),
      planned_(groups),
      many_(variant(parts.config).groups != 0),
      labels_(variant(parts.config).labels),
      network_(parts.network),
      formats_(parts.formats()),
      data_(parts.spec.seed, data_width, run::own<Spec>(parts.spec).op,
            variant(parts.config).ops == 2 ? std::optional(0u)
                                           : run::own<Spec>(parts.spec).data_bits),
      traffic_(groups, parts.spec.barriers, network_.layout().channels().size(), formats_,
               messages) {
  if (run::own<Spec>(parts.spec).spill)
    spill_ = std::make_unique<SpillNodes>(*parts.spec.graph, parts.homes, network_.endpoints(),
                                          formats_);
  registers_ = many_ ? plan_places(groups, variant(parts.config).groups)
                     : plan_registers(groups, parts.config.regs, (1u << parts.config.gid_w) - 1,
                                      spill_ ? spill_->ports() : std::span<const std::uint16_t>{});
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

void TreeScheme::name_registers(const topology::Graph& graph) {
  plan_labels(graph, registers_);
  traffic_.name_registers(network_, registers_);
  for (const RegisterSlot& slot : registers_.slots)
    for (Member& m : groups_[slot.group].members)
      if (graph.node(m.node).at.sw == slot.image.sw) m.name = slot.slot;
}

void TreeScheme::set_tree(Group& group, const PlannedGroup& planned) {
  group.alone = planned.tree.alone();
  group.root = group.places[planned.tree.root_node];
  group.root_member = planned.reflect ? kNone : group.root;
}

void TreeScheme::load(const RegisterSlot& slot) {
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
    write(image.sw, fabric::registers::labels(slot.slot), static_cast<std::uint32_t>(slot.labels));
    write(image.sw, fabric::registers::upper_labels(slot.slot),
          static_cast<std::uint32_t>(slot.labels >> 32));
  }
  write_words(image, many_ ? 0 : slot.slot, write);
}

std::string TreeScheme::explain(std::uint32_t group) const {
  std::vector<topology::NodeId> nodes;
  for (const Member& m : groups_[group].members) nodes.push_back(m.node);
  return explain_hang(
      {planned_, registers(), network_, members_, traffic_, nodes, spill_.get(), many_}, group);
}

void TreeScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
                         const Payload& data) {
  Group& g = groups_[group];
  Member& m = g.members[member];
  const std::uint64_t barrier = m.barrier++;
  // Once per barrier: no member is released from the next before all are from this one.
  if (std::exchange(g.expected_for, barrier) != barrier)
    g.expected = data_.of_all(g.gid, g.size(), barrier,
                              [&](std::uint32_t other) { return g.members[other].active; });
  if (data != g.expected)
    throw InternalError(fmt::format(
        "cycle {}, node {}: group {}, barrier {}: released with data {:04x}:{:016x}, all members' "
        "data make {:04x}:{:016x}",
        cycle, m.node, g.gid, barrier, data.hi, data.lo, g.expected.hi, g.expected.lo));
  wait(m, false);
  if (member == g.root) g.last_use = cycle;
  members_.released(cycle, group, member);
}

BtinScheme::BtinScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
    : TreeScheme(groups, parts, parts.formats().data_width(), TreeTraffic::Messages::kOnce),
      notified_(groups.size()) {
  const Spec choice = run::own<Spec>(parts.spec);
  may_retry_ = !many_ && !variant(parts.config).serial && !choice.spill && !choice.in_band;
  for (topology::SwitchId s = 0; spill_ && s < parts.spec.graph->switches(); ++s)
    network_.switches().write_register(s, fabric::registers::kSpill, parts.homes.home_ports[s]);
  if (!choice.in_band)
    for (const RegisterSlot& slot : registers_.slots) load(slot);
  note_places();
}

void BtinScheme::fill(run::RunResult& result) const {
  Result& own = run::own<Result>(result);
  if (own.registers.empty()) own.registers = registers().slots;
  own.spilled = spilled_;
  if (spill_) own.spill = spill_cost(result, own, *spill_);
}

void BtinScheme::note_place(std::uint32_t group, std::uint64_t first) {
  if (!spill_) return;
  const PlannedGroup& planned = planned_[group];
  std::size_t& switches = spilled_[{group, first}];
  switches = 0;
  for (const auto& image : register_images(planned))
    switches += spill_->find(image.sw, planned.gid) != nullptr;
}

void BtinScheme::write_again(topology::SwitchId sw) {
  for (const RegisterSlot& slot : registers_.slots)
    if (slot.image.sw == sw) load(slot);
}

void BtinScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
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

void BtinScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
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
  throw InternalError(fmt::format(
      "cycle {}, node {}: barrier message of type {} for group {} that it does not wait for", cycle,
      node, static_cast<int>(message.type), message.gid));
}

void BtinScheme::distribute_if_complete(std::uint64_t cycle, std::uint32_t group) {
  const Group& g = groups_[group];
  const std::uint32_t root = g.root_member;
  if (!notified_[group] || !g.members[root].waiting) return;
  if (holds(group, root, static_cast<std::uint32_t>(g.members[root].barrier))) return;
  const Payload all = data_.both(*std::exchange(notified_[group], {}), brings(g, root));
  send(g.members[root].node, {MessageType::kDistribution, g.members[root].name, all});
  members_.completed(cycle, group);
  release(cycle, group, root, all);
}

}  // namespace muster::btin
