// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "muster/topology/routes.hpp"
#include "support/test.hpp"
#include "systems/btin/groups/group_node.hpp"

namespace muster::btin {

/// A hash of a node's software as far as creations use it, and its clocks. What a request is for is
/// not in the hash: the order of the messages that lead to requests has to be added.
struct NodeState {
  /// Its next step does something besides repeating what has not been answered.
  static bool acts(const GroupNode& n) {
    return !n.to_self_.empty() || (!n.client_.sent_ && !n.client_.pending_.empty()) ||
           std::ranges::any_of(n.peers_.peers_, [](const auto& entry) {
             return !entry.second.sent && !entry.second.pending.empty();
           });
  }
  static const std::vector<GroupMessage>& to_self(const GroupNode& n) { return n.to_self_; }
  /// A message from another node that would be taken: it has not come before.
  static bool is_new(const GroupNode& n, const GroupMessage& m) {
    if (!n.world_.lossy) return true;
    const auto peer = n.peers_.peers_.find(m.source);
    const std::uint32_t expected = peer == n.peers_.peers_.end() ? 0 : peer->second.expected;
    return m.kind != Kind::kAcknowledge && m.words.back() == expected;
  }
  /// It takes what comes next for new, whatever it is.
  static void forget_number(GroupNode& n, const GroupMessage& m) {
    n.peers_.peers_[m.source].expected = m.words.back();
  }
  /// Of its last request; those on their way count from there, since only differences matter.
  static std::uint32_t tag(const GroupNode& n) { return n.client_.tag_; }
  /// The nodes that have not acknowledged, and, as kSwitch, if a switch has not answered.
  static constexpr std::uint32_t kSwitch = ~0u;
  static std::vector<std::uint32_t> unanswered(const GroupNode& n) {
    std::vector<std::uint32_t> who;
    if (n.client_.sent_) who.push_back(kSwitch);
    for (const auto& [node, peer] : n.peers_.peers_)
      if (peer.sent) who.push_back(node);
    return who;
  }
  /// It has waited for long enough for this one. Others wait on: their time is not 0.
  static void expire(GroupNode& n, std::uint32_t who) {
    (who == kSwitch ? n.client_.due_ : n.peers_.peers_.at(who).due) = 0;
  }
  static std::uint64_t hash(const GroupNode& n) {
    std::uint64_t sum = 1;
    const auto add = [&](std::uint64_t value) { sum = mix64(sum ^ value); };
    for (const auto& [gid, g] : n.groups_) {
      add(gid);
      add(static_cast<std::uint64_t>(g.phase) | g.awaited << 8 | std::uint64_t{g.leaving} << 24 |
          std::uint64_t{g.alive} << 40);
      add(static_cast<std::uint64_t>(g.verdict.kind) |
          static_cast<std::uint64_t>(g.verdict.reason) << 8 | std::uint64_t{g.verdict.sw} << 16);
    }
    for (const auto& [gid, wanted] : n.wanted_) add(gid | 1u << 16);
    for (const std::uint32_t gid : n.ids_) add(gid | 1u << 17);
    for (const GroupMessage& m : n.to_self_) {
      add(m.gid | static_cast<std::uint64_t>(m.kind) << 12 | std::uint64_t{m.source} << 32);
      for (const std::uint32_t w : m.words) add(w);
    }
    for (const auto& pending : n.client_.pending_) {
      const fabric::RegisterAccess& a = pending.access;
      add(a.destination | std::uint64_t{a.write} << 30 | std::uint64_t{a.address} << 32);
      add(a.old | std::uint64_t{a.value} << 32);
    }
    add(n.client_.sent_);
    for (const auto& [node, peer] : n.peers_.peers_) {
      add(node | std::uint64_t{peer.sent} << 16 | std::uint64_t{peer.number} << 24 |
          std::uint64_t{peer.expected} << 44);
      for (const GroupMessage& m : peer.pending) {
        add(m.gid | static_cast<std::uint64_t>(m.kind) << 12);
        for (const std::uint32_t w : m.words) add(w);
      }
    }
    for (const auto& [place, r] : n.setup_.registers_)
      add(place.first | std::uint64_t{place.second} << 16 | std::uint64_t{r} << 32);
    for (const auto& [sw, size] : n.setup_.sizes_) add(sw | std::uint64_t{size} << 32);
    return sum;
  }
};

/// What is not as the protocol has it.
enum class Broken : std::uint8_t {
  kNothing,
  kNoRepeats,     ///< lost is lost
  kNoNumbers,     ///< what comes twice is taken twice
  kBlindWrites,   ///< switches write whatever stood there before
  kDeafToRefusal  ///< who is told of a refusal takes it for done
};
struct Hazards {
  std::uint32_t losses = 0;   ///< packets that may be lost
  std::uint32_t repeats = 0;  ///< that may be sent again although nothing has been lost
  Broken broken = Broken::kNothing;
};

/// Nodes with their software, switches with registers only, and every message on its way in
/// a queue of its own for source and destination, which keep their order and nothing else: any
/// message that is first of its queue may come next, and any node may take its next step. A switch
/// does a request in one step. Where packets can be lost, the first of any queue may be lost
/// instead of coming, and any waiting node may time out and repeat what it has said; each up to a
/// bound, except that a timer always expires when nothing else can happen.
class LooseWorld {
 public:
  /// Node `from` of group `gid` creates it.
  struct Creation {
    std::uint32_t gid;
    std::vector<NodeId> members;
    GroupOptions options;
  };
  struct Register {
    std::uint32_t control = 0, children = 0;
  };
  enum class What : std::uint8_t {
    kStep,   ///< a node, as both ends
    kComes,  ///< the first packet of a queue
    kLost,   ///< the same
    kRepeat  ///< the node `from` no longer waits for `to`
  };
  struct Event {
    What what = What::kStep;
    std::uint32_t from = 0, to = 0;  ///< nodes, then switches
  };

  LooseWorld(const topology::Graph& graph, const topology::Routes& routes, std::uint32_t registers,
             const std::vector<Creation>& creations, Hazards hazards = {})
      : registers_(graph.switches(), std::vector<Register>(registers)),
        graph_(graph),
        versions_(graph),
        homes_(fabric::plan_home_nodes(graph, routes)),
        world_{graph,
               versions_,
               homes_,
               user_,
               [this](NodeId n, std::vector<core::Flit> f) { send(n, std::move(f)); },
               [this](NodeId, std::uint32_t gid, const Verdict& v) { told(gid, v); },
               {},
               {},
               nullptr,
               0,
               hazards.losses + hazards.repeats != 0 && hazards.broken != Broken::kNoRepeats},
        asked_(graph.nodes(), 0),
        hazards_(hazards) {
    for (NodeId n = 0; n < graph.nodes(); ++n) nodes_.emplace_back(n, world_);
    for (const Creation& c : creations)
      nodes_[c.members.front()].create(c.gid, c.members, c.options);
  }
  LooseWorld(const LooseWorld&) = delete;

  std::vector<Event> possible() const {
    std::vector<Event> events;
    for (const auto& [ends, queue] : queues_) {
      if (queue.empty()) continue;
      events.push_back({What::kComes, ends.first, ends.second});
      if (lost_ < hazards_.losses) events.push_back({What::kLost, ends.first, ends.second});
    }
    for (NodeId n = 0; n < nodes_.size(); ++n)
      if (NodeState::acts(nodes_[n])) events.push_back({What::kStep, n, n});
    if (events.empty() || repeated_ < lost_ + hazards_.repeats)
      for (NodeId n = 0; world_.lossy && n < nodes_.size(); ++n)
        for (const std::uint32_t who : NodeState::unanswered(nodes_[n]))
          events.push_back({What::kRepeat, n, who});
    return events;
  }

  void happen(Event e) {
    if (e.what == What::kRepeat) {
      ++repeated_;
      NodeState::expire(nodes_[e.from], e.to);
      return step(e.from);
    }
    if (e.what == What::kStep) return step(e.from);
    std::deque<std::vector<core::Flit>>& queue = queues_.at({e.from, e.to});
    const std::vector<core::Flit> flits = std::move(queue.front());
    queue.pop_front();
    if (e.what == What::kLost) {
      ++lost_;
      return;
    }
    if (e.to >= graph_.nodes()) return serve(e.to - graph_.nodes(), flits);
    if (fabric::Formats::opcode(flits.front()) == fabric::kOpcodeAnswer)
      return nodes_[e.to].receive_answer(fabric::register_answer(flits));
    come(e.to, decode(flits));
  }

  /// Equal only for states from which the same can follow.
  std::uint64_t state() const {
    std::uint64_t sum = mix64(7 + lost_ + (std::uint64_t{repeated_} << 32));
    for (NodeId n = 0; n < nodes_.size(); ++n)
      sum = mix64(sum ^ NodeState::hash(nodes_[n]) ^ asked_[n]);
    for (const auto& of_switch : registers_)
      for (const Register& r : of_switch)
        sum = mix64(sum ^ (std::uint64_t{r.control} << 32 | r.children));
    for (const auto& [gid, told] : verdicts_) sum = mix64(sum ^ gid ^ told.size() << 16);
    for (const auto& [ends, queue] : queues_)
      for (const auto& flits : queue)
        sum = mix64(sum ^ hash(ends, flits) ^ std::uint64_t{ends.first} << 40 ^
                    std::uint64_t{ends.second} << 20);
    return sum;
  }

  std::vector<std::vector<Register>> registers_;
  std::map<std::uint32_t, std::vector<Verdict>> verdicts_;  ///< as told, by group

 private:
  std::uint64_t hash(const std::pair<std::uint32_t, std::uint32_t>& ends,
                     const std::vector<core::Flit>& flits) const {
    const bool group = fabric::Formats::opcode(flits[0]) == fabric::kOpcodeGroup;
    const NodeId asks = std::min(ends.first, ends.second);  // the other is a switch
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < flits.size(); ++i) {
      std::uint32_t word = fabric::word_of(flits[i]);
      if (!group && i == 1)
        word = (word & 0x7ffu) |
               ((word >> fabric::kSourceWidth) - NodeState::tag(nodes_[asks])) % 32 << 11;
      sum = mix64(sum ^ word ^ i << 16);
    }
    return sum;
  }
  void send(NodeId from, std::vector<core::Flit> flits) {
    queues_[{from, fabric::Formats::destination(flits.front())}].push_back(std::move(flits));
  }
  void step(NodeId n) {
    for (const GroupMessage& m : NodeState::to_self(nodes_[n])) remember(n, m);
    nodes_[n].clock(0);
  }
  void come(NodeId n, GroupMessage m) {
    const bool outcome = m.kind == Kind::kAnswer || m.kind == Kind::kReport;
    if (hazards_.broken == Broken::kDeafToRefusal && outcome) m.words[1] = 0;
    if (hazards_.broken == Broken::kNoNumbers && m.kind != Kind::kAcknowledge)
      NodeState::forget_number(nodes_[n], m);
    if (NodeState::is_new(nodes_[n], m)) remember(n, m);
    nodes_[n].receive_message(std::move(m));
  }
  void remember(NodeId n, const GroupMessage& m) {
    if (m.kind == Kind::kAsk || m.kind == Kind::kAnnounce || m.kind == Kind::kDecide)
      asked_[n] = mix64(asked_[n] ^ m.gid ^ static_cast<std::uint64_t>(m.kind) << 12 ^
                        std::uint64_t{m.words[0]} << 16);
  }
  void told(std::uint32_t gid, const Verdict& v) { verdicts_[gid].push_back(v); }

  /// The access unit of a switch, docs/systems/groups.md; ports and permits are left out.
  void serve(SwitchId s, const std::vector<core::Flit>& flits) {
    namespace regs = fabric::registers;
    const auto at = [&](std::size_t i) { return fabric::word_of(flits[i]); };
    const std::uint32_t address = at(2) & 0xfffu, old = at(3) | at(4) << 16,
                        value = at(5) | at(6) << 16;
    const NodeId source = at(1) & 0x7ffu;
    std::uint32_t before = static_cast<std::uint32_t>(registers_[s].size()) << 24;
    std::uint32_t status = 0;
    if (address != regs::kSizes) {
      const std::uint32_t place = (address - regs::control(0)) / regs::kBarrierWords;
      Register& r = registers_[s].at(place);
      std::uint32_t& word = address == regs::control(place) ? r.control : r.children;
      before = word;
      const bool write = (at(2) & 0x8000u) != 0;
      const bool blind = hazards_.broken == Broken::kBlindWrites;
      if (write && (word == old || blind)) word = value;
      if (write && before != old && !blind) status = 1;
    }
    const std::uint32_t answer[fabric::kAnswerFlits] = {
        source | std::uint32_t{fabric::kOpcodeAnswer} << fabric::kDestinationWidth,
        (graph_.nodes() + s) | (at(1) >> fabric::kSourceWidth << fabric::kSourceWidth),
        address | status << 12, before & 0xffffu, before >> 16};
    queues_[{graph_.nodes() + s, source}].push_back(fabric::word_packet(answer, 0));
  }

  const topology::Graph& graph_;
  NetworkVersions versions_;
  fabric::HomeNodes homes_;
  GroupUser* user_ = nullptr;
  NodeWorld world_;
  std::deque<GroupNode> nodes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::vector<core::Flit>>> queues_;
  std::vector<std::uint64_t> asked_;  ///< by node: order of what led to requests
  Hazards hazards_;
  std::uint32_t lost_ = 0, repeated_ = 0;
};

}  // namespace muster::btin
