// SPDX-License-Identifier: Apache-2.0
#include "protocol/protocol.hpp"

namespace muster::protocol {
namespace {

bool full(const Protocol& p, const State& s, unsigned r) {
  bool any = false, all = true;
  p.for_each_child(r, [&](unsigned v) {
    any |= s.edge[v].live;
    all &= !s.edge[v].live || s.edge[v].arrived;
  });
  return any && all;
}

void clear_arrivals(const Protocol& p, State& s, unsigned r) {
  p.for_each_child(r, [&](unsigned v) { s.edge[v].arrived = false; });
  s.node[r].up = {};
  s.node[r].sent = false;
}

void release(const Protocol& p, State& s, unsigned r, Word word) {
  clear_arrivals(p, s, r);
  s.node[r].stored = word;
  s.node[r].phase = p.next_phase(s.node[r].phase);
  p.for_each_child(r, [&](unsigned v) { s.edge[v].serve = s.edge[v].live; });
}

void fail(const Protocol& p, State& s, unsigned r) {
  clear_arrivals(p, s, r);  // they are not read any more
  s.node[r].failed = true;
  if (p.rules.fail_resent) return;
  p.for_each_child(r, [&](unsigned v) { s.edge[v].serve_fail = s.edge[v].live; });
}

/// What the messages of a cycle ask for beside arrivals.
struct Taken {
  bool arrives = false, fails = false, releases = false;
  Word word;
};

void take_up(const Protocol& p, State& s, const State& before, unsigned v, const Message& m,
             Taken& taken) {
  const unsigned r = p.tree.parent[v];
  const Node& n = before.node[r];
  if (!n.enabled || !before.edge[v].live || m.epoch != n.epoch) return;
  if (m.phase != n.phase) {
    const bool in_vain = (before.edge[v].arrived && !n.failed) || full(p, before, r);
    if (p.rules.as_built && in_vain) return;
    const bool has_word = n.stored.age != Word::kNone || !p.rules.stored_valid;
    if (!m.fail && m.phase == p.next_phase(n.phase, -1) && has_word) s.edge[v].serve = true;
  } else if (n.failed) {
    if (!p.rules.fail_resent) s.edge[v].serve_fail = true;
  } else if (m.fail) {
    taken.fails = true;
  } else if (!before.edge[v].arrived || (!p.rules.fold_once && !n.sent)) {
    s.edge[v].arrived = taken.arrives = true;
    if (p.rules.as_built) s.edge[v].serve = false;
    s.node[r].up = combine(s.node[r].up, m.word);
  }
}

void take_down(const Protocol& p, const State& before, unsigned r, const Message& m, Taken& taken) {
  const Node& n = before.node[r];
  if (!n.enabled || n.failed || m.epoch != n.epoch || m.phase != n.phase) return;
  if (m.fail && p.rules.abort_is_final) {
    if (n.sent || !p.rules.fail_needs_sent) taken.fails = true;
  } else if (n.sent || m.fail) {
    taken.releases = true;
    taken.word = m.fail ? Word{Word::kFailure, 0} : m.word;
  }
}

void send_down(const Protocol& p, State& s, const State& before, unsigned v) {
  const Node& n = before.node[p.tree.parent[v]];
  if (before.edge[v].serve) {
    s.edge[v].serve = false;
    const bool failure = n.stored.age == Word::kFailure;
    send(p, s.edge[v].down,
         {p.next_phase(n.phase, -1), n.epoch, failure, failure ? Word{} : n.stored});
  } else {
    s.edge[v].serve_fail = false;
    send(p, s.edge[v].down, {n.phase, n.epoch, true, {}});
  }
}

}  // namespace

bool may_send_up(const Protocol& p, const State& s, unsigned v) {
  const Node& n = s.node[v];
  if (v == 0 || !n.enabled) return false;
  if (n.failed) return p.rules.fail_goes_up;
  return p.is_member(v) ? n.status == Node::kWaiting : full(p, s, v);
}

bool may_send_down(const Protocol& p, const State& s, unsigned v) {
  const Node& n = s.node[p.tree.parent[v]];
  const Edge& e = s.edge[v];
  if (!n.enabled || !e.live) return false;
  return e.serve || (n.failed && (p.rules.fail_resent || e.serve_fail));
}

void clock_register(const Protocol& p, State& s, unsigned r, const Cycle& cycle) {
  const State before = s;
  const Node& n = before.node[r];
  if (cycle.sends_up) {
    send(p, s.edge[r].up, {n.phase, n.epoch, n.failed, n.failed ? Word{} : n.up});
    s.node[r].sent = !n.failed;
  }
  Taken taken;
  taken.fails = cycle.aborts;
  p.for_each_child(r, [&](unsigned v) {
    if (cycle.sends_down >> v & 1) send_down(p, s, before, v);
    if (!(cycle.takes_up >> v & 1)) return;
    take_up(p, s, before, v, before.edge[v].up.at[cycle.index], taken);
    if (!cycle.keeps) remove(s.edge[v].up, cycle.index);
  });
  if (cycle.takes_down) {
    take_down(p, before, r, before.edge[r].down.at[cycle.index], taken);
    if (!cycle.keeps) remove(s.edge[r].down, cycle.index);
  }
  if (r == 0 && (taken.arrives || p.rules.leave_completes) && n.enabled && !n.failed &&
      full(p, s, r)) {
    taken.releases = true;
    taken.word = s.node[r].up;
  }
  if (taken.fails) {
    fail(p, s, r);
  } else if (taken.releases) {
    release(p, s, r, taken.word);
  }
}

bool may_abort(const Protocol& p, const State& s, unsigned v) {
  const Node& n = s.node[v];
  if (!n.enabled || n.failed) return false;
  if (p.is_member(v)) return n.status == Node::kIdle;
  if (p.rules.as_built && full(p, s, v)) return false;
  return !n.sent || !p.rules.abort_unsent_only;
}

void abort(const Protocol& p, State& s, unsigned v) {
  if (p.is_member(v)) {
    s.node[v].failed = true;
  } else if (p.rules.abort_is_final) {
    fail(p, s, v);
  } else {
    release(p, s, v, {Word::kFailure, 0});
  }
}

void reset(const Protocol& p, State& s, unsigned v) {
  Node& n = s.node[v];
  if (!p.is_member(v)) {
    clear_arrivals(p, s, v);
    n.stored = {};
    p.for_each_child(v, [&](unsigned c) { s.edge[c].serve = s.edge[c].serve_fail = false; });
  }
  n.phase = n.epoch = 0;
  n.failed = false;
  n.enabled = !p.rules.reset_disables;
}

}  // namespace muster::protocol
