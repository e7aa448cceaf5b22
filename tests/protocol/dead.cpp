// SPDX-License-Identifier: Apache-2.0
#include "protocol/dead.hpp"

namespace muster::protocol {
namespace {

void forget_up(const Protocol& p, const Node& parent, Channel& up) {
  Channel left;
  for (unsigned i = 0; parent.enabled && i < up.size; ++i) {
    Message m = up.at[i];
    m.word = {};
    const bool answers = m.phase != parent.phase || !p.rules.fail_resent;
    if (!m.fail && m.epoch == parent.epoch && answers) send(p, left, m);
  }
  up = left;
}

void forget_down(const Node& parent, const Node& child, Channel& down) {
  while (down.size != 0 && (down.at[0].phase != child.phase || down.at[0].epoch != child.epoch)) {
    remove(down, 0);
  }
  if (!parent.enabled || !parent.failed) return;
  const Message fail{parent.phase, parent.epoch, true, {}};
  const Message release{static_cast<std::uint8_t>(parent.phase ^ 1), parent.epoch, false,
                        parent.stored};
  unsigned first = down.size;  // DOWN(f, fail) with only DOWN(f-1) before it
  for (unsigned i = 0; i < down.size; ++i) {
    if (!(down.at[i] == fail || down.at[i] == release)) return;
    if (down.at[i] == fail && first == down.size) first = i;
  }
  while (first + 1 < down.size) remove(down, down.size - 1u);
}

}  // namespace

bool knows_dead(const Protocol& p) {
  const Rules& r = p.rules;
  return r.phase_bits == 1 && r.ordered && r.reset_disables && r.abort_is_final && r.write_all &&
         (r.drain == Drain::kAll || !p.around.recovers) && r.join_drained;
}

void forget_dead(const Protocol& p, State& s) {
  for (unsigned v = 1; v < p.tree.nodes(); ++v) {
    const Node &parent = s.node[p.tree.parent[v]], &child = s.node[v];
    Edge& e = s.edge[v];
    if (!e.live) {
      e.up = {};
    } else if (!parent.enabled || parent.failed) {
      forget_up(p, parent, e.up);
    }
    if (!child.enabled || child.failed) {
      e.down = {};
    } else {
      forget_down(parent, child, e.down);
    }
  }
}

}  // namespace muster::protocol
