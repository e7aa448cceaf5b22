// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/retry_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// docs/reliability.md, A recovery, steps 1 and 3.
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
    : TreeScheme(groups, parts, fabric::retry_data_width(parts.formats()),
                 TreeTraffic::Messages::kRepeat),
      spec_(run::own<Spec>(parts.spec).retries),
      barriers_(parts.spec.barriers),
      faults_(spec_, parts.spec.seed),
      recovery_(network_, planned_, registers_, limits_of(parts, spec_), *this) {
  for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
    network_.switches().write_register(s, fabric::registers::kPeriods, periods_of(spec_));
  for (const RegisterSlot& slot : registers_.slots) load(slot);
  for (const Group& g : groups_)
    states_.push_back({.root = {g.gid, 0},
                       .members = std::vector<RetryMember>(g.size(), RetryMember(g.gid, 0)),
                       .failed = {}});
  if (spec_.drop == 0.0 && spec_.duplicate == 0.0) return;
  for (core::ChannelId c = 0; c < network_.channels(); ++c) network_.disturb(c, faults_);
}

/// The host that resets a switch knows that its registers are lost.
void RetryScheme::write_again(topology::SwitchId sw) {
  network_.switches().write_register(sw, fabric::registers::kPeriods, periods_of(spec_));
  recovery_.reset(network_.engine().cycle(), sw);
}

void RetryScheme::check_with(checkers::CheckerList& checkers) {
  safety_ = checkers.find<checkers::RetrySafety>();
}

void RetryScheme::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Member& m = groups_[group].members[member];
  wait(m, true);
  if (states_[group].failed.contains(m.barrier))
    release_failed(cycle, group, member);
  else
    send_arrival(cycle, group, member);
}

bool RetryScheme::holds(std::uint32_t group, std::uint32_t member, std::uint32_t) const {
  const State& s = states_[group];
  return s.stopped ||
         (member == groups_[group].root_member ? s.root.failed() : s.members[member].failed());
}

void RetryScheme::send_arrival(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  const Group& g = groups_[group];
  State& s = states_[group];
  if (g.alone) {
    complete(cycle, group, g.members[member].barrier);
    release(cycle, group, member, brings(g, member));
  } else if (member == g.root_member) {
    s.root.arrive();
    s.root_since = cycle;
    release_from_root(cycle, group);
  } else {
    s.members[member].arrive(brings(g, member));
    send(g.members[member].node, s.members[member].message());
    repeat(cycle, group, member);
  }
}

void RetryScheme::repeat(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  repeats_.push_back({cycle + spec_.period, group, member, groups_[group].members[member].barrier,
                      states_[group].serial});
}

void RetryScheme::before_cycle(std::uint64_t cycle) {
  while (!repeats_.empty() && repeats_.front().due <= cycle) {
    const Repeat due = repeats_.front();
    repeats_.pop_front();
    const State& s = states_[due.group];
    const Member& m = groups_[due.group].members[due.member];
    if (s.stopped || s.serial != due.serial || m.barrier != due.barrier) continue;
    const RetryMember& state = s.members[due.member];
    if (!state.waiting() && !state.failed()) continue;
    send(m.node, state.message());
    repeat(cycle, due.group, due.member);
  }
  recovery_.step(cycle);
}

void RetryScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  const RetryMessage message = fabric::retry_message(formats_, formats_.barrier_message(flit));
  const std::uint32_t group = group_of(message.gid);
  const std::uint32_t member = group == kNone ? kNone : groups_[group].places[node];
  if (member == kNone)
    throw InternalError(
        fmt::format("cycle {}, node {}: barrier message of group {}, of which it is not a member",
                    cycle, node, message.gid));
  State& s = states_[group];
  const Member& m = groups_[group].members[member];
  if (s.stopped || !m.active) return;
  if (member != groups_[group].root_member) {
    RetryMember& state = s.members[member];
    const bool failed = state.failed();
    if (const auto data = state.receive(message)) release(cycle, group, member, *data);
    if (!failed && state.failed() && !m.waiting) repeat(cycle, group, member);
    return;
  }
  if (const auto answer = s.root.receive(message)) send(node, *answer);
  release_from_root(cycle, group);
}

void RetryScheme::release_from_root(std::uint64_t cycle, std::uint32_t group) {
  const Group& g = groups_[group];
  RetryRoot& root = states_[group].root;
  if (!root.waiting() || !root.told()) return;
  const Payload all = data_.both(root.brought(), brings(g, g.root_member));
  send(g.members[g.root_member].node, root.release(all));
  complete(cycle, group, g.members[g.root_member].barrier);
  release(cycle, group, g.root_member, all);
}

/// Once for each barrier, in their order, if a node knows when all have arrived.
void RetryScheme::complete(std::uint64_t cycle, std::uint32_t group, std::uint64_t barrier) {
  const bool tells = groups_[group].alone || groups_[group].root_member != kNone;
  if (!tells || states_[group].completions != barrier) return;
  ++states_[group].completions;
  members_.completed(cycle, group);
}

void RetryScheme::release_failed(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Member& m = groups_[group].members[member];
  ++m.barrier;
  wait(m, false);
  members_.released(cycle, group, member);
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

/// RetryScheme as the hosts of members whose group is being recovered, docs/reliability.md.

void RetryScheme::aborting(std::uint32_t group) {
  if (safety_ != nullptr) safety_->abort(groups_[group].gid);
}

void RetryScheme::give_up(std::uint32_t group) {
  for (std::uint32_t m = 0; m < groups_[group].size(); ++m) {
    wait(groups_[group].members[m], false);
    members_.die(group, m);
  }
}

bool RetryScheme::asks(std::uint64_t cycle, std::uint32_t group) const {
  const State& s = states_[group];
  const bool long_ago = s.root.waiting() && cycle - s.root_since >= spec_.suspect_cycles();
  return !s.stopped && (long_ago || left_behind(groups_[group]));
}

bool RetryScheme::left_behind(const Group& group) const {
  bool silent = false;
  for (const Member& m : group.members) {
    if (!m.active) continue;
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
    m.active = false;
    wait(m, false);
    members_.leave(group, g.places[n], static_cast<std::uint32_t>(m.barrier));
  }
  set_tree(g, next.planned);
  State& s = states_[group];
  s.stopped = false;
  ++s.serial;
  s.root = {g.gid, epoch};
  s.members.assign(g.size(), RetryMember(g.gid, epoch));
  if (safety_ != nullptr) safety_->regroup(checked_group(next.planned), epoch);
}

std::optional<std::uint32_t> RetryScheme::go_on(std::uint64_t cycle, std::uint32_t group,
                                                const Regrouped& next, std::uint8_t epoch) {
  begin_epoch(group, next, epoch);
  const Group& g = groups_[group];
  std::uint64_t now = 0;  // the barrier that a survivor goes to or is at
  for (const Member& m : g.members)
    if (m.active) now = std::max(now, m.barrier);
  const bool fails = !next.lost.empty() && now < barriers_;
  traffic_.begin_tree(group, static_cast<std::uint32_t>(now + (fails ? 1 : 0)));
  // Who is behind and does not wait is on its way to a barrier that failed before.
  for (std::uint32_t m = 0; m < g.size(); ++m)
    if (g.members[m].waiting && g.members[m].barrier < now) release(cycle, group, m, g.expected);
  if (fails) {
    states_[group].failed.insert(now);
    states_[group].completions = now + 1;
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
