// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/core/rng.hpp"
#include "muster/topology/routes.hpp"
#include "systems/btin/groups/group_node.hpp"

namespace muster::btin {

/// A hash of a node's software as far as creations use it. What a request is for is not in it: the
/// order of the messages that lead to requests has to be added.
struct NodeState {
  static const std::vector<GroupMessage>& to_self(const GroupNode& n) { return n.to_self_; }
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
    for (const auto& [place, r] : n.setup_.registers_)
      add(place.first | std::uint64_t{place.second} << 16 | std::uint64_t{r} << 32);
    for (const auto& [sw, size] : n.setup_.sizes_) add(sw | std::uint64_t{size} << 32);
    return sum;
  }
};

/// Nodes with their software, switches with nothing but registers, and every message on its way in
/// a queue of its own for source and destination, which keep their order and nothing else: any
/// message that is first of its queue may come next, and any node may take its next step. A switch
/// does a request in one step. Nothing is lost, and nobody grows impatient.
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
  /// A message comes, or, if both ends are the same, a node takes a step.
  struct Event {
    std::uint32_t from = 0, to = 0;  ///< nodes, then switches
    friend auto operator<=>(const Event&, const Event&) = default;
  };

  LooseWorld(const topology::Graph& graph, const topology::Routes& routes, std::uint32_t registers,
             const std::vector<Creation>& creations)
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
               nullptr},
        asked_(graph.nodes(), 0) {
    for (NodeId n = 0; n < graph.nodes(); ++n) nodes_.emplace_back(n, world_);
    for (const Creation& c : creations)
      nodes_[c.members.front()].create(c.gid, c.members, c.options);
  }
  LooseWorld(const LooseWorld&) = delete;

  std::vector<Event> possible() const {
    std::vector<Event> events;
    for (const auto& [ends, queue] : queues_)
      if (!queue.empty()) events.push_back(ends);
    for (NodeId n = 0; n < nodes_.size(); ++n)
      if (!nodes_[n].idle()) events.push_back({n, n});
    return events;
  }

  void happen(Event e) {
    if (e.from == e.to) {
      for (const GroupMessage& m : NodeState::to_self(nodes_[e.to])) remember(e.to, m);
      return nodes_[e.to].clock(0);
    }
    std::deque<std::vector<core::Flit>>& queue = queues_.at(e);
    const std::vector<core::Flit> flits = std::move(queue.front());
    queue.pop_front();
    if (e.to >= graph_.nodes()) return serve(e.to - graph_.nodes(), flits);
    if (fabric::Formats::opcode(flits.front()) == fabric::kOpcodeAnswer)
      return nodes_[e.to].receive_answer(fabric::register_answer(flits));
    const GroupMessage m = decode(flits);
    remember(e.to, m);
    nodes_[e.to].receive_message(m);
  }

  /// Equal only for states from which the same can follow.
  std::uint64_t state() const {
    std::uint64_t sum = 7;
    for (NodeId n = 0; n < nodes_.size(); ++n)
      sum = mix64(sum ^ NodeState::hash(nodes_[n]) ^ asked_[n]);
    for (const auto& of_switch : registers_)
      for (const Register& r : of_switch)
        sum = mix64(sum ^ (std::uint64_t{r.control} << 32 | r.children));
    for (const auto& [gid, told] : verdicts_) sum = mix64(sum ^ gid ^ told.size() << 16);
    for (const auto& [ends, queue] : queues_)
      for (const auto& flits : queue)
        sum = mix64(sum ^ hash(flits) ^ std::uint64_t{ends.from} << 40 ^
                    std::uint64_t{ends.to} << 20);
    return sum;
  }

  std::vector<std::vector<Register>> registers_;
  std::map<std::uint32_t, std::vector<Verdict>> verdicts_;  ///< as told, by group

 private:
  static std::uint64_t hash(const std::vector<core::Flit>& flits) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < flits.size(); ++i) {
      // The tag of a request tells repetitions apart, of which there are none.
      const bool tag = i == 1 && fabric::Formats::opcode(flits[0]) != fabric::kOpcodeGroup;
      sum = mix64(sum ^ (flits[i].lo & (tag ? 0x7ffu : 0xffffu)) ^ i << 16);
    }
    return sum;
  }
  void send(NodeId from, std::vector<core::Flit> flits) {
    queues_[{from, fabric::Formats::destination(flits.front())}].push_back(std::move(flits));
  }
  void remember(NodeId n, const GroupMessage& m) {
    if (m.kind == Kind::kAsk || m.kind == Kind::kAnnounce || m.kind == Kind::kDecide)
      asked_[n] = mix64(asked_[n] ^ m.gid ^ static_cast<std::uint64_t>(m.kind) << 12 ^
                        std::uint64_t{m.words[0]} << 16);
  }
  void told(std::uint32_t gid, const Verdict& v) { verdicts_[gid].push_back(v); }

  /// The agent of a switch, docs/systems/groups.md; ports and permits are left out.
  void serve(SwitchId s, const std::vector<core::Flit>& flits) {
    namespace regs = fabric::registers;
    const auto at = [&](std::size_t i) { return fabric::word_of(flits[i]); };
    const std::uint32_t address = at(2) & 0xfffu, old = at(3) | at(4) << 16,
                        value = at(5) | at(6) << 16;
    const NodeId source = at(1) & 0x7ffu;
    std::uint32_t before = static_cast<std::uint32_t>(registers_[s].size()) << 24;
    std::uint32_t status = 0;
    if (address != regs::kSizes) {
      Register& r = registers_[s].at((address - regs::control(0)) / 4);
      std::uint32_t& word = (address & 3) == 0 ? r.control : r.children;
      before = word;
      const bool write = (at(2) & 0x8000u) != 0;
      if (write && word == old) word = value;
      if (write && before != old) status = 1;
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
  std::map<Event, std::deque<std::vector<core::Flit>>> queues_;
  std::vector<std::uint64_t> asked_;  ///< by node: order of what led to requests
};

}  // namespace muster::btin
