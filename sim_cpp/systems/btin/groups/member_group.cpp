// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/member_group.hpp"

#include "systems/btin/groups/group_changes.hpp"

namespace muster::btin {
namespace {

constexpr std::uint32_t kWordBits = 16;
constexpr std::uint32_t kHead = 3;  ///< words of an announcement before the bitmap

std::uint32_t digest(const std::vector<RegisterImage>& images, NodeId root_node) {
  std::uint64_t hash = root_node;
  for (const RegisterImage& image : images) {
    hash = mix64(hash ^ image.sw);
    hash =
        mix64(hash ^ (std::uint64_t{image.gid} << 32 | image.parent_port << 17 |
                      std::uint64_t{image.reflect} << 16 |
                      std::uint64_t{static_cast<std::uint8_t>(image.op)} << 48 | image.child_mask));
  }
  return static_cast<std::uint32_t>(hash & 0xffff);
}

}  // namespace

Role plan_role(const topology::Graph& graph, const fabric::HomeNodes& homes,
               const std::vector<NodeId>& members, std::uint32_t gid, const GroupOptions& options,
               NodeId node) {
  const BarrierTree tree = plan_tree(graph, members);
  Role role;
  role.root_node = tree.root_node;
  role.images = register_images(tree, gid, options.reflect, options.op);
  std::vector<SwitchId> parent(graph.switches());
  for (const TreeEdge& edge : tree.edges) parent[edge.child] = edge.parent;
  const auto representative = [&](SwitchId s) { return tree.switches[s].members.front(); };
  /// The member switch that looks after s: the nearest above it.
  const auto above = [&](SwitchId s) {
    do s = parent[s];
    while (tree.switches[s].members.empty());
    return s;
  };

  const SwitchId here = graph.node(node).at.sw;
  role.digest = digest(role.images, tree.root_node);
  role.representative = representative(here) == node;
  if (!role.representative) {
    role.parent = representative(here);
    return role;
  }
  const std::vector<NodeId>& local = tree.switches[here].members;
  role.locals.assign(local.begin() + 1, local.end());
  if (here != tree.root_switch) role.parent = representative(above(here));
  for (const RegisterImage& image : role.images) {
    const bool member_switch = !tree.switches[image.sw].members.empty();
    if (image.sw == here) {
      role.own = image;
    } else if (image.sw != tree.root_switch && above(image.sw) == here) {
      if (member_switch)
        role.children.push_back(representative(image.sw));
      else
        role.asked.push_back({homes.node[image.sw], image});
    }
  }
  return role;
}

std::vector<std::uint32_t> announcement_words(const Announcement& a, std::uint32_t nodes) {
  std::vector<std::uint32_t> words{std::uint32_t{a.options.reflect} | word(a.options.op) << 1 |
                                       std::uint32_t{a.options.spill} << 4 | a.version << 5,
                                   a.creator, a.changes};
  words.resize(kHead + (nodes + kWordBits - 1) / kWordBits, 0);
  for (const NodeId n : a.members) words[kHead + n / kWordBits] |= 1u << n % kWordBits;
  return words;
}

Announcement announcement_at(const std::vector<std::uint32_t>& words, std::size_t place,
                             std::uint32_t nodes) {
  Announcement a;
  const std::uint32_t options = words[place];
  a.options = {(options & 1) != 0, static_cast<fabric::ReduceOp>(options >> 1 & 7),
               (options >> 4 & 1) != 0};
  a.version = options >> 5;
  a.creator = words[place + 1];
  a.changes = words[place + 2];
  for (NodeId n = 0; n < nodes; ++n)
    if ((words[place + kHead + n / kWordBits] >> n % kWordBits & 1) != 0) a.members.push_back(n);
  return a;
}

// The members' and homes' side of GroupChanges.

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
    case ChangeKind::kAskIdle:
      return tell_idle(m);
    case ChangeKind::kPlace:
      return place(m);
    case ChangeKind::kPause:
      return pause(m);
    case ChangeKind::kPaused:
      return one_paused(m.gid, m.words[1] != 0);
    case ChangeKind::kGoOn:
      return go_on(m);
    case ChangeKind::kIdleFor:
    case ChangeKind::kPlaced:
      break;  // for the keeper
  }
  throw InternalError("n{}: group {}: change message {} from n{}", node_, m.gid, m.words[0],
                      m.source);
}

/// The group, whose members are told to stop or to pause; nullptr if this one has not heard of the
/// change before, until when the message is kept.
const MemberGroup* GroupChanges::known_or_early(const GroupMessage& m) {
  const auto known = groups_.find(m.gid);
  if (known != groups_.end() && known->second.changes == m.words[3]) return &known->second;
  early_[m.gid] = m;
  return nullptr;
}

/// The root node has not sent its message of this barrier, so no member has been released from it
/// and every member can still be kept from the next.
void GroupChanges::stop(const GroupMessage& m) {
  const MemberGroup* const group = known_or_early(m);
  if (group == nullptr) return;
  Stop stop;
  stop.after = barrier_at(m.words, 1);
  stop.to_agree = stop.to_be_quiet = group->all_leaves();
  if (world_.user->left(node_, m.gid) > stop.after) {
    throw InternalError("n{}: group {}: ordered to stop after barrier {}, which is over", node_,
                        m.gid, stop.after);
  }
  stops_[m.gid] = stop;
  if (!is_root(*group)) world_.user->hold(node_, m.gid, stop.after + 1);
  for (const NodeId n : group->role.below()) send_(n, m.gid, m.words);
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

// ---- Pauses ----------------------------------------------------------------------------------

/// The root node has not sent its message of this barrier, as for stop().
void GroupChanges::pause(const GroupMessage& m) {
  const MemberGroup* const group = known_or_early(m);
  if (group == nullptr) return;
  const std::uint64_t before = barrier_at(m.words, 1);
  pauses_[m.gid] = {before, group->all_leaves(), false, false};
  world_.user->hold(node_, m.gid, before);
  for (const NodeId n : group->role.below()) send_(n, m.gid, m.words);
}

/// A member answers when it has been released from the barrier before.
void GroupChanges::look_at_pauses() {
  std::vector<std::uint32_t> answers;
  for (auto& [gid, pause] : pauses_) {
    if (pause.answered || world_.user->left(node_, gid) < pause.before) continue;
    pause.answered = true;
    answers.push_back(gid);
  }
  for (const std::uint32_t gid : answers) one_paused(gid, world_.user->arrived(node_, gid));
}

void GroupChanges::one_paused(std::uint32_t gid, bool arrived) {
  Pause& pause = pauses_.at(gid);
  pause.arrived |= arrived;
  if (--pause.to_answer != 0) return;
  const bool arrived_below = pause.arrived;
  pauses_.erase(gid);
  const Role& role = groups_.at(gid).role;
  if (role.parent) return send_(*role.parent, gid, {word(ChangeKind::kPaused), arrived_below});
  all_paused(gid, arrived_below);
}

void GroupChanges::go_on(const GroupMessage& m) {
  for (const NodeId n : groups_.at(m.gid).role.below()) send_(n, m.gid, m.words);
  hold_for_requests(m.gid);
}

// ---- The end of a change ---------------------------------------------------------------------

void GroupChanges::changed(const GroupMessage& m) {
  const std::uint64_t barrier = barrier_at(m.words, 1);
  Announcement news = announcement_at(m.words, 3, world_.graph.nodes());
  const bool stays = std::ranges::binary_search(news.members, node_);
  const auto old = groups_.find(m.gid);
  const bool was_member = old != groups_.end();
  bool was_root = false;
  if (was_member) {
    for (const NodeId n : old->second.role.below()) send_(n, m.gid, m.words);
    was_root = is_root(old->second);
    stops_.erase(m.gid);
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

void GroupChanges::goes_on_with(std::uint32_t gid, Membership membership, std::uint64_t barrier) {
  world_.user->told(node_, gid, membership, barrier);
  add_requests_again(gid);
  hold_for_requests(gid);
  look_at(gid);
  if (const auto next = early_.extract(gid)) receive(next.mapped());
}

/// A home node's step at one of its switches.
void GroupChanges::keep(const GroupMessage& m) {
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
void GroupChanges::keep_moved(Phase phase, bool to_memory, const RegisterImage& image,
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

}  // namespace muster::btin
