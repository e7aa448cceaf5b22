// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/groups/group_changes.hpp"
#include "systems/btin/groups/spill_keeper.hpp"

namespace muster::btin {

/// One node's messages to other nodes where packets can be lost (docs/reliability.md).
/// To each other node one message is under way at a time; it carries the number of the message in
/// its last word, and is repeated until the other node acknowledges the number. What comes twice is
/// acknowledged twice and taken once. Packets of two nodes stay in order, so messages do.
class PeerChannels {
 public:
  using Send = std::function<void(std::vector<core::Flit>)>;

  explicit PeerChannels(Send send) : send_(std::move(send)) {}

  /// To another node.
  void send(GroupMessage message) {
    peers_[message.destination].pending.push_back(std::move(message));
  }
  /// From another node: true if it is new, and `message` is as it was sent. Acknowledgements and
  /// what has come before end here.
  bool receive(GroupMessage& message) {
    Peer& peer = peers_[message.source];
    const std::uint32_t number = message.words.back();
    message.words.pop_back();
    if (message.kind == Kind::kAcknowledge) {
      if (!peer.sent || number != peer.number) return false;
      peer.pending.pop_front();
      peer.number = (peer.number + 1) % kNumbers;
      peer.sent = false;
      return false;
    }
    send_(encode({Kind::kAcknowledge, message.gid, message.destination, message.source, {number}},
                 RegisterClient::kVc));
    if (number != peer.expected) return false;
    peer.expected = (peer.expected + 1) % kNumbers;
    return true;
  }
  /// Once a cycle: sends what is new, repeats what is not acknowledged.
  void clock(std::uint64_t cycle) {
    for (auto& [node, peer] : peers_) {
      if (peer.pending.empty() || (peer.sent && cycle < peer.due)) continue;
      repetitions_ += peer.sent;
      peer.retry_after = peer.sent ? std::min(2 * peer.retry_after, RegisterClient::kLongestRetry)
                                   : RegisterClient::kFirstRetry;
      peer.sent = true;
      peer.due = cycle + peer.retry_after;
      GroupMessage message = peer.pending.front();
      message.words.push_back(peer.number);
      send_(encode(message, RegisterClient::kVc));
    }
  }
  /// Everything has been acknowledged.
  bool done() const {
    return std::ranges::all_of(peers_,
                               [](const auto& entry) { return entry.second.pending.empty(); });
  }
  std::uint64_t repetitions() const { return repetitions_; }

 private:
  friend struct NodeState;  // in tests

  static constexpr std::uint32_t kNumbers = 1u << 16;  ///< a word; two would do
  struct Peer {
    std::deque<GroupMessage> pending;  ///< the first is under way if sent
    bool sent = false;
    std::uint32_t number = 0, expected = 0;  ///< of the first pending, of the next to come
    std::uint64_t retry_after = 0, due = 0;
  };

  std::map<std::uint32_t, Peer> peers_;  ///< by node
  Send send_;
  std::uint64_t repetitions_ = 0;
};

/// The software of one node that creates, changes and releases groups: as creator, member,
/// representative, home node of switches and home of identifiers. docs/systems/groups.md has the
/// protocol. It waits for answers and never for other groups.
class GroupNode {
 public:
  GroupNode(NodeId node, const NodeWorld& world)
      : node_(node),
        world_(world),
        peers_([this](std::vector<core::Flit> f) { world_.send(node_, std::move(f)); }),
        client_(node, [this](std::vector<core::Flit> f) { world_.send(node_, std::move(f)); }),
        setup_(client_, world.graph.nodes(), world.spill,
               [this](Kind kind, NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words) {
                 send(kind, to, gid, std::move(words));
               }),
        changes_(node, world_, setup_, groups_,
                 [this](NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words) {
                   change_messages_[gid] += to != node_;
                   send(Kind::kChange, to, gid, std::move(words));
                 }),
        keeper_(node, world_, client_,
                [this](NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words) {
                  send(Kind::kChange, to, gid, std::move(words));
                }) {}

  /// As a member, creates a group of `members`, ascending. The id must not be in use at this node.
  void create(std::uint32_t gid, const std::vector<NodeId>& members, const GroupOptions& options) {
    const std::uint32_t version = world_.versions.newest();
    wanted_[gid] = {options, version, node_, 0, members};
    const NodeId root = plan_tree(world_.versions.at(version), members).root_node;
    send(Kind::kClaimId, gid % world_.graph.nodes(), gid, {root});
  }
  /// This member will not arrive at a barrier of the group any more. REQUIRES: it has been told
  /// that the group is alive, and has been released from its last barrier.
  void leave(std::uint32_t gid) {
    const MemberGroup& group = groups_.at(gid);
    send(Kind::kLeave, group.role.representative ? node_ : *group.role.parent, gid);
  }

  /// Live groups change between two barriers: requests of this node, news for all.
  GroupChanges& changes() { return changes_; }
  const GroupChanges& changes() const { return changes_; }
  /// Of the switch whose spill node this is.
  const SpillKeeper& keeper() const { return keeper_; }

  /// The tree of a group of this member uses the link, named by one end.
  bool uses(topology::PortRef link) const {
    for (const auto& [gid, group] : groups_)
      if (NetworkVersions::uses(group.role.images, link)) return true;
    return false;
  }

  /// From another node.
  void receive_message(GroupMessage message) {
    if (!world_.lossy || peers_.receive(message)) act(message);
  }
  void receive_answer(const fabric::RegisterAnswer& answer) { client_.receive(answer); }
  void clock(std::uint64_t cycle) {
    const std::vector<GroupMessage> now = std::move(to_self_);
    to_self_.clear();
    for (const GroupMessage& m : now) act(m);
    changes_.clock();
    keeper_.clock(cycle);
    client_.clock(cycle);
    peers_.clock(cycle);
  }
  /// All messages to other nodes have been acknowledged, where they are.
  bool heard() const { return peers_.done(); }
  std::uint64_t repetitions() const { return client_.repetitions(); }
  std::uint64_t repeated_messages() const { return peers_.repetitions(); }
  std::uint64_t requests() const { return client_.requests(); }
  /// Sent to other nodes for changes of a group.
  std::uint64_t change_messages(std::uint32_t gid) const {
    const auto sent = change_messages_.find(gid);
    return sent == change_messages_.end() ? 0 : sent->second;
  }

 private:
  friend struct NodeState;  // in tests: everything that decides what comes next

  void send(Kind kind, NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words = {}) {
    GroupMessage m{kind, gid, node_, to, std::move(words)};
    if (to == node_)
      to_self_.push_back(std::move(m));
    else if (world_.lossy)
      peers_.send(std::move(m));
    else
      world_.send(node_, encode(m, RegisterClient::kVc));
  }
  void act(const GroupMessage& m) {
    switch (m.kind) {
      case Kind::kClaimId:
        if (!ids_.insert(m.gid).second) return send(Kind::kIdInUse, m.source, m.gid);
        changes_.keep_root(m.gid, m.words[0]);
        return send(Kind::kIdGranted, m.source, m.gid);
      case Kind::kFreeId:
        ids_.erase(m.gid);
        changes_.forget_root(m.gid);
        return send(Kind::kIdFreed, m.source, m.gid);
      case Kind::kIdInUse:
        wanted_.erase(m.gid);
        return world_.told(node_, m.gid, {Verdict::Kind::kRefused, Outcome::kIdInUse, 0});
      case Kind::kIdGranted: {
        const Announcement wanted = std::move(wanted_.at(m.gid));
        wanted_.erase(m.gid);
        const NodeId root = plan_tree(world_.versions.at(wanted.version), wanted.members).root_node;
        return send(Kind::kAnnounce, root, m.gid, announcement_words(wanted, world_.graph.nodes()));
      }
      case Kind::kChange:
        if (keeper_.receive(m)) return;
        changes_.receive(m);
        return release_if_left(m.gid);
      case Kind::kAnnounce:
        return announced(m);
      case Kind::kAsk:
        return asked(m);
      case Kind::kReport:
        return reported(m);
      case Kind::kSpill:
      case Kind::kSpilled:
        return setup_.receive(m);
      case Kind::kAnswer:
        return part_done(m.gid, static_cast<Outcome>(m.words[1]), m.words[2]);
      case Kind::kDecide:
        return begin(m.gid, static_cast<Phase>(m.words[0]));
      case Kind::kIdFreed:
        return tell(m.gid, groups_.at(m.gid).verdict);
      case Kind::kLeave:
        return one_left(m.gid);
      case Kind::kResult:
        return tell(m.gid, {static_cast<Verdict::Kind>(m.words[0]),
                            static_cast<Outcome>(m.words[1]), m.words[2]});
      default:
        throw InternalError("n{}: group message of kind {} from n{} that it does not expect", node_,
                            static_cast<int>(m.kind), m.source);
    }
  }
  void announced(const GroupMessage& m) {
    MemberGroup group;
    static_cast<Announcement&>(group) = announcement_at(m.words, 0, world_.graph.nodes());
    group.role = plan_role(world_.versions.at(group.version), world_.homes, group.members, m.gid,
                           group.options, node_);
    const Role& role = groups_.insert_or_assign(m.gid, std::move(group)).first->second.role;
    for (const NodeId n : role.below()) send(Kind::kAnnounce, n, m.gid, m.words);
    if (role.representative) begin(m.gid, Phase::kReserve);
  }
  /// Starts a phase at this representative's switches; tells those below if they cannot know.
  void begin(std::uint32_t gid, Phase phase) {
    MemberGroup& group = groups_.at(gid);
    group.phase = phase;
    group.awaited =
        static_cast<std::uint32_t>(1 + group.role.asked.size() + group.role.children.size());
    if (phase != Phase::kReserve)
      for (const NodeId n : group.role.children) send(Kind::kDecide, n, gid, {word(phase)});
    for (const AskedSwitch& asked : group.role.asked) {
      const RegisterImage& i = asked.image;
      send(Kind::kAsk, asked.home_node, gid,
           {word(phase), i.sw, i.parent_port, mask_word(i), word(i.op), group.options.spill});
    }
    if (!group.role.own) return part_done(gid, Outcome::kDone, 0);
    const SwitchId here = group.role.own->sw;
    setup_.run(phase, *group.role.own, group.options.spill,
               [=, this](Outcome o) { part_done(gid, o, here); });
  }
  void part_done(std::uint32_t gid, Outcome outcome, SwitchId sw) {
    MemberGroup& group = groups_.at(gid);
    // Of several refusals the one on the switch with the least identifier is told.
    const bool first = group.verdict.kind != Verdict::Kind::kRefused;
    if (outcome != Outcome::kDone && (first || sw < group.verdict.sw))
      group.verdict = {Verdict::Kind::kRefused, outcome, sw};
    if (--group.awaited == 0) phase_done(gid);
  }
  void phase_done(std::uint32_t gid) {
    MemberGroup& group = groups_.at(gid);
    if (!group.role.parent) return decided_at_root(gid, group);
    const bool reserving = group.phase == Phase::kReserve;
    const Outcome outcome = reserving ? group.verdict.reason : Outcome::kDone;
    send(Kind::kReport, *group.role.parent, gid,
         {word(group.phase), word(outcome), group.verdict.sw, group.role.digest});
  }
  void decided_at_root(std::uint32_t gid, MemberGroup& group) {
    switch (group.phase) {
      case Phase::kReserve:
        return begin(gid,
                     group.verdict.kind == Verdict::Kind::kAlive ? Phase::kCommit : Phase::kUndo);
      case Phase::kCommit:
        return tell(gid, group.verdict);
      case Phase::kRelease:
        group.verdict = {Verdict::Kind::kGone, Outcome::kDone, 0};
        [[fallthrough]];
      case Phase::kUndo:
        // The id is free again before anyone is told.
        return send(Kind::kFreeId, gid % world_.graph.nodes(), gid);
    }
  }
  void reported(const GroupMessage& m) {
    if (m.words[3] != groups_.at(m.gid).role.digest)
      throw InternalError("group {}: n{} and n{} have planned different trees", m.gid, node_,
                          m.source);
    part_done(m.gid, static_cast<Outcome>(m.words[1]), m.words[2]);
  }
  void one_left(std::uint32_t gid) {
    MemberGroup& group = groups_.at(gid);
    if (--group.leaving != 0) return;
    if (group.role.parent)
      send(Kind::kLeave, *group.role.parent, gid);
    else
      release_if_left(gid);
  }
  /// At the root node: once all have left, and no change is under way.
  void release_if_left(std::uint32_t gid) {
    const auto group = groups_.find(gid);
    if (group == groups_.end() || group->second.role.parent) return;
    const MemberGroup& g = group->second;
    if (g.alive && g.leaving == 0 && g.phase == Phase::kCommit && !changes_.leads(gid))
      begin(gid, Phase::kRelease);
  }
  void asked(const GroupMessage& m) {
    const auto phase = static_cast<Phase>(m.words[0]);
    const RegisterImage image{m.words[1], m.gid,      false,
                              m.words[2], m.words[3], static_cast<fabric::ReduceOp>(m.words[4])};
    setup_.run(phase, image, m.words[5] != 0, [=, this](Outcome outcome) {
      send(Kind::kAnswer, m.source, m.gid, {m.words[0], word(outcome), image.sw});
    });
  }
  void tell(std::uint32_t gid, Verdict verdict) {
    MemberGroup& group = groups_.at(gid);
    group.verdict = verdict;
    const std::vector<std::uint32_t> words{word(verdict.kind), word(verdict.reason), verdict.sw};
    if (group.role.representative) {
      for (const NodeId n : group.role.below()) send(Kind::kResult, n, gid, words);
      group.leaving = group.all_leaves();
    }
    group.alive = verdict.kind == Verdict::Kind::kAlive;
    if (group.alive) {
      changes_.look_at(gid);
    } else {
      changes_.gone(gid);
      groups_.erase(gid);
    }
    world_.told(node_, gid, verdict);
  }

  NodeId node_;
  const NodeWorld& world_;
  PeerChannels peers_;
  RegisterClient client_;
  SwitchSetup setup_;
  std::map<std::uint32_t, MemberGroup> groups_;
  std::map<std::uint32_t, Announcement> wanted_;  ///< as creator, until the id is granted
  std::set<std::uint32_t> ids_;                   ///< in use, of those this node is the home of
  std::vector<GroupMessage> to_self_;
  std::map<std::uint32_t, std::uint64_t> change_messages_;  ///< to other nodes, by group
  GroupChanges changes_;
  SpillKeeper keeper_;
};

}  // namespace muster::btin
