// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/retry_scheme.hpp"

#include <fmt/format.h>

#include <utility>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "systems/btin/scheme/hang_report.hpp"

namespace muster::btin {

using fabric::Payload;
using fabric::RetryMessage;

RetryScheme::RetryScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
    : planned_(groups),
      registers_(plan_registers(groups, parts.config.regs, (1u << parts.config.gid_w) - 1)),
      spec_(parts.spec.parts.get<Spec>().retries),
      network_(parts.network),
      endpoints_(parts.network.endpoints()),
      formats_(parts.formats()),
      data_(parts.spec.seed, fabric::retry_data_width(formats_), parts.spec.parts.get<Spec>().op),
      listener_(parts.members),
      group_of_gid_(std::size_t{1} << formats_.gid_width(), kNone),
      traffic_(groups, parts.spec.barriers, network_.layout().channels().size(), formats_,
               TreeTraffic::Messages::kRepeat),
      faults_(spec_, parts.spec.seed) {
  load_registers();
  for (const PlannedGroup& planned : groups) add_group(planned);
  if (spec_.drop == 0.0 && spec_.duplicate == 0.0) return;
  for (core::ChannelId c = 0; c < network_.channels(); ++c) network_.disturb(c, faults_);
}

void RetryScheme::add_group(const PlannedGroup& planned) {
  Group group{.gid = planned.gid,
              .alone = planned.tree.alone(),
              .root = {planned.gid, 0},
              .members = {},
              .member_of = std::vector<std::uint32_t>(endpoints_.blocks(), kNone)};
  for (const topology::NodeId n : planned.tree.members) {
    group.member_of[n] = group.size();
    group.members.push_back({.node = n, .state = {planned.gid, 0}});
  }
  if (!planned.reflect) group.root_member = group.member_of[planned.tree.root_node];
  group_of_gid_.at(planned.gid) = static_cast<std::uint32_t>(groups_.size());
  groups_.push_back(std::move(group));
}

/// Children before the control word, which begins the epoch.
void RetryScheme::load_registers() {
  namespace regs = fabric::registers;
  core::Bank& switches = network_.switches();
  for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
    switches.write_register(s, regs::kPeriods, regs::periods_word(spec_.period, 0));
  for (const RegisterSlot& slot : registers_.slots) {
    const RegisterImage& image = slot.image;
    switches.write_register(image.sw, regs::children(slot.slot), image.child_mask);
    switches.write_register(image.sw, regs::control(slot.slot),
                            regs::control_word(image.gid, image.parent_port, image.reflect,
                                               static_cast<std::uint32_t>(image.op)));
  }
}

void RetryScheme::send(std::uint32_t node, const RetryMessage& message) {
  endpoints_.send_sync(node, formats_.barrier_flit(fabric::barrier_message(formats_, message), 0));
}

Payload RetryScheme::brings(const Group& g, std::uint32_t member) const {
  return data_.of(g.gid, g.size(), member, g.members[member].barrier);
}

void RetryScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  Member& m = g.members[member];
  ++waiting_;
  if (g.alone) {
    listener_.completed(cycle, group);
    release(cycle, group, member, brings(g, member));
  } else if (member == g.root_member) {
    g.root.arrive();
    release_from_root(cycle, group);
  } else {
    m.state.arrive(brings(g, member));
    send(m.node, m.state.message());
    repeats_.push_back({cycle + spec_.period, group, member, m.barrier});
  }
}

void RetryScheme::before_cycle(std::uint64_t cycle) {
  while (!repeats_.empty() && repeats_.front().due <= cycle) {
    Repeat repeat = repeats_.front();
    repeats_.pop_front();
    const Member& m = groups_[repeat.group].members[repeat.member];
    if (!m.state.waiting() || m.barrier != repeat.barrier) continue;
    send(m.node, m.state.message());
    repeat.due = cycle + spec_.period;
    repeats_.push_back(repeat);
  }
}

void RetryScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  const RetryMessage message = fabric::retry_message(formats_, formats_.barrier_message(flit));
  const std::uint32_t group = group_of_gid_[message.gid];
  const std::uint32_t member = group == kNone ? kNone : groups_[group].member_of[node];
  if (member == kNone)
    throw InternalError(
        fmt::format("cycle {}, node {}: barrier message of group {}, which it is "
                    "no member of",
                    cycle, node, message.gid));
  Group& g = groups_[group];
  if (member != g.root_member) {
    if (const auto data = g.members[member].state.receive(message))
      release(cycle, group, member, *data);
    return;
  }
  if (const auto answer = g.root.receive(message)) send(node, *answer);
  release_from_root(cycle, group);
}

void RetryScheme::release_from_root(std::uint64_t cycle, std::uint32_t group) {
  Group& g = groups_[group];
  if (!g.root.waiting() || !g.root.told()) return;
  const Payload all = data_.both(g.root.brought(), brings(g, g.root_member));
  send(g.members[g.root_member].node, g.root.release(all));
  listener_.completed(cycle, group);
  release(cycle, group, g.root_member, all);
}

void RetryScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
                          const Payload& data) {
  Group& g = groups_[group];
  const std::uint64_t barrier = g.members[member].barrier++;
  // Once per barrier: no member is released from the next before all are from this one.
  if (std::exchange(g.expected_for, barrier) != barrier)
    g.expected = data_.of_all(g.gid, g.size(), barrier);
  if (const Payload& all = g.expected; data != all) {
    throw InternalError(fmt::format(
        "cycle {}, node {}: group {}, barrier {}: released with data {:04x}:{:016x}, all "
        "members' data make {:04x}:{:016x}",
        cycle, g.members[member].node, g.gid, barrier, data.hi, data.lo, all.hi, all.lo));
  }
  --waiting_;
  listener_.released(cycle, group, member);
}

std::string RetryScheme::explain(const run::Members& members, std::uint32_t group) const {
  std::vector<topology::NodeId> nodes;
  for (const Member& m : groups_[group].members) nodes.push_back(m.node);
  return explain_hang({planned_, registers_, network_, members, traffic_, nodes, nullptr, false},
                      group)
      .text;
}

void RetryScheme::fill(run::RunResult& result) const {
  Result own;
  own.registers = registers_.slots;
  own.retries = RetryCounts{.messages = traffic_.messages(),
                            .repeated = traffic_.repeated(),
                            .dropped = faults_.dropped(),
                            .duplicated = faults_.duplicated()};
  result.parts.set(std::move(own));
}

}  // namespace muster::btin
