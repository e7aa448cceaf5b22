// SPDX-License-Identifier: Apache-2.0
#include "protocol/protocol.hpp"

#include <algorithm>

namespace muster::protocol {

void send(const Protocol& p, Channel& c, const Message& m) {
  const auto end = c.at.begin() + c.size;
  const bool there =
      p.rules.ordered ? c.size != 0 && end[-1] == m : std::find(c.at.begin(), end, m) != end;
  if (there) return;
  if (c.size == p.capacity) {
    p.bound_met = true;
    return;
  }
  *end = m;
  ++c.size;
  if (p.rules.ordered) return;
  // A set: one order for all of its states.
  const auto number = [](const Message& x) {
    return x.fail << 16 | x.phase << 12 | x.epoch << 8 | x.word.age << 4 | x.word.members;
  };
  std::sort(c.at.begin(), end + 1,
            [&](const Message& a, const Message& b) { return number(a) < number(b); });
}

void remove(Channel& c, unsigned index) {
  std::copy(c.at.begin() + index + 1, c.at.begin() + c.size, c.at.begin() + index);
  c.at[--c.size] = {};
  // Neighbours that are equal now are one run.
  if (index == 0 || index >= c.size || !(c.at[index - 1] == c.at[index])) return;
  remove(c, index);
}

void send_up(const Protocol& p, State& s, unsigned v) {
  const Node& n = s.node[v];
  Message m{n.phase, n.epoch, n.failed, {}};
  if (!n.failed) m.word = {static_cast<std::uint8_t>(Word::kFirst + n.ahead), p.bit(v)};
  send(p, s.edge[v].up, m);
}

namespace {

Violation check_release(const Protocol& p, const State& s, unsigned v, Word word) {
  const unsigned barrier = s.node[v].ahead;
  Violation found = nullptr;
  p.for_each_member([&](unsigned u) {
    const Node& n = s.node[u];
    if (n.status == Node::kOut || n.ahead > barrier) return;
    if (n.failed && n.ahead == barrier) found = kDisagree;
    if (n.ahead < barrier || n.status == Node::kIdle) found = kEarly;
  });
  if (found == nullptr &&
      !(word == Word{static_cast<std::uint8_t>(Word::kFirst + barrier), s.took[barrier]}))
    found = kWrongData;
  return found;
}

}  // namespace

Violation member_takes(const Protocol& p, State& s, unsigned v, const Message& m) {
  Node& n = s.node[v];
  if (!n.enabled || m.epoch != n.epoch || m.phase != n.phase || n.failed) return nullptr;
  Violation found = nullptr;
  if (m.fail && p.rules.abort_is_final) {
    n.failed = true;
    p.for_each_member([&](unsigned u) {
      if (s.node[u].status != Node::kOut && s.node[u].ahead > n.ahead) found = kDisagree;
    });
    return found;
  }
  if (n.status != Node::kWaiting) return nullptr;
  if (!m.fail) found = check_release(p, s, v, m.word);
  if (n.ahead + 1 == kMaxAhead) {
    p.bound_met = true;  // taken for lost
    return found;
  }
  ++n.ahead;
  n.status = Node::kIdle;
  n.phase = p.next_phase(n.phase);
  n.released = p.rules.recover_after_release;
  return found;
}

bool normalise(const Protocol& p, State& s) {
  unsigned least = kMaxAhead;
  p.for_each_member([&](unsigned v) {
    if (s.node[v].status != Node::kOut) least = std::min<unsigned>(least, s.node[v].ahead);
  });
  if (least == 0 || least == kMaxAhead) return false;
  p.for_each_member([&](unsigned v) {
    if (s.node[v].status != Node::kOut) s.node[v].ahead -= least;
  });
  for_each_word(s, p.tree.nodes(), [&](Word& w) {
    if (w.age < Word::kFirst || w.age >= Word::kFailure) return;
    w.age = w.age < Word::kFirst + least ? unsigned{Word::kOld} : w.age - least;
  });
  s.left_ahead -= std::min<unsigned>(s.left_ahead, least);
  std::shift_left(s.took.begin(), s.took.end(), least);
  std::fill(s.took.end() - least, s.took.end(), std::uint8_t{0});
  return true;
}

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
  if (taken.fails)
    fail(p, s, r);
  else if (taken.releases)
    release(p, s, r, taken.word);
}

bool may_abort(const Protocol& p, const State& s, unsigned v) {
  const Node& n = s.node[v];
  if (!n.enabled || n.failed) return false;
  if (p.is_member(v)) return n.status == Node::kIdle;
  if (p.rules.as_built && full(p, s, v)) return false;
  return !n.sent || !p.rules.abort_unsent_only;
}

void abort(const Protocol& p, State& s, unsigned v) {
  if (p.is_member(v))
    s.node[v].failed = true;
  else if (p.rules.abort_is_final)
    fail(p, s, v);
  else
    release(p, s, v, {Word::kFailure, 0});
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
      for (unsigned i = 0; i < c->size; ++i)
        c->at[i].epoch = (c->at[i].epoch + epochs - 1) % epochs;
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
