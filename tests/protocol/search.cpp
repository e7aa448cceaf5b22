// SPDX-License-Identifier: Apache-2.0
#include "protocol/search.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "protocol/protocol.hpp"

namespace muster::protocol {

// Which states of a graph have a way to a goal.

class Ways {
 public:
  /// The steps that follow are from the next state, counted from 0.
  void begin_state(bool is_goal) {
    begins_.push_back(steps_.size());
    has_way_.push_back(is_goal);
  }
  void add(std::uint32_t to, bool reaches_goal) {
    if (has_way_.back()) return;
    if (!reaches_goal) {
      steps_.push_back(to);
      return;
    }
    has_way_.back() = true;
    steps_.resize(begins_.back());  // its other steps are not used
  }

  /// The states without a way, in order. Backward from the goal: a state has a way if one of its
  /// steps leads to a state that has. Late states first, again until a pass finds no more.
  std::vector<std::uint32_t> without_goal() {
    begins_.push_back(steps_.size());
    bool found = true;
    while (found) {
      found = false;
      for (std::size_t n = has_way_.size(); n-- > 0;) {
        for (auto i = begins_[n]; !has_way_[n] && i < begins_[n + 1]; ++i)
          if (has_way_[steps_[i]]) found = has_way_[n] = true;
      }
    }
    std::vector<std::uint32_t> without;
    for (std::size_t n = 0; n < has_way_.size(); ++n)
      if (!has_way_[n]) without.push_back(static_cast<std::uint32_t>(n));
    return without;
  }

 private:
  std::vector<std::uint64_t> begins_;  ///< of each state in steps_
  std::vector<std::uint32_t> steps_;
  std::vector<bool> has_way_;
};

// Messages that no vertex will ever read, taken out of states, so that there are fewer.
//
// A message may be lost at any time, so a state without it is reachable from one with it; and if
// its receiver can do nothing with it, what follows is the same. Such are:
//   1. all messages to a node that is disabled or has failed, and from a port that is not live: it
//      stays so until the channels are drained. A failed register in phase f answers UP(f-1), of
//      which only the phase matters; with failures that are not sent again it answers UP(f) too;
//   2. the oldest DOWN, if it is not of the phase and epoch of the child, which are changed by
//      messages behind it at the earliest;
//   3. of DOWN(f-1) and DOWN(f, fail), which a failed register in phase f sends in any mixture, all
//      behind the first DOWN(f, fail): a child in phase f does nothing with DOWN(f-1), and the
//      first DOWN(f, fail) stands for any number of copies.

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
  while (down.size != 0 && (down.at[0].phase != child.phase || down.at[0].epoch != child.epoch))
    remove(down, 0);
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

/// The rules are those for which the above is so.
bool knows_dead(const Protocol& p) {
  const Rules& r = p.rules;
  return r.phase_bits == 1 && r.ordered && r.reset_disables && r.abort_is_final && r.write_all &&
         (r.drain == Drain::kAll || !p.around.recovers) && r.join_drained;
}

void forget_dead(const Protocol& p, State& s) {
  for (unsigned v = 1; v < p.tree.nodes(); ++v) {
    const Node &parent = s.node[p.tree.parent[v]], &child = s.node[v];
    Edge& e = s.edge[v];
    if (!e.live)
      e.up = {};
    else if (!parent.enabled || parent.failed)
      forget_up(p, parent, e.up);
    if (!child.enabled || child.failed)
      e.down = {};
    else
      forget_down(parent, child, e.down);
  }
}

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = 0;
    for (const std::uint64_t word : key) {
      h = (h ^ word) * 0x9e3779b97f4a7c15;
      h ^= h >> 32;
    }
    return h;
  }
};

class Search {
 public:
  Search(const Protocol& protocol, const Limits& limits)
      : p_(protocol),
        limits_(limits),
        forgets_(limits.forget && knows_dead(protocol)),
        packer_(p_.tree, p_.rules, p_.around, limits.symmetry) {}

  Result run() {
    p_.bound_met = false;
    bool all = explore();
    result_.states = states_.size();
    result_.complete = all && !p_.bound_met;
    if (all && result_.violation.empty()) find_stuck();
    return result_;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Says if there are no more states.
  bool explore() {
    State first = first_state(p_);
    insert(first, kNone);
    for (std::uint32_t n = 0; n < states_.size(); ++n) {
      const State s = packer_.unpack(*states_[n]);
      find_steps(p_, s, steps_);
      ways_.begin_state(has_ended(p_, s));
      for (Step& step : steps_) {
        if (step.violation != nullptr) {
          result_.violation = step.violation;
          const std::string last = describe(p_, step);
          trace_to(n);
          result_.trace.push_back(last);
          return true;
        }
        const std::uint32_t to = insert(step.next, n);
        if (!step.is_fault) ways_.add(to, step.progress);
      }
      if (states_.size() > limits_.states) return false;
    }
    return true;
  }

  std::uint32_t insert(State& s, std::uint32_t from) {
    const auto [at, is_new] =
        numbers_.try_emplace(key(s), static_cast<std::uint32_t>(states_.size()));
    if (is_new) {
      states_.push_back(&at->first);
      parents_.push_back(from);
    }
    return at->second;
  }

  Key key(State& s) const {
    if (forgets_) forget_dead(p_, s);
    return packer_.pack(s);
  }

  void trace_to(std::uint32_t n) {
    std::vector<std::uint32_t> way;
    for (; n != kNone; n = parents_[n]) way.push_back(n);
    std::ranges::reverse(way);
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      find_steps(p_, packer_.unpack(*states_[way[i]]), steps_);
      const auto step = std::ranges::find_if(
          steps_, [&](Step& x) { return key(x.next) == *states_[way[i + 1]]; });
      result_.trace.push_back(describe(p_, *step));
    }
  }

  void find_stuck() {
    const std::vector<std::uint32_t> stuck = ways_.without_goal();
    result_.stuck = stuck.size();
    if (!stuck.empty()) trace_to(stuck.front());
  }

  const Protocol& p_;
  Limits limits_;
  bool forgets_;
  Packer packer_;
  std::unordered_map<Key, std::uint32_t, KeyHash> numbers_;
  std::vector<const Key*> states_;      ///< by number, in the order in which they came
  std::vector<std::uint32_t> parents_;  ///< by number
  Ways ways_;
  std::vector<Step> steps_;
  Result result_;
};

}  // namespace

Result search(const Protocol& protocol, const Limits& limits) {
  return Search(protocol, limits).run();
}

}  // namespace muster::protocol
