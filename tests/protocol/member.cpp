// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "protocol/protocol.hpp"

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
      !(word == Word{static_cast<std::uint8_t>(Word::kFirst + barrier), s.took[barrier]})) {
    found = kWrongData;
  }
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

}  // namespace muster::protocol
