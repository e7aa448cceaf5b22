// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "run/deaths/survivors.hpp"
#include "systems/btin/scheme/checked_group.hpp"
#include "systems/btin/scheme/retry_scheme.hpp"

/// RetryScheme as the hosts of members whose group is being recovered, docs/systems/recovery.md.

namespace muster::btin {

void RetryScheme::aborting(std::uint32_t group) {
  if (safety_ != nullptr) safety_->abort(groups_[group].gid);
}

void RetryScheme::stop(std::uint32_t group) { groups_[group].stopped = true; }

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
    Member& m = g.members[g.member_of[n]];
    m.lost = true;
    stop_waiting(m);
    members_.leave(group, g.member_of[n], static_cast<std::uint32_t>(m.barrier));
  }
  g.stopped = false;
  ++g.serial;
  g.alone = next.planned.tree.alone();
  g.tells = g.alone || !next.planned.reflect;
  g.root = {g.gid, epoch};
  if (!next.planned.reflect) g.root_member = g.member_of[next.planned.tree.root_node];
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
