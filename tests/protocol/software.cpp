// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "protocol/protocol.hpp"

namespace muster::protocol {
namespace {

bool is_out(const Protocol& p, const State& s, unsigned v) {
  return p.is_member(v) && s.node[v].status == Node::kOut;
}

void drain(const Protocol& p, State& s, unsigned v) {
  if (v != 0) s.edge[v].down = {};
  p.for_each_child(v, [&](unsigned c) { s.edge[c].up = {}; });
}

void begin_pass(const Protocol& p, State& s, Stage stage) {
  s.stage = stage;
  for (unsigned v = 0; v < p.tree.nodes(); ++v) s.node[v].done = is_out(p, s, v);
}

}  // namespace

bool all_done(const Protocol& p, const State& s) {
  const auto begin = s.node.begin();
  return std::all_of(begin, begin + p.tree.nodes(), [](const Node& n) { return n.done; });
}

bool may_recover(const Protocol& p, const State& s) {
  if (!p.around.recovers || s.stage == Stage::kStopping) return false;
  if (!p.rules.recover_after_release) return true;
  bool all = s.stage == Stage::kRunning;
  p.for_each_member([&](unsigned v) { all &= s.node[v].released || is_out(p, s, v); });
  return all;
}

bool must_recover(const Protocol& p, const State& s) {
  for (unsigned v = 0; v < p.tree.nodes(); ++v) {
    const Node& n = s.node[v];
    if (is_out(p, s, v)) continue;
    if (!n.enabled && (s.stage == Stage::kRunning || n.done)) return true;
    if (n.failed && p.is_member(v) && s.stage == Stage::kRunning) return true;
  }
  return false;
}

void begin_recovery(const Protocol& p, State& s) { begin_pass(p, s, Stage::kStopping); }

void stop(const Protocol& p, State& s, unsigned v) {
  const bool failed = s.node[v].failed && p.is_member(v);
  reset(p, s, v);
  s.node[v].enabled = false;
  s.node[v].done = true;
  // The host of a member that has failed takes it for one that has not arrived.
  if (failed) {
    s.node[v].status = Node::kIdle;
    s.took[s.node[v].ahead] &= static_cast<std::uint8_t>(~p.bit(v));
  }
  if (p.rules.drain == Drain::kEdges) drain(p, s, v);
}

Violation begin_writing(const Protocol& p, State& s) {
  begin_pass(p, s, Stage::kWriting);
  unsigned most = p.rules.leavers_count ? s.left_ahead : 0;
  p.for_each_member([&](unsigned v) { most = std::max<unsigned>(most, s.node[v].ahead); });
  Violation found = nullptr;
  // What one member has been released from, the others that wait there are told by software.
  p.for_each_member([&](unsigned v) {
    Node& n = s.node[v];
    n.released = false;
    if (n.status == Node::kOut || n.ahead == most) return;
    if (n.status != Node::kWaiting) found = kDisagree;
    n.status = Node::kIdle;
    n.ahead = static_cast<std::uint8_t>(most);
  });
  normalise(p, s);
  const unsigned epochs = 1u << p.rules.epoch_bits;
  for (unsigned v = 1; v < p.tree.nodes(); ++v) {
    for (Channel* c : {&s.edge[v].up, &s.edge[v].down}) {
      if (p.rules.drain == Drain::kAll) *c = {};
      // The new epoch counts as 0.
      for (unsigned i = 0; i < c->size; ++i) {
        c->at[i].epoch = (c->at[i].epoch + epochs - 1) % epochs;
      }
    }
  }
  return found;
}

bool may_write(const Protocol& p, const State& s, unsigned v) {
  const Node& n = s.node[v];
  if (s.stage == Stage::kStopping || is_out(p, s, v)) return false;
  return s.stage == Stage::kWriting ? !n.done : !n.enabled && !p.rules.write_all;
}

void write(const Protocol& p, State& s, unsigned v) {
  s.node[v].enabled = true;
  if (s.stage == Stage::kRunning) return;
  s.node[v].done = true;
  if (!all_done(p, s)) return;
  s.stage = Stage::kRunning;
  for (auto& n : s.node) n.done = false;
}

bool may_leave(const Protocol& p, const State& s, unsigned v) {
  const unsigned r = p.tree.parent[v];
  const Node& n = s.node[v];
  if (s.stage != Stage::kRunning || n.status != Node::kIdle || !n.enabled || n.failed) return false;
  unsigned others = 0;
  p.for_each_child(r, [&](unsigned c) { others += c != v && s.edge[c].live; });
  return others != 0 && s.node[r].enabled && !s.node[r].failed;
}

void leave(const Protocol& p, State& s, unsigned v) {
  const unsigned r = p.tree.parent[v];
  s.edge[v].live = s.edge[v].serve = s.edge[v].serve_fail = false;
  s.left_ahead = std::max(s.left_ahead, s.node[v].ahead);
  s.node[v] = {};
  s.node[v].enabled = false;
  // A root that has become complete releases, as it does with a message.
  if (r == 0 && p.rules.leave_completes) clock_register(p, s, r, {});
}

bool may_join(const Protocol& p, const State& s, unsigned v) {
  const Node& r = s.node[p.tree.parent[v]];
  if (s.stage != Stage::kRunning || s.node[v].status != Node::kOut) return false;
  bool known = false;
  p.for_each_member([&](unsigned u) { known |= s.node[u].enabled && !is_out(p, s, u); });
  return known && r.enabled && !r.failed && (!r.sent || !p.rules.join_unsent);
}

void join(const Protocol& p, State& s, unsigned v) {
  const Node& r = s.node[p.tree.parent[v]];
  if (p.rules.join_drained) s.edge[v].up = s.edge[v].down = {};
  // The register is at the barrier of the members in its phase. If there are none all members
  // wait, and it has their release.
  unsigned ahead = kMaxAhead, most = 0;
  p.for_each_member([&](unsigned u) {
    const Node& n = s.node[u];
    if (n.status == Node::kOut || !n.enabled) return;
    most = std::max<unsigned>(most, n.ahead);
    if (n.phase == r.phase) ahead = n.ahead;
  });
  s.edge[v].live = true;
  Node& n = s.node[v] = {};
  n.phase = r.phase;
  n.epoch = r.epoch;
  n.status = Node::kIdle;
  n.ahead = static_cast<std::uint8_t>(ahead == kMaxAhead ? most + 1 : ahead);
}

}  // namespace muster::protocol
