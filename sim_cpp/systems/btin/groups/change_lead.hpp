// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {

/// A switch whose register of a group another plan wants otherwise: a register more (no `before`),
/// one less (no `after`), or other words in it.
struct SwitchDifference {
  topology::SwitchId sw = 0;
  std::optional<RegisterImage> before, after;
};

/// What a node does as root node of groups that change while they live: it collects requests and
/// leads the change (docs/systems/groups.md, Changes and Moves).
///
/// A change is two steps. Until all registers that it needs are reserved nothing has changed and
/// no member waits; then the group stops between two barriers, registers are written, and it goes
/// on.
class ChangeLead {
 public:
  /// To a node, of a group, the words of a kChange message.
  using Send = std::function<void(NodeId, std::uint32_t gid, std::vector<std::uint32_t>)>;

  ChangeLead(NodeId node, const NodeWorld& world, std::map<std::uint32_t, MemberGroup>& groups,
             Send send)
      : node_(node), world_(world), groups_(groups), send_(std::move(send)) {}

  /// A link has been declared dead, or the group is alive only now: moves its tree if it uses one.
  void look_at(std::uint32_t gid) {
    const MemberGroup& group = groups_.at(gid);
    if (!group.alive || !is_root(group)) return;
    if (!world_.versions.uses_dead_link(group.role.images, group.version)) return;
    const auto waiting = requests_.find(gid);
    const auto is_link = [](const MembershipRequest& w) { return w.link; };
    if (waiting != requests_.end() && std::ranges::any_of(waiting->second, is_link)) return;
    add_request(gid, {node_, false, true, 0}, 0);
  }
  void look_at_all() {
    for (const auto& [gid, group] : groups_)
      if (changes_.count(gid) == 0) look_at(gid);
  }
  /// The group has been released, or never was.
  void gone(std::uint32_t gid) {
    const auto waiting = requests_.find(gid);
    if (waiting == requests_.end()) return;
    for (const MembershipRequest& w : waiting->second) refuse(gid, w, Outcome::kNoGroup, 0);
    requests_.erase(waiting);
  }
  void keep_root(std::uint32_t gid, NodeId root) { roots_[gid] = root; }
  void forget_root(std::uint32_t gid) { roots_.erase(gid); }
  /// It leads a change of the group.
  bool leads(std::uint32_t gid) const { return changes_.count(gid) != 0; }

 protected:
  struct MembershipRequest {
    NodeId node = 0;
    bool join = false, link = false;  ///< link: of the group itself, away from a dead link
    std::uint64_t stop = 0;           ///< the change comes after this barrier
  };
  struct Change {
    std::vector<MembershipRequest> requests;
    NodeId keeper = 0;  ///< who has asked for a move
    std::uint64_t stop = 0;
    Announcement next;
    BarrierTree tree;  ///< the next one
    std::vector<SwitchDifference> differences;
    Phase phase = Phase::kReserve;
    std::uint32_t awaited = 0;
    ChangeRecord record;
  };

  bool is_root(const MemberGroup& group) const { return group.role.root_node == node_; }

  /// A message for the root node of a group goes there, or to the home, which knows better; false
  /// if this is the root node, or the home of a group that is not there.
  bool passed_on(const GroupMessage& m) {
    const auto group = groups_.find(m.gid);
    const NodeId home = m.gid % world_.graph.nodes();
    const auto root = roots_.find(m.gid);
    if (group != groups_.end() && is_root(group->second)) return false;
    if (group == groups_.end() && node_ == home && root == roots_.end()) return false;
    const NodeId next = group != groups_.end() ? group->second.role.root_node
                        : node_ != home        ? home
                                               : root->second;
    send_(next, m.gid, m.words);
    return true;
  }
  void requested(const GroupMessage& m) {
    if (passed_on(m)) return;
    const MembershipRequest request{m.words[1], m.words[2] != 0, false, 0};
    if (groups_.count(m.gid) == 0) return refuse(m.gid, request, Outcome::kNoGroup, 0);
    add_request(m.gid, request, barrier_at(m.words, 3));
  }
  /// The change of the request comes before `barrier`, or as soon as it can.
  void add_request(std::uint32_t gid, MembershipRequest request, std::uint64_t barrier) {
    request.stop = std::max(barrier == 0 ? 0 : barrier - 1, earliest(gid));
    if (request.stop >= world_.user->barriers(gid)) {
      // An unused tree goes with the release of its group.
      return refuse(gid, request, Outcome::kEnded, 0);
    }
    requests_[gid].push_back(request);
    if (changes_.count(gid) == 0) hold_for_requests(gid);
  }
  /// The end of a move may be a barrier later than was known when requests came.
  void add_requests_again(std::uint32_t gid) {
    const auto waiting = requests_.extract(gid);
    if (!waiting) return;
    for (const MembershipRequest& w : waiting.mapped()) add_request(gid, w, w.stop + 1);
  }
  /// The first barrier after which the group can still be stopped for another change.
  std::uint64_t earliest(std::uint32_t gid) const {
    const auto change = changes_.find(gid);
    const std::uint64_t next = world_.user->next(gid);
    return change == changes_.end() ? next : std::max(next, change->second.stop + 1);
  }
  void refuse(std::uint32_t gid, const MembershipRequest& request, Outcome outcome, SwitchId sw) {
    if (!request.link) send_(request.node, gid, {word(ChangeKind::kRefused), word(outcome), sw});
  }
  /// Until its change is on its way, the barrier after which a request wants the group to stop
  /// waits.
  void hold_for_requests(std::uint32_t gid) {
    const auto waiting = requests_.find(gid);
    world_.user->hold(node_, gid,
                      waiting == requests_.end() ? GroupUser::kNever : first_stop(waiting->second));
  }

  // ---- The change, at the root node ------------------------------------------------------------

  static std::uint64_t first_stop(const std::vector<MembershipRequest>& waiting) {
    return std::ranges::min(waiting, {}, &MembershipRequest::stop).stop;
  }
  /// Once a cycle. Begins one barrier ahead, so that the registers are there when the group stops.
  void consider_all() {
    std::map<std::uint32_t, std::uint64_t> due;  // barrier by group
    for (const auto& [gid, waiting] : requests_) {
      const std::uint64_t stop = first_stop(waiting);
      if (changes_.count(gid) == 0 && groups_.at(gid).alive && world_.user->next(gid) + 1 >= stop)
        due[gid] = stop;
    }
    for (const auto& [gid, stop] : due) start(gid, stop);
  }
  void start(std::uint32_t gid, std::uint64_t stop) {
    const MemberGroup& group = groups_.at(gid);
    Change change;
    change.stop = stop;
    change.record.gid = gid;
    change.record.first_barrier = stop + 1;
    const std::vector<MembershipRequest> later = take_requests(change);
    change.next = group;
    change.next.version = world_.versions.newest();
    change.next.changes = (group.changes + 1) & 0xffff;
    world_.deciding(gid);
    if (!collect_members(change)) return hold_for_requests(gid);
    change.tree = plan_tree(world_.versions.at(change.next.version), change.next.members);
    const std::vector<RegisterImage> images =
        register_images(change.tree, gid, change.next.options.reflect, change.next.options.op);
    change.differences = difference_of(group.role.images, images);
    ChangeRecord& record = change.record;
    for (const SwitchDifference& d : change.differences)
      ++(!d.before ? record.added : !d.after ? record.freed : record.rewritten);
    record.kept =
        static_cast<std::uint32_t>(group.role.images.size()) - record.rewritten - record.freed;
    changes_[gid] = std::move(change);
    for (const MembershipRequest& w : later) add_request(gid, w, 0);
    adjust(gid, Phase::kReserve);
  }
  /// Requests for the barrier of the change are done or refused together; but a tree that leaves a
  /// dead link is a change of its own, which no request of a member can spoil. Returns those who
  /// wait for it.
  std::vector<MembershipRequest> take_requests(Change& change) {
    std::vector<MembershipRequest>& waiting = requests_.at(change.record.gid);
    std::vector<MembershipRequest> later;
    for (const MembershipRequest& w : waiting)
      if (w.stop == change.stop) (w.link ? change.requests : later).push_back(w);
    std::erase_if(waiting, [&](const MembershipRequest& w) { return w.stop == change.stop; });
    if (waiting.empty()) requests_.erase(change.record.gid);
    if (change.requests.empty()) change.requests.swap(later);
    return later;
  }
  /// Who is a member afterwards; false if nothing is left to be done.
  bool collect_members(Change& change) {
    std::vector<NodeId>& members = change.next.members;
    const std::uint32_t gid = change.record.gid;
    std::erase_if(change.requests, [&](const MembershipRequest& w) {
      if (w.link) {
        change.record.link = true;
        return false;
      }
      const auto at = std::ranges::lower_bound(members, w.node);
      const bool is_member = at != members.end() && *at == w.node;
      if (is_member == w.join) {
        refuse(gid, w, Outcome::kMember, 0);
        return true;
      }
      if (w.join) {
        members.insert(at, w.node);
        change.record.joined.push_back(w.node);
      } else {
        members.erase(at);
        change.record.left.push_back(w.node);
      }
      return false;
    });
    if (change.requests.empty()) return false;
    if (!members.empty()) return true;
    for (const MembershipRequest& w : change.requests) refuse(gid, w, Outcome::kEmpty, 0);
    change.record.outcome = Outcome::kEmpty;
    world_.changed(change.record, {});
    return false;
  }
  /// The homes of all switches that change do a step there.
  void adjust(std::uint32_t gid, Phase phase) {
    Change& change = changes_.at(gid);
    change.phase = phase;
    change.awaited = static_cast<std::uint32_t>(change.differences.size());
    const auto& move = change.record.move;
    const std::uint32_t how = word(phase) | (change.next.options.spill ? kAdjustSpill : 0) |
                              (move ? kAdjustMove : 0) |
                              (move && move->to_memory ? kAdjustToMemory : 0);
    for (const SwitchDifference& d : change.differences) {
      std::vector<std::uint32_t> words{word(ChangeKind::kAdjust), how, d.sw};
      put_image(words, d.before);
      put_image(words, d.after);
      send_(world_.homes.node[d.sw], gid, std::move(words));
    }
    if (change.awaited == 0) phase_done(gid);
  }
  void adjusted(const GroupMessage& m) {
    Change& change = changes_.at(m.gid);
    const auto outcome = static_cast<Outcome>(m.words[2]);
    ChangeRecord& record = change.record;
    // Of several refusals the one on the switch with the least identifier is told.
    if (outcome != Outcome::kDone && (record.outcome == Outcome::kDone || m.words[3] < record.sw)) {
      record.outcome = outcome;
      record.sw = m.words[3];
    }
    if (--change.awaited == 0) phase_done(m.gid);
  }
  void phase_done(std::uint32_t gid) {
    Change& change = changes_.at(gid);
    switch (change.phase) {
      case Phase::kReserve:
        if (change.record.outcome != Outcome::kDone) return adjust(gid, Phase::kUndo);
        if (change.record.move) return pause_all(gid);
        return hold_all(ChangeKind::kStop, gid, change.stop);
      case Phase::kUndo:
        return all_refused(gid);
      default:
        if (change.tree.root_node == node_) return finish(gid);
        send_(gid % world_.graph.nodes(), gid, {word(ChangeKind::kMove), change.tree.root_node});
    }
  }
  /// Tells all members to stop after a barrier, or to pause before one.
  void hold_all(ChangeKind kind, std::uint32_t gid, std::uint64_t barrier) {
    send_(node_, gid, {word(kind), low_word(barrier), high_word(barrier), groups_.at(gid).changes});
  }
  void all_refused(std::uint32_t gid) {
    const Change change = std::move(changes_.at(gid));
    changes_.erase(gid);
    for (const MembershipRequest& w : change.requests)
      refuse(gid, w, change.record.outcome, change.record.sw);
    world_.changed(change.record, {});
    if (const auto& move = change.record.move)
      tell_placed(change.keeper, gid, change.record.outcome, move->sw);
    add_requests_again(gid);
    hold_for_requests(gid);
  }
  /// All is confirmed: everybody may go on. Told in the order old members, new members.
  void finish(std::uint32_t gid) {
    const Change& change = changes_.at(gid);
    world_.changed(change.record, change.tree);
    const std::uint64_t first = change.stop + 1;
    std::vector<std::uint32_t> words{word(ChangeKind::kChanged), low_word(first), high_word(first)};
    const std::vector<std::uint32_t> news = announcement_words(change.next, world_.graph.nodes());
    words.insert(words.end(), news.begin(), news.end());
    for (const NodeId n : change.record.joined) send_(n, gid, words);
    if (const auto& move = change.record.move)
      tell_placed(change.keeper, gid, Outcome::kDone, move->sw);
    send_(node_, gid, std::move(words));
  }
  /// Another node is root node now.
  void hand_on_requests(std::uint32_t gid, NodeId root) {
    const auto waiting = requests_.find(gid);
    if (waiting == requests_.end()) return;
    for (const MembershipRequest& w : waiting->second) {
      if (w.link) continue;  // the new root node looks for itself
      send_(root, gid,
            {word(ChangeKind::kMembership), w.node, w.join, low_word(w.stop + 1),
             high_word(w.stop + 1)});
    }
    requests_.erase(waiting);
  }

  // ---- Moves between register and memory (docs/systems/groups.md) ------------------------------

  /// Nothing else is done with the group, and nothing speaks against it at this node.
  bool movable(std::uint32_t gid, const MemberGroup& group, bool to_memory) const {
    if (!group.alive || !group.options.spill || group.leaving != group.all_leaves()) return false;
    if (changes_.count(gid) != 0 || requests_.count(gid) != 0) return false;
    return !to_memory || !world_.user->arrived(node_, gid);
  }
  void tell_idle(const GroupMessage& m) {
    if (passed_on(m)) return;
    const auto group = groups_.find(m.gid);
    const bool may = group != groups_.end() && movable(m.gid, group->second, true);
    const std::uint64_t cycles = may ? std::min(world_.user->idle(m.gid), kMostTold) : 0;
    send_(m.words[1], m.gid,
          {word(ChangeKind::kIdleFor), may, low_word(cycles), high_word(cycles)});
  }
  void place(const GroupMessage& m) {
    if (passed_on(m)) return;
    const NodeId keeper = m.words[1];
    const SwitchId sw = m.words[2];
    const bool to_memory = m.words[3] != 0;
    const auto refused = [&](Outcome why) { tell_placed(keeper, m.gid, why, sw); };
    const auto known = groups_.find(m.gid);
    if (known == groups_.end()) return refused(Outcome::kNoGroup);
    const MemberGroup& group = known->second;
    if (!movable(m.gid, group, to_memory)) return refused(Outcome::kBusy);
    const auto image =
        std::ranges::find_if(group.role.images, [&](const RegisterImage& i) { return i.sw == sw; });
    if (image == group.role.images.end()) return refused(Outcome::kNotHere);
    Change change;
    change.keeper = keeper;
    change.next = group;
    change.next.changes = (group.changes + 1) & 0xffff;
    change.tree = plan_tree(world_.versions.at(group.version), group.members);
    change.differences = {{sw, *image, *image}};
    change.record.gid = m.gid;
    change.record.move = PlaceMove{sw, to_memory};
    change.record.kept = static_cast<std::uint32_t>(group.role.images.size()) - 1;
    change.record.rewritten = 1;
    world_.deciding(m.gid);
    changes_[m.gid] = std::move(change);
    adjust(m.gid, Phase::kReserve);
  }
  /// Before the first barrier for which this node has not sent its message, which it keeps back.
  void pause_all(std::uint32_t gid) {
    Change& change = changes_.at(gid);
    if (change.record.move->to_memory && world_.user->arrived(node_, gid)) return undo_move(gid);
    const std::uint64_t next = world_.user->next(gid);
    change.stop = next - 1;  // so that it is one barrier before the first, of all integers
    change.record.first_barrier = next;
    hold_all(ChangeKind::kPause, gid, next);
    world_.user->hold(node_, gid, next);
  }
  /// All have been released from the barrier before; `arrived`: a member has arrived at the next.
  void all_paused(std::uint32_t gid, bool arrived) {
    Change& change = changes_.at(gid);
    if (!arrived) return adjust(gid, Phase::kCommit);
    if (change.record.move->to_memory) {
      send_(node_, gid, {word(ChangeKind::kGoOn)});
      return undo_move(gid);
    }
    // It is used: after this barrier.
    ++change.stop;
    ++change.record.first_barrier;
    hold_all(ChangeKind::kStop, gid, change.stop);
  }

  NodeId node_;
  const NodeWorld& world_;
  std::map<std::uint32_t, MemberGroup>& groups_;
  Send send_;
  std::map<std::uint32_t, std::vector<MembershipRequest>> requests_;  ///< for later changes
  std::map<std::uint32_t, Change> changes_;
  std::map<std::uint32_t, NodeId> roots_;  ///< of identifiers this node is the home of

 private:
  static constexpr std::uint64_t kMostTold = 0xffff'ffff;  ///< cycles in two words

  /// By switch, ascending; switches whose image stays are left out. REQUIRES: images of one group.
  static std::vector<SwitchDifference> difference_of(std::span<const RegisterImage> before,
                                                     std::span<const RegisterImage> after) {
    std::map<topology::SwitchId, SwitchDifference> by_switch;
    for (const RegisterImage& image : before) by_switch[image.sw].before = image;
    for (const RegisterImage& image : after) by_switch[image.sw].after = image;
    std::vector<SwitchDifference> differences;
    for (auto& [sw, difference] : by_switch) {
      difference.sw = sw;
      if (difference.before != difference.after) differences.push_back(difference);
    }
    return differences;
  }
  /// The group is used.
  void undo_move(std::uint32_t gid) {
    ChangeRecord& record = changes_.at(gid).record;
    record.outcome = Outcome::kBusy;
    record.sw = record.move->sw;
    adjust(gid, Phase::kUndo);
  }
  /// A keeper has asked for a move: how that went.
  void tell_placed(NodeId keeper, std::uint32_t gid, Outcome outcome, SwitchId sw) {
    send_(keeper, gid, {word(ChangeKind::kPlaced), word(outcome), sw});
  }
};

}  // namespace muster::btin
