// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/retry_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fabric/link_bank.hpp"
#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/run/checker_list.hpp"
#include "run/deaths/reroute.hpp"
#include "run/waits.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"

namespace muster::btin {

using fabric::Payload;
using fabric::RetryMessage;

namespace {

std::uint32_t periods_of(const RetrySpec& spec) {
  return fabric::registers::periods_word(spec.period,
                                         static_cast<std::uint32_t>(spec.age_period()));
}

/// docs/systems/recovery.md, steps 1 and 3.
RecoveryLimits limits_of(const run::SchemeParts& parts, const RetrySpec& spec) {
  const std::uint64_t latency = run::longest_latency(*parts.spec.graph);
  const std::uint64_t hosts = parts.spec.profile.send + parts.spec.profile.receive;
  return {
      .registers = parts.config.regs,
      .periods = periods_of(spec),
      .suspect = spec.suspect_cycles(),
      .abort = 4 * spec.period + 100,
      .drain = parts.network.longest_hold() + latency + hosts + 3 * parts.spec.groups.size() + 4,
      .max_wait = parts.spec.max_wait};
}

}  // namespace

RetryScheme::RetryScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
    : Scheme(parts.members),
      planned_(groups),
      registers_(plan_registers(groups, parts.config.regs, (1u << parts.config.gid_w) - 1)),
      spec_(run::own<Spec>(parts.spec).retries),
      network_(parts.network),
      endpoints_(parts.network.endpoints()),
      formats_(parts.formats()),
      data_(parts.spec.seed, fabric::retry_data_width(formats_), run::own<Spec>(parts.spec).op,
            run::own<Spec>(parts.spec).data_bits),
      barriers_(parts.spec.barriers),
      group_of_gid_(std::size_t{1} << formats_.gid_width(), kNone),
      traffic_(groups, parts.spec.barriers, network_.layout().channels().size(), formats_,
               TreeTraffic::Messages::kRepeat),
      faults_(spec_, parts.spec.seed),
      recovery_(network_, planned_, registers_, limits_of(parts, spec_), *this) {
  load_registers();
  for (const PlannedGroup& planned : groups) add_group(planned);
  if (spec_.drop == 0.0 && spec_.duplicate == 0.0) return;
  for (core::ChannelId c = 0; c < network_.channels(); ++c) network_.disturb(c, faults_);
}

void RetryScheme::add_group(const PlannedGroup& planned) {
  Group group{.gid = planned.gid,
              .alone = planned.tree.alone(),
              .tells = planned.tree.alone() || !planned.reflect,
              .root = {planned.gid, 0},
              .members = {},
              .places = topology::Places(planned.tree.members)};
  for (const topology::NodeId n : planned.tree.members)
    group.members.push_back({.node = n, .state = {planned.gid, 0}});
  if (!planned.reflect) group.root_member = group.places[planned.tree.root_node];
  group_of_gid_.at(planned.gid) = static_cast<std::uint32_t>(groups_.size());
  groups_.push_back(std::move(group));
}

void RetryScheme::load_registers() {
  namespace regs = fabric::registers;
  core::Bank& switches = network_.switches();
  for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
    switches.write_register(s, regs::kPeriods, periods_of(spec_));
  for (const RegisterSlot& slot : registers_.slots)
    write_words(slot.image, slot.slot,
                [&](SwitchId sw, std::uint32_t address, std::uint32_t value) {
                  switches.write_register(sw, address, value);
                });
}

/// The host that resets a switch knows that its registers are lost.
void RetryScheme::write_again(topology::SwitchId sw) {
  network_.switches().write_register(sw, fabric::registers::kPeriods, periods_of(spec_));
  recovery_.reset(network_.engine().cycle(), sw);
}

void RetryScheme::check_with(checkers::CheckerList& checkers) {
  safety_ = checkers.find<checkers::RetrySafety>();
}

void RetryScheme::send(std::uint32_t node, const RetryMessage& message) {
  endpoints_.send_sync(node, formats_.barrier_flit(fabric::barrier_message(formats_, message), 0));
}

Payload RetryScheme::brings(const Group& g, std::uint32_t member) const {
  return data_.of(g.gid, g.size(), member, g.members[member].barrier);
}

void RetryScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  ++waiting_;
  g.members[member].waiting = true;
  if (g.failed.contains(g.members[member].barrier))
    release_failed(cycle, group, member);
  else
    send_arrival(cycle, group, member);
}

bool RetryScheme::holds(std::uint32_t group, std::uint32_t member, std::uint32_t) const {
  const Group& g = groups_[group];
  return g.stopped ||
         (member == g.root_member ? g.root.failed() : g.members[member].state.failed());
}

void RetryScheme::send_arrival(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  Member& m = g.members[member];
  if (g.alone) {
    complete(cycle, group, m.barrier);
    release(cycle, group, member, brings(g, member));
  } else if (member == g.root_member) {
    g.root.arrive();
    g.root_since = cycle;
    release_from_root(cycle, group);
  } else {
    m.state.arrive(brings(g, member));
    send(m.node, m.state.message());
    repeat(cycle, group, member);
  }
}

void RetryScheme::repeat(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  const Group& g = groups_[group];
  repeats_.push_back({cycle + spec_.period, group, member, g.members[member].barrier, g.serial});
}

void RetryScheme::before_cycle(std::uint64_t cycle) {
  while (!repeats_.empty() && repeats_.front().due <= cycle) {
    const Repeat due = repeats_.front();
    repeats_.pop_front();
    const Group& g = groups_[due.group];
    const Member& m = g.members[due.member];
    if (g.stopped || g.serial != due.serial || m.barrier != due.barrier) continue;
    if (!m.state.waiting() && !m.state.failed()) continue;
    send(m.node, m.state.message());
    repeat(cycle, due.group, due.member);
  }
  recovery_.step(cycle);
}

void RetryScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  const RetryMessage message = fabric::retry_message(formats_, formats_.barrier_message(flit));
  const std::uint32_t group = group_of_gid_[message.gid];
  const std::uint32_t member = group == kNone ? kNone : groups_[group].places[node];
  if (member == kNone)
    throw InternalError(
        fmt::format("cycle {}, node {}: barrier message of group {}, of which it is not a member",
                    cycle, node, message.gid));
  Group& g = groups_[group];
  Member& m = g.members[member];
  if (g.stopped || m.lost) return;
  if (member != g.root_member) {
    const bool failed = m.state.failed();
    if (const auto data = m.state.receive(message)) release(cycle, group, member, *data);
    if (!failed && m.state.failed() && !m.waiting) repeat(cycle, group, member);
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
  complete(cycle, group, g.members[g.root_member].barrier);
  release(cycle, group, g.root_member, all);
}

/// Once for each barrier, in their order.
void RetryScheme::complete(std::uint64_t cycle, std::uint32_t group, std::uint64_t barrier) {
  Group& g = groups_[group];
  if (!g.tells || g.completions != barrier) return;
  ++g.completions;
  members_.completed(cycle, group);
}

void RetryScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
                          const Payload& data) {
  Group& g = groups_[group];
  Member& m = g.members[member];
  const std::uint64_t barrier = m.barrier++;
  // Once per barrier: no member is released from the next before all are from this one.
  if (std::exchange(g.expected_for, barrier) != barrier)
    g.expected = data_.of_all(g.gid, g.size(), barrier,
                              [&](std::uint32_t other) { return !g.members[other].lost; });
  require_data_of_all(cycle, m.node, g.gid, barrier, data, g.expected);
  g.last = data;
  stop_waiting(m);
  members_.released(cycle, group, member);
}

void RetryScheme::stop_waiting(Member& m) {
  waiting_ -= m.waiting ? 1 : 0;
  m.waiting = false;
}

void RetryScheme::release_failed(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Member& m = groups_[group].members[member];
  ++m.barrier;
  stop_waiting(m);
  members_.released(cycle, group, member);
}

std::string RetryScheme::explain(std::uint32_t group) const {
  std::vector<topology::NodeId> nodes;
  for (const Member& m : groups_[group].members) nodes.push_back(m.node);
  return explain_hang({planned_, registers_, network_, members_, traffic_, nodes, nullptr, false},
                      group);
}

void RetryScheme::fill(run::RunResult& result) const {
  Result& own = run::own<Result>(result);
  own.registers = registers_.slots;
  // A link end loses messages by itself, its wires only frames.
  const bool ends = network_.link_ends() != nullptr;
  const std::uint64_t missed = traffic_.messages() - traffic_.arrived();
  own.retries = RetryCounts{.messages = traffic_.messages(),
                            .repeated = traffic_.repeated(),
                            .dropped = ends ? missed : faults_.dropped(),
                            .duplicated = faults_.duplicated(),
                            .inquiries = recovery_.inquiries()};
}

/// RetryScheme as the hosts of members whose group is being recovered, docs/systems/recovery.md.

void RetryScheme::aborting(std::uint32_t group) {
  if (safety_ != nullptr) safety_->abort(groups_[group].gid);
}

void RetryScheme::give_up(std::uint32_t group) {
  for (std::uint32_t m = 0; m < groups_[group].size(); ++m) {
    stop_waiting(groups_[group].members[m]);
    members_.die(group, m);
  }
}

bool RetryScheme::asks(std::uint64_t cycle, std::uint32_t group) const {
  const Group& g = groups_[group];
  const bool long_ago = g.root.waiting() && cycle - g.root_since >= spec_.suspect_cycles();
  return !g.stopped && (long_ago || left_behind(g));
}

bool RetryScheme::left_behind(const Group& group) const {
  bool silent = false;
  for (const Member& m : group.members) {
    if (m.lost) continue;
    const bool here = run::answers(network_, m.node);
    if (here && m.barrier < barriers_) return false;
    silent |= !here && m.barrier < barriers_;
  }
  return silent;
}

/// The members that are left, as they are written.
void RetryScheme::begin_epoch(std::uint32_t group, const Regrouped& next, std::uint8_t epoch) {
  Group& g = groups_[group];
  for (const topology::NodeId n : next.lost) {
    Member& m = g.members[g.places[n]];
    m.lost = true;
    stop_waiting(m);
    members_.leave(group, g.places[n], static_cast<std::uint32_t>(m.barrier));
  }
  g.stopped = false;
  ++g.serial;
  g.alone = next.planned.tree.alone();
  g.tells = g.alone || !next.planned.reflect;
  g.root = {g.gid, epoch};
  if (!next.planned.reflect) g.root_member = g.places[next.planned.tree.root_node];
  for (Member& m : g.members) m.state = {g.gid, epoch};
  if (safety_ != nullptr) safety_->regroup(checked_group(next.planned), epoch);
}

std::optional<std::uint32_t> RetryScheme::go_on(std::uint64_t cycle, std::uint32_t group,
                                                const Regrouped& next, std::uint8_t epoch) {
  begin_epoch(group, next, epoch);
  Group& g = groups_[group];
  std::uint64_t now = 0;  // the barrier that a survivor goes to or is at
  for (const Member& m : g.members)
    if (!m.lost) now = std::max(now, m.barrier);
  const bool fails = !next.lost.empty() && now < barriers_;
  traffic_.begin_tree(group, static_cast<std::uint32_t>(now + (fails ? 1 : 0)));
  // Who is behind and does not wait is on its way to a barrier that failed before.
  for (std::uint32_t m = 0; m < g.size(); ++m)
    if (g.members[m].waiting && g.members[m].barrier < now) release(cycle, group, m, g.last);
  if (fails) {
    g.failed.insert(now);
    g.completions = now + 1;
    members_.fail(group, static_cast<std::uint32_t>(now));
  }
  for (std::uint32_t m = 0; m < g.size(); ++m) {
    if (!g.members[m].waiting) continue;
    if (fails)
      release_failed(cycle, group, m);
    else
      send_arrival(cycle, group, m);
  }
  return fails ? std::optional(static_cast<std::uint32_t>(now)) : std::nullopt;
}

}  // namespace muster::btin
