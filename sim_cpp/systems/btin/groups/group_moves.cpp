// SPDX-License-Identifier: Apache-2.0
// The root node's part in moves between register and memory (docs/systems/group-moves.md).
#include <algorithm>

#include "systems/btin/groups/group_changes.hpp"

namespace muster::btin {

namespace {
constexpr std::uint64_t kMostTold = 0xffff'ffff;  ///< cycles in two words
}  // namespace

/// Nothing else is done with the group, and nothing speaks against it at this node.
bool GroupChanges::movable(std::uint32_t gid, const MemberGroup& group, bool to_memory) const {
  if (!group.alive || !group.options.spill || group.leaving != group.all_leaves()) return false;
  if (changes_.count(gid) != 0 || requests_.count(gid) != 0) return false;
  return !to_memory || !world_.user->arrived(node_, gid);
}

void GroupChanges::tell_idle(const GroupMessage& m) {
  if (passed_on(m)) return;
  const auto group = groups_.find(m.gid);
  const bool may = group != groups_.end() && movable(m.gid, group->second, true);
  std::vector<std::uint32_t> words{word(ChangeKind::kIdleFor), may};
  put_barrier(words, may ? std::min(world_.user->idle(m.gid), kMostTold) : 0);
  send_(m.words[1], m.gid, std::move(words));
}

void GroupChanges::place(const GroupMessage& m) {
  if (passed_on(m)) return;
  const NodeId keeper = m.words[1];
  const SwitchId sw = m.words[2];
  const bool to_memory = m.words[3] != 0;
  const auto refused = [&](Outcome why) {
    send_(keeper, m.gid, {word(ChangeKind::kPlaced), static_cast<std::uint32_t>(why), sw});
  };
  const auto known = groups_.find(m.gid);
  if (known == groups_.end()) return refused(Outcome::kNoGroup);
  const MemberGroup& group = known->second;
  if (!movable(m.gid, group, to_memory)) return refused(Outcome::kBusy);
  const auto image = std::find_if(group.role.images.begin(), group.role.images.end(),
                                  [&](const RegisterImage& i) { return i.sw == sw; });
  if (image == group.role.images.end()) return refused(Outcome::kNotHere);
  Change change;
  change.keeper = keeper;
  change.next = group;
  change.next.changes = (group.changes + 1) & 0xffff;
  change.tree = btin::plan_tree(world_.versions.at(group.version), group.members);
  change.differences = {{sw, *image, *image}};
  change.record.gid = m.gid;
  change.record.move = PlaceMove{sw, to_memory};
  change.record.kept = static_cast<std::uint32_t>(group.role.images.size()) - 1;
  change.record.rewritten = 1;
  world_.user->deciding(m.gid);
  changes_[m.gid] = std::move(change);
  adjust(m.gid, Phase::kReserve);
}

/// Before the first barrier for which this node has not sent its message, which it keeps back.
void GroupChanges::pause_all(std::uint32_t gid) {
  Change& change = changes_.at(gid);
  if (change.record.move->to_memory && world_.user->arrived(node_, gid)) {
    change.record.outcome = Outcome::kBusy;
    change.record.sw = change.record.move->sw;
    return adjust(gid, Phase::kUndo);
  }
  const std::uint64_t next = world_.user->next(gid);
  change.stop = next - 1;  // so that it is one barrier before the first, of all integers
  change.record.first_barrier = next;
  hold_all(ChangeKind::kPause, gid, next);
  world_.user->hold(node_, gid, next);
}

/// All have been released from the barrier before; `arrived`: a member has arrived at the next.
void GroupChanges::all_paused(std::uint32_t gid, bool arrived) {
  Change& change = changes_.at(gid);
  if (!arrived) return adjust(gid, Phase::kCommit);
  if (change.record.move->to_memory) {
    change.record.outcome = Outcome::kBusy;
    change.record.sw = change.record.move->sw;
    send_(node_, gid, {word(ChangeKind::kGoOn)});
    return adjust(gid, Phase::kUndo);
  }
  // It is used: after this barrier.
  ++change.stop;
  ++change.record.first_barrier;
  hold_all(ChangeKind::kStop, gid, change.stop);
}

}  // namespace muster::btin
