// SPDX-License-Identifier: Apache-2.0
// The members' and homes' side of GroupChanges.
#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "systems/btin/groups/group_changes.hpp"

namespace muster::btin {

void GroupChanges::receive(const GroupMessage& m) {
  switch (static_cast<ChangeKind>(m.words[0])) {
    case ChangeKind::kMembership:
      return requested(m);
    case ChangeKind::kRefused:
      --open_;
      return world_.user->refused(node_, m.gid, static_cast<Outcome>(m.words[1]), m.words[2]);
    case ChangeKind::kAdjust:
      return keep(m);
    case ChangeKind::kAdjusted:
      return adjusted(m);
    case ChangeKind::kStop:
      return stop(m);
    case ChangeKind::kAgreed:
      return one_agreed(m.gid);
    case ChangeKind::kQuiet:
      return one_quiet(m.gid);
    case ChangeKind::kMove:
      roots_[m.gid] = m.words[1];
      return send_(m.source, m.gid, {word(ChangeKind::kMoved)});
    case ChangeKind::kMoved:
      return finish(m.gid);
    case ChangeKind::kChanged:
      return changed(m);
  }
  throw InternalError(
      fmt::format("n{}: group {}: change message {} from n{}", node_, m.gid, m.words[0], m.source));
}

void GroupChanges::to_all_below(const MemberGroup& group, std::uint32_t gid,
                                const std::vector<std::uint32_t>& words) {
  for (const NodeId n : group.role.children) send_(n, gid, words);
  for (const NodeId n : group.role.locals) send_(n, gid, words);
}

/// The root node has not sent its message of this barrier, so nobody has been released from it and
/// every member can still be kept from the next.
void GroupChanges::stop(const GroupMessage& m) {
  const auto known = groups_.find(m.gid);
  if (known == groups_.end() || known->second.changes != m.words[3]) {
    early_[m.gid] = m;
    return;
  }
  const MemberGroup& group = known->second;
  Stop stop;
  stop.after = barrier_at(m.words, 1);
  stop.to_agree = stop.to_be_quiet = group.all_leaves();
  if (world_.user->left(node_, m.gid) > stop.after) {
    throw InternalError(fmt::format("n{}: group {}: told to stop after barrier {} when it is over",
                                    node_, m.gid, stop.after));
  }
  stops_[m.gid] = stop;
  if (!is_root(group)) world_.user->hold(node_, m.gid, stop.after + 1);
  to_all_below(group, m.gid, m.words);
  one_agreed(m.gid);
}

void GroupChanges::one_agreed(std::uint32_t gid) {
  const Stop& stop = stops_.at(gid);
  if (--stops_.at(gid).to_agree != 0) return;
  const Role& role = groups_.at(gid).role;
  if (role.parent) return send_(*role.parent, gid, {word(ChangeKind::kAgreed)});
  world_.user->hold(node_, gid, stop.after + 1);  // the last barrier may go on
}

void GroupChanges::one_quiet(std::uint32_t gid) {
  if (--stops_.at(gid).to_be_quiet != 0) return;
  const Role& role = groups_.at(gid).role;
  if (role.parent) return send_(*role.parent, gid, {word(ChangeKind::kQuiet)});
  adjust(gid, Phase::kCommit);
}

void GroupChanges::changed(const GroupMessage& m) {
  const std::uint64_t barrier = barrier_at(m.words, 1);
  Announcement news = announcement_at(m.words, 3, world_.graph.nodes());
  const bool stays = std::binary_search(news.members.begin(), news.members.end(), node_);
  const auto old = groups_.find(m.gid);
  const bool was_member = old != groups_.end();
  bool was_root = false;
  if (was_member) {
    to_all_below(old->second, m.gid, m.words);
    was_root = is_root(old->second);
    stops_.erase(m.gid);
    changes_.erase(m.gid);
  }
  const topology::Graph& graph = world_.versions.at(news.version);
  const NodeId root = btin::plan_tree(graph, news.members).root_node;
  if (was_root && root != node_) hand_on_requests(m.gid, root);
  if (was_member != stays) --open_;
  if (!stays) {
    groups_.erase(m.gid);
    return world_.user->told(node_, m.gid, Membership::kLeaves, barrier);
  }
  MemberGroup group;
  static_cast<Announcement&>(group) = std::move(news);
  group.role = plan_role(graph, world_.homes, group.members, m.gid, group.options, node_);
  group.phase = Phase::kCommit;
  group.leaving = group.all_leaves();
  group.alive = true;
  groups_[m.gid] = std::move(group);
  world_.user->told(node_, m.gid, was_member ? Membership::kStays : Membership::kJoins, barrier);
  hold_for_requests(m.gid);
  look_at(m.gid);
  if (const auto next = early_.extract(m.gid)) stop(next.mapped());
}

/// A home node's step at one of its switches.
void GroupChanges::keep(const GroupMessage& m) {
  const auto phase = static_cast<Phase>(m.words[1]);
  const SwitchId sw = m.words[2];
  const auto before = image_at(m.words, 3, sw, m.gid), after = image_at(m.words, 5, sw, m.gid);
  const auto done = [=, this, to = m.source, gid = m.gid](Outcome outcome) {
    send_(to, gid,
          {word(ChangeKind::kAdjusted), static_cast<std::uint32_t>(phase),
           static_cast<std::uint32_t>(outcome), sw});
  };
  // A change takes registers only: no spill.
  if (!before) return setup_.run(phase, *after, false, done);
  switch (phase) {
    case Phase::kReserve:
      return setup_.find(*before, done);
    case Phase::kUndo:
      return done(Outcome::kDone);
    default:
      if (after) return setup_.rewrite(*before, *after, done);
      return setup_.run(Phase::kRelease, *before, false, done);
  }
}

}  // namespace muster::btin
