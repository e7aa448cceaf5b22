// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/btin_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/systems/btin.hpp"
#include "systems/btin/scheme/group_lifecycle.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"
#include "systems/btin/spill_nodes.hpp"

namespace muster::btin {

using fabric::BarrierMessage;
using fabric::MessageType;
using fabric::Payload;

BtinScheme::BtinScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
    : Scheme(parts.members),
      planned_(groups),
      network_(parts.network),
      endpoints_(parts.network.endpoints()),
      formats_(parts.formats()),
      data_(parts.spec.seed, formats_.data_width(), run::own<Spec>(parts.spec).op,
            run::own<Spec>(parts.spec).data_bits),
      group_of_gid_(std::size_t{1} << formats_.gid_width(), kNone),
      traffic_(groups, parts.spec.barriers, network_.layout().channels().size(), formats_) {
  const Spec choice = run::own<Spec>(parts.spec);
  if (choice.spill) make_spill(parts);
  many_ = parts.config.groups != 0;
  may_retry_ = !many_ && !parts.config.serial && !choice.spill && !choice.in_band;
  planned_registers_ =
      many_ ? plan_places(groups, parts.config.groups)
            : plan_registers(groups, parts.config.regs, (1u << parts.config.gid_w) - 1,
                             spill_ ? spill_->ports() : std::span<const std::uint16_t>{});
  if (!choice.in_band) load_registers();
  for (const PlannedGroup& planned : groups) add_group(planned);
  note_places();
  if (choice.in_band) lifecycle_ = std::make_unique<GroupLifecycle>(parts, *this, spill_.get());
}

BtinScheme::~BtinScheme() = default;

run::Lifecycle* BtinScheme::lifecycle() { return lifecycle_.get(); }

void BtinScheme::check_with(checkers::CheckerList& checkers) {
  if (lifecycle_) lifecycle_->check_with(checkers);
}

void BtinScheme::make_spill(const run::SchemeParts& parts) {
  spill_ = std::make_unique<SpillNodes>(*parts.spec.graph, parts.homes, endpoints_, formats_);
  for (topology::SwitchId s = 0; s < parts.spec.graph->switches(); ++s)
    network_.switches().write_register(s, fabric::registers::kSpill, parts.homes.home_ports[s]);
}

void BtinScheme::add_group(const PlannedGroup& planned) {
  Group group;
  group.gid = planned.gid;
  for (const topology::NodeId n : planned.tree.members) {
    group.places.add(n);
    group.members.push_back({.node = n});
  }
  set_tree(group, planned);
  group_of_gid_.at(planned.gid) = static_cast<std::uint32_t>(groups_.size());
  groups_.push_back(std::move(group));
}

void BtinScheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                                std::span<const core::Flit> flits) {
  if (!lifecycle_ || !lifecycle_->take(cycle, node, flits))
    Scheme::receive_packet(cycle, node, flits);
}

void BtinScheme::clock(std::uint64_t cycle) {
  if (lifecycle_) lifecycle_->clock(cycle);
  Scheme::clock(cycle);
}

const topology::Routes* BtinScheme::routes() const {
  return lifecycle_ ? &lifecycle_->routes() : nullptr;
}

void BtinScheme::fill(run::RunResult& result) const {
  Result& own = run::own<Result>(result);
  if (lifecycle_) lifecycle_->fill(own);
  if (own.registers.empty()) own.registers = registers().slots;
  own.spilled = spilled_;
  if (spill_) own.spill = spill_cost(result, own, *spill_);
}

void BtinScheme::note_places() {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) note_place(g, 0);
}

void BtinScheme::note_place(std::uint32_t group, std::uint64_t first) {
  if (!spill_) return;
  const PlannedGroup& planned = planned_[group];
  std::size_t& switches = spilled_[{group, first}];
  switches = 0;
  for (const auto& image : register_images(planned.tree, planned.gid, planned.reflect))
    switches += spill_->find(image.sw, planned.gid) != nullptr;
}

void BtinScheme::set_tree(Group& group, const PlannedGroup& planned) {
  group.alone = planned.tree.alone();
  group.root = group.places[planned.tree.root_node];
  group.root_member = planned.reflect ? kNone : group.root;
}

void BtinScheme::load_registers() {
  for (const RegisterSlot& slot : planned_registers_.slots) load(slot);
}

void BtinScheme::load(const RegisterSlot& slot) {
  const RegisterImage& image = slot.image;
  if (slot.spilled) {
    spill_->reserve(image);
    spill_->commit(image.sw, image.gid);
    return;
  }
  if (many_)
    network_.switches().write_register(image.sw, fabric::window_registers::kSelect, slot.slot);
  write_words(image, many_ ? 0 : slot.slot,
              [&](topology::SwitchId sw, std::uint32_t address, std::uint32_t value) {
                network_.switches().write_register(sw, address, value);
              });
}

void BtinScheme::write_again(topology::SwitchId sw) {
  for (const RegisterSlot& slot : planned_registers_.slots)
    if (slot.image.sw == sw) load(slot);
}

RegisterPlan BtinScheme::registers() const {
  namespace regs = fabric::registers;
  RegisterPlan plan = planned_registers_;
  if (!lifecycle_) return plan;
  core::Bank& switches = network_.switches();
  for (RegisterSlot& slot : plan.slots) {
    const RegisterImage& image = slot.image;
    slot.spilled = spill_ != nullptr && spill_->find(image.sw, image.gid) != nullptr;
    const std::uint32_t count = regs::kSizesRegs.of(switches.read_register(image.sw, regs::kSizes));
    for (std::uint32_t r = 0; r < count; ++r) {
      const std::uint32_t control = switches.read_register(image.sw, regs::control(r));
      if (regs::kBarrierControlValid.of(control) != 0 &&
          regs::kBarrierControlGid.of(control) == image.gid)
        slot.slot = r;
    }
  }
  return plan;
}

std::string BtinScheme::explain(std::uint32_t group) const {
  std::vector<topology::NodeId> nodes;
  for (const Member& m : groups_[group].members) nodes.push_back(m.node);
  return explain_hang(
      {planned_, registers(), network_, members_, traffic_, nodes, spill_.get(), many_}, group);
}

void BtinScheme::send(std::uint32_t node, MessageType type, std::uint32_t gid,
                      const Payload& data) {
  endpoints_.send_sync(node, formats_.barrier_flit({type, gid, data}, 0));
}

Payload BtinScheme::brings(const Group& g, std::uint32_t member) const {
  return data_.of(g.gid, g.size(), member, g.members[member].barrier);
}

/// Computed once per barrier: no member is released from the next before all are from this one.
const Payload& BtinScheme::expected(Group& g, std::uint64_t barrier) const {
  if (g.expected_for != barrier) {
    g.expected = data_.of_all(g.gid, g.size(), barrier,
                              [&](std::uint32_t m) { return g.members[m].active; });
    g.expected_for = barrier;
  }
  return g.expected;
}

void BtinScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  g.members[member].waiting = true;
  if (member == g.root) g.last_use = cycle;
  if (g.alone) {
    members_.completed(cycle, group);
    release(cycle, group, member, brings(g, member));
  } else if (member == g.root_member) {
    distribute_if_complete(cycle, group);
  } else {
    send(g.members[member].node, MessageType::kReduction, g.gid, brings(g, member));
  }
}

void BtinScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  const BarrierMessage message = formats_.barrier_message(flit);
  if (spill_ && spill_->take(node, message)) return;
  const std::uint32_t group = group_of_gid_[message.gid];
  const std::uint32_t member = group == kNone ? kNone : groups_[group].places[node];
  if (member != kNone && groups_[group].members[member].active) {
    Group& g = groups_[group];
    const bool is_root = member == g.root_member;
    if (is_root && message.type == MessageType::kReduction && !g.notified) {
      g.notified = true;
      g.notification = message.data;
      distribute_if_complete(cycle, group);
      return;
    }
    if (!is_root && message.type == MessageType::kDistribution && g.members[member].waiting) {
      release(cycle, group, member, message.data);
      return;
    }
  }
  throw InternalError(fmt::format(
      "cycle {}, node {}: barrier message of type {} for group {} that it does not wait for", cycle,
      node, static_cast<int>(message.type), message.gid));
}

void BtinScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
                         const Payload& data) {
  Group& g = groups_[group];
  const std::uint64_t barrier = g.members[member].barrier++;
  require_data_of_all(cycle, g.members[member].node, g.gid, barrier, data, expected(g, barrier));
  g.members[member].waiting = false;
  if (member == g.root) g.last_use = cycle;
  members_.released(cycle, group, member);
}

void BtinScheme::distribute_if_complete(std::uint64_t cycle, std::uint32_t group) {
  Group& g = groups_[group];
  if (!g.notified || !g.members[g.root_member].waiting) return;
  if (holds(group, g.root_member, static_cast<std::uint32_t>(g.members[g.root_member].barrier)))
    return;
  g.notified = false;
  const Payload all = data_.both(g.notification, brings(g, g.root_member));
  send(g.members[g.root_member].node, MessageType::kDistribution, g.gid, all);
  members_.completed(cycle, group);
  release(cycle, group, g.root_member, all);
}

// ---- Changes between two barriers ------------------------------------------------------------

std::uint64_t BtinScheme::next(std::uint32_t group) const {
  const Group& g = groups_[group];
  const Member& root = g.members[g.root];
  // Its arrival is its message if the root switch reflects.
  return root.barrier + (root.waiting && g.root_member == kNone ? 1 : 0);
}

std::uint64_t BtinScheme::left(std::uint32_t group, std::uint32_t node) const {
  const Group& g = groups_[group];
  return g.members[g.places[node]].barrier;
}

void BtinScheme::hold(std::uint64_t cycle, std::uint32_t group, std::uint32_t node,
                      std::uint64_t barrier) {
  Group& g = groups_[group];
  const std::uint32_t member = g.places[node];
  g.members[member].held = barrier;
  if (member == g.root_member) distribute_if_complete(cycle, group);
}

void BtinScheme::regroup(std::uint32_t group, const BarrierTree& tree, std::uint64_t first) {
  Group& g = groups_[group];
  for (Member& m : g.members) m.active = false;
  for (const topology::NodeId n : tree.members) {
    if (g.places[n] == kNone) {
      g.places.add(n);
      g.members.push_back({.node = n, .barrier = first});
    }
    Member& m = g.members[g.places[n]];
    if (m.barrier != first) m = {.node = n, .barrier = first};
    m.active = true;
  }
  PlannedGroup& planned = planned_[group];
  planned.tree = tree;
  set_tree(g, planned);
  g.notified = false;
  g.expected_for = kNoBarrier;
  traffic_.begin_tree(group, static_cast<std::uint32_t>(first));
  std::erase_if(planned_registers_.slots, [&](const auto& slot) { return slot.group == group; });
  for (const auto& image : register_images(tree, g.gid, planned.reflect, planned.op))
    planned_registers_.slots.push_back({0, group, image, false});
  note_place(group, first);
}

}  // namespace muster::btin
