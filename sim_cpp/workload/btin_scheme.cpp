// SPDX-License-Identifier: Apache-2.0
#include "workload/btin_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "network/register_map.hpp"
#include "workload/hang_report.hpp"

namespace muster::workload {

using network::BarrierMessage;
using network::MessageType;
using network::Payload;

BtinPlan::BtinPlan(const RunSpec& spec) {
  for (const RunGroup& group : spec.groups) {
    groups_.push_back({group.name, static_cast<std::uint32_t>(groups_.size()), spec.turn,
                       barrier::plan_tree(*spec.graph, group.members), spec.op});
    if (!spec.in_band) continue;
    // An announcement for each member; at each switch of the tree a request or answer and messages
    // of its representative or keeper.
    const barrier::BarrierTree& tree = groups_.back().tree;
    packet_flits_ += tree.members.size() * (5 + spec.graph->nodes() / 16 + 1) +
                     tree.order.size() * 4 * network::kRequestFlits;
  }
}

checkers::Groups BtinPlan::checked() const {
  checkers::Groups groups;
  for (const barrier::PlannedGroup& group : groups_)
    groups.trees.push_back(checkers::group_of(group));
  return groups;
}

std::unique_ptr<Scheme> BtinPlan::start(const SchemeParts& parts) const {
  return std::make_unique<BtinScheme>(groups_, parts);
}

BtinScheme::BtinScheme(const std::vector<barrier::PlannedGroup>& groups, const SchemeParts& parts)
    : planned_(groups),
      planned_registers_(barrier::plan_registers(
          groups, parts.config.regs, (1u << parts.config.gid_w) - 1,
          parts.spill != nullptr ? parts.spill->ports() : std::span<const std::uint16_t>{})),
      in_band_(parts.spec.in_band),
      spill_(parts.spill),
      network_(parts.network),
      endpoints_(parts.network.endpoints()),
      formats_(parts.formats()),
      data_(parts.spec.seed, formats_.data_width(), parts.spec.op),
      listener_(parts.listener),
      group_of_gid_(std::size_t{1} << formats_.gid_width(), kNone),
      traffic_(groups, parts.spec.barriers, network_.layout().channels().size(), formats_) {
  if (!in_band_) load_registers();
  for (const barrier::PlannedGroup& planned : groups) {
    Group group;
    group.gid = planned.gid;
    group.alone = planned.tree.alone();
    group.nodes.assign(planned.tree.members.begin(), planned.tree.members.end());
    group.waiting.assign(group.nodes.size(), 0);
    group.barrier.assign(group.nodes.size(), 0);
    group.member_of.assign(endpoints_.blocks(), kNone);
    for (std::uint32_t m = 0; m < group.nodes.size(); ++m) group.member_of[group.nodes[m]] = m;
    if (!planned.turn) group.root_member = group.member_of[planned.tree.root_node];
    group_of_gid_.at(planned.gid) = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back(std::move(group));
  }
}

void BtinScheme::load_registers() {
  namespace regs = network::registers;
  for (const barrier::RegisterSlot& slot : planned_registers_.slots) {
    const barrier::RegisterImage& image = slot.image;
    if (slot.spilled) {
      spill_->reserve(image);
      spill_->commit(image.sw, image.gid);
      continue;
    }
    network_.switches().write_register(image.sw, regs::children(slot.slot), image.child_mask);
    network_.switches().write_register(image.sw, regs::control(slot.slot),
                                       regs::control_word(image.gid, image.parent_port, image.turn,
                                                          static_cast<std::uint32_t>(image.op)));
  }
}

barrier::RegisterPlan BtinScheme::registers() const {
  namespace regs = network::registers;
  barrier::RegisterPlan plan = planned_registers_;
  if (!in_band_) return plan;
  network::Bank& switches = network_.switches();
  for (barrier::RegisterSlot& slot : plan.slots) {
    const barrier::RegisterImage& image = slot.image;
    slot.spilled = spill_ != nullptr && spill_->find(image.sw, image.gid) != nullptr;
    const std::uint32_t count = switches.read_register(image.sw, regs::kSizes) >> 24;
    for (std::uint32_t r = 0; r < count; ++r) {
      const std::uint32_t control = switches.read_register(image.sw, regs::control(r));
      if (control >> 31 != 0 && (control & 0xfff) == image.gid) slot.slot = r;
    }
  }
  return plan;
}

std::string BtinScheme::explain(const Members& members, std::uint32_t group) const {
  return explain_hang({planned_, registers(), network_, members, traffic_, spill_}, group).text;
}

void BtinScheme::send(std::uint32_t node, MessageType type, std::uint32_t gid,
                      const Payload& data) {
  endpoints_.send_sync(node, formats_.barrier_flit({type, gid, data}, 0));
}

Payload BtinScheme::brings(const Group& g, std::uint32_t member) const {
  return data_.of(g.gid, static_cast<std::uint32_t>(g.nodes.size()), member, g.barrier[member]);
}

/// Computed once per barrier: no member is released from the next before all are from this one.
const Payload& BtinScheme::expected(Group& g, std::uint64_t barrier) const {
  if (g.expected_for != barrier) {
    g.expected = data_.of_all(g.gid, static_cast<std::uint32_t>(g.nodes.size()), barrier);
    g.expected_for = barrier;
  }
  return g.expected;
}

void BtinScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  g.waiting[member] = 1;
  if (g.alone) {
    listener_.completed(cycle, group);
    release(cycle, group, member, brings(g, member));
  } else if (member == g.root_member) {
    distribute_if_complete(cycle, group);
  } else {
    send(g.nodes[member], MessageType::kReduction, g.gid, brings(g, member));
  }
}

void BtinScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const network::Flit& flit) {
  const BarrierMessage message = formats_.barrier_message(flit);
  const std::uint32_t group = group_of_gid_[message.gid];
  const std::uint32_t member = group == kNone ? kNone : groups_[group].member_of[node];
  if (member != kNone) {
    Group& g = groups_[group];
    const bool is_root = member == g.root_member;
    if (is_root && message.type == MessageType::kReduction && !g.notified) {
      g.notified = true;
      g.notification = message.data;
      distribute_if_complete(cycle, group);
      return;
    }
    if (!is_root && message.type == MessageType::kDistribution && g.waiting[member]) {
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
  const std::uint64_t barrier = g.barrier[member]++;
  if (const Payload& all = expected(g, barrier); data != all) {
    throw InternalError(fmt::format(
        "cycle {}, node {}: group {}, barrier {}: released with data {:04x}:{:016x}, all "
        "members' data make {:04x}:{:016x}",
        cycle, g.nodes[member], g.gid, barrier, data.hi, data.lo, all.hi, all.lo));
  }
  g.waiting[member] = 0;
  listener_.released(cycle, group, member);
}

void BtinScheme::distribute_if_complete(std::uint64_t cycle, std::uint32_t group) {
  Group& g = groups_[group];
  if (!g.notified || !g.waiting[g.root_member]) return;
  g.notified = false;
  const Payload all = data_.both(g.notification, brings(g, g.root_member));
  send(g.nodes[g.root_member], MessageType::kDistribution, g.gid, all);
  listener_.completed(cycle, group);
  release(cycle, group, g.root_member, all);
}

}  // namespace muster::workload
