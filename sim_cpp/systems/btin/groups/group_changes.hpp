// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/groups/change_lead.hpp"

namespace muster::btin {

/// The part of one node in the changes of live groups: members join and leave, trees move away from
/// dead links, registers move to memory and back, each time between two barriers
/// (docs/systems/groups.md, Changes and Moves). As a member it stops when it is told to; as
/// root node it leads the change; as home node it writes registers; as home of an identifier it
/// knows the root node.
class GroupChanges : public ChangeLead {
 public:
  GroupChanges(NodeId node, const NodeWorld& world, SwitchSetup& setup,
               std::map<std::uint32_t, MemberGroup>& groups, Send send)
      : ChangeLead(node, world, groups, std::move(send)), setup_(setup) {}

  /// This node requests to be a member, or none, from `barrier` on (at least 1), or from the next
  /// barrier between which and its predecessor it can be arranged.
  void request(std::uint32_t gid, bool join, std::uint64_t barrier) {
    ++open_;
    const auto group = groups_.find(gid);
    send_(group == groups_.end() ? gid % world_.graph.nodes() : group->second.role.root_node, gid,
          {word(ChangeKind::kMembership), node_, join, low_word(barrier), high_word(barrier)});
  }
  void receive(const GroupMessage& m) {
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
      case ChangeKind::kPause:
        return halt(m);
      case ChangeKind::kAgreed:
        return one_agreed(m.gid);
      case ChangeKind::kQuiet:
        return one_answered(m.gid, false);
      case ChangeKind::kMove:
        roots_[m.gid] = m.words[1];
        return send_(m.source, m.gid, {word(ChangeKind::kMoved)});
      case ChangeKind::kMoved:
        return finish(m.gid);
      case ChangeKind::kChanged:
        return changed(m);
      case ChangeKind::kAskIdle:
        return tell_idle(m);
      case ChangeKind::kPlace:
        return place(m);
      case ChangeKind::kPaused:
        return one_answered(m.gid, m.words[1] != 0);
      case ChangeKind::kGoOn:
        return go_on(m);
      case ChangeKind::kIdleFor:
      case ChangeKind::kPlaced:
        break;  // for the keeper
    }
    throw InternalError("n{}: group {}: change message {} from n{}", node_, m.gid, m.words[0],
                        m.source);
  }
  /// Once a cycle.
  void clock() {
    consider_all();
    std::vector<std::uint32_t> answers;
    for (auto& [gid, halt] : halts_) {
      if (halt.answered || world_.user->left(node_, gid) < halt.before) continue;
      halt.answered = true;
      answers.push_back(gid);
    }
    for (const std::uint32_t gid : answers)
      one_answered(gid, halts_.at(gid).pauses && world_.user->arrived(node_, gid));
  }
  /// No request waits and no change is under way, as far as this node knows.
  bool idle() const {
    return requests_.empty() && changes_.empty() && halts_.empty() && open_ == 0;
  }

 private:
  /// At a member that has been told to stop before a barrier for good, or to pause there. It
  /// answers when it has been released from the barrier before.
  struct Halt {
    bool pauses = false;
    std::uint64_t before = 0;
    std::uint32_t to_agree = 0, to_answer = 0;  ///< this member, children, locals
    bool answered = false;                      ///< this member has
    bool arrived = false;                       ///< at a pause: a member below
  };

  /// The root node has not sent its message of the last barrier before it stops or pauses, so no
  /// member has been released from that and every member can still be kept from the next.
  void halt(const GroupMessage& m) {
    const auto known = groups_.find(m.gid);
    if (known == groups_.end() || known->second.changes != m.words[3]) {
      early_[m.gid] = m;
      return;
    }
    const MemberGroup& group = known->second;
    const bool pauses = m.words[0] == word(ChangeKind::kPause);
    const std::uint64_t before = barrier_at(m.words, 1) + (pauses ? 0 : 1);
    if (!pauses && world_.user->left(node_, m.gid) >= before)
      throw InternalError("n{}: group {}: ordered to stop too late", node_, m.gid);
    halts_[m.gid] = {pauses, before, group.all_leaves(), group.all_leaves()};
    if (pauses || !is_root(group)) world_.user->hold(node_, m.gid, before);
    for (const NodeId n : group.role.below()) send_(n, m.gid, m.words);
    if (!pauses) one_agreed(m.gid);
  }
  void one_agreed(std::uint32_t gid) {
    Halt& halt = halts_.at(gid);
    if (--halt.to_agree != 0) return;
    const Role& role = groups_.at(gid).role;
    if (role.parent) return send_(*role.parent, gid, {word(ChangeKind::kAgreed)});
    world_.user->hold(node_, gid, halt.before);  // the last barrier may go on
  }
  /// `arrived`: at a pause, whether it has arrived at the barrier.
  void one_answered(std::uint32_t gid, bool arrived) {
    Halt& halt = halts_.at(gid);
    halt.arrived |= arrived;
    if (--halt.to_answer != 0) return;
    const Role& role = groups_.at(gid).role;
    if (!halt.pauses) {
      if (role.parent) return send_(*role.parent, gid, {word(ChangeKind::kQuiet)});
      return adjust(gid, Phase::kCommit);
    }
    const bool arrived_below = halt.arrived;
    halts_.erase(gid);
    if (role.parent) return send_(*role.parent, gid, {word(ChangeKind::kPaused), arrived_below});
    all_paused(gid, arrived_below);
  }
  void go_on(const GroupMessage& m) {
    for (const NodeId n : groups_.at(m.gid).role.below()) send_(n, m.gid, m.words);
    hold_for_requests(m.gid);
  }

  // ---- The end of a change ---------------------------------------------------------------------

  void changed(const GroupMessage& m) {
    const std::uint64_t barrier = barrier_at(m.words, 1);
    Announcement news = announcement_at(m.words, 3, world_.graph.nodes());
    const bool stays = std::ranges::binary_search(news.members, node_);
    const auto old = groups_.find(m.gid);
    const bool was_member = old != groups_.end();
    bool was_root = false;
    if (was_member) {
      for (const NodeId n : old->second.role.below()) send_(n, m.gid, m.words);
      was_root = is_root(old->second);
      halts_.erase(m.gid);
      changes_.erase(m.gid);
    }
    const topology::Graph& graph = world_.versions.at(news.version);
    const NodeId root = plan_tree(graph, news.members).root_node;
    if (was_root && root != node_) hand_on_requests(m.gid, root);
    if (was_member != stays) --open_;
    if (!stays) {
      groups_.erase(m.gid);
      return world_.user->told(node_, m.gid, Membership::kLeaves, barrier);
    }
    if (was_member && old->second.members == news.members && old->second.version == news.version) {
      old->second.changes = news.changes;  // some may have left for good: `leaving` goes on
      return goes_on_with(m.gid, Membership::kStays, barrier);
    }
    MemberGroup group;
    static_cast<Announcement&>(group) = std::move(news);
    group.role = plan_role(graph, world_.homes, group.members, m.gid, group.options, node_);
    group.phase = Phase::kCommit;
    group.leaving = group.all_leaves();
    group.alive = true;
    groups_[m.gid] = std::move(group);
    goes_on_with(m.gid, was_member ? Membership::kStays : Membership::kJoins, barrier);
  }
  void goes_on_with(std::uint32_t gid, Membership membership, std::uint64_t barrier) {
    world_.user->told(node_, gid, membership, barrier);
    add_requests_again(gid);
    hold_for_requests(gid);
    look_at(gid);
    if (const auto next = early_.extract(gid)) receive(next.mapped());
  }
  /// A home node's step at one of its switches.
  void keep(const GroupMessage& m) {
    const auto phase = static_cast<Phase>(m.words[1] & 3);
    const SwitchId sw = m.words[2];
    const auto before = image_at(m.words, 3, sw, m.gid), after = image_at(m.words, 5, sw, m.gid);
    const auto done = [=, this, to = m.source, gid = m.gid](Outcome outcome) {
      send_(to, gid, {word(ChangeKind::kAdjusted), word(phase), word(outcome), sw});
    };
    if ((m.words[1] & kAdjustMove) != 0)
      return keep_moved(phase, (m.words[1] & kAdjustToMemory) != 0, *before, done);
    if (!before) return setup_.run(phase, *after, (m.words[1] & kAdjustSpill) != 0, done);
    // The home node of a switch is its spill node.
    const bool in_memory = world_.spill != nullptr && world_.spill->find(sw, m.gid) != nullptr;
    switch (phase) {
      case Phase::kReserve:
        return in_memory ? done(Outcome::kDone) : setup_.find(*before, done);
      case Phase::kUndo:
        return done(Outcome::kDone);
      default:
        if (!after) return setup_.run(Phase::kRelease, *before, false, done);
        if (!in_memory) return setup_.rewrite(*before, *after, done);
        world_.spill->rewrite(*after);
        return done(Outcome::kDone);
    }
  }
  /// The same as the keeper of the switch, of a group that keeps its words. In the last phase it is
  /// at rest.
  void keep_moved(Phase phase, bool to_memory, const RegisterImage& image,
                  const SwitchSetup::Done& done) {
    SpillNodes& memory = *world_.spill;
    const bool in_memory = memory.find(image.sw, image.gid) != nullptr;
    if (phase == Phase::kReserve && in_memory == to_memory) return done(Outcome::kNotHere);
    if (!to_memory) {
      // Of a reservation that was refused because it has a register there is nothing to undo.
      if (phase == Phase::kUndo && !in_memory) return done(Outcome::kDone);
      if (phase != Phase::kCommit) return setup_.run(phase, image, false, done);
      return setup_.run(Phase::kCommit, image, false, [=, &memory](Outcome outcome) {
        memory.forget(image.sw, image.gid);
        done(outcome);
      });
    }
    if (phase == Phase::kReserve) return setup_.find(image, done);
    if (phase == Phase::kUndo) return done(Outcome::kDone);
    memory.take_in(image);
    setup_.run(Phase::kRelease, image, false, done);
  }

  SwitchSetup& setup_;
  std::map<std::uint32_t, Halt> halts_;
  /// Told to stop or to pause before it was told of the change before.
  std::map<std::uint32_t, GroupMessage> early_;
  std::uint32_t open_ = 0;  ///< requests of this node without answer
};

}  // namespace muster::btin
