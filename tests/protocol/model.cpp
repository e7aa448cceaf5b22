// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "protocol/protocol.hpp"

namespace muster::protocol {
namespace {

class Finder {
 public:
  Finder(const Protocol& p, const State& s, std::vector<Step>& steps)
      : p_(p), s_(s), steps_(steps) {
    steps.clear();
  }

  void members() {
    p_.for_each_member([&](unsigned v) {
      const Node& n = s_.node[v];
      if (n.enabled && !n.failed && n.status == Node::kIdle) {
        State& next = add(Step::kArrive, v).next;
        next.node[v].status = Node::kWaiting;
        next.took[n.ahead] |= p_.bit(v);
      }
      if (may_send_up(p_, s_, v)) {
        Step& step = add(Step::kSendUp, v);
        protocol::send_up(p_, step.next, v);
        step.message = newest(step.next.edge[v].up);
      }
      each_oldest(s_.edge[v].down, [&](std::uint8_t i, const Message& m, bool keeps) {
        Step& step = add(Step::kTakeDown, v, m, keeps);
        if (!keeps) remove(step.next.edge[v].down, i);
        step.violation = member_takes(p_, step.next, v, m);
        step.progress = normalise(p_, step.next);
      });
    });
  }

  void registers() {
    for (unsigned r = 0; r < p_.tree.switches; ++r) {
      if (may_send_up(p_, s_, r)) cycle(Step::kSendUp, r, r, {.sends_up = true});
      each_child_bit(r, [&](unsigned v, std::uint8_t bit) {
        if (may_send_down(p_, s_, v)) cycle(Step::kSendDown, v, r, {.sends_down = bit});
        each_oldest(s_.edge[v].up, [&](std::uint8_t i, const Message& m, bool keeps) {
          cycle(Step::kTakeUp, v, r, {.takes_up = bit, .index = i, .keeps = keeps}, m);
        });
      });
      if (r == 0) continue;
      each_oldest(s_.edge[r].down, [&](std::uint8_t i, const Message& m, bool keeps) {
        cycle(Step::kTakeDown, r, r, {.takes_down = true, .index = i, .keeps = keeps}, m);
      });
    }
  }

  /// Every set of messages that a register can take and send at once.
  void several_at_once() {
    for (unsigned r = 0; r < p_.tree.switches; ++r) {
      unsigned heads = 0, outputs = 0;
      each_child_bit(r, [&](unsigned v, std::uint8_t bit) {
        if (s_.edge[v].up.size != 0) heads |= bit;
        if (may_send_down(p_, s_, v)) outputs |= bit;
      });
      // In both masks bit 0, which is no child, stands for the way to the parent.
      if (r != 0 && s_.edge[r].down.size != 0) heads |= 1;
      if (may_send_up(p_, s_, r)) outputs |= 1;
      for (unsigned in = heads;; in = (in - 1) & heads) {
        for (unsigned out = outputs;; out = (out - 1) & outputs) {
          Cycle c{.takes_up = static_cast<std::uint8_t>(in & ~1u),
                  .takes_down = (in & 1) != 0,
                  .sends_down = static_cast<std::uint8_t>(out & ~1u),
                  .sends_up = (out & 1) != 0};
          cycle(Step::kCycle, r, r, c);
          c.aborts = true;
          if (may_abort_now(r) && !c.sends_up) cycle(Step::kCycle, r, r, c);
          if (out == 0) break;
        }
        if (in == 0) break;
      }
    }
  }

  void faults() {
    for (unsigned v = 0; v < p_.tree.nodes(); ++v) {
      if (v != 0) {
        each_oldest(s_.edge[v].up, [&](std::uint8_t i, const Message& m, bool keeps) {
          if (!keeps) remove(add_fault(Step::kLoseUp, v, m).edge[v].up, i);
        });
        each_oldest(s_.edge[v].down, [&](std::uint8_t i, const Message& m, bool keeps) {
          if (!keeps) remove(add_fault(Step::kLoseDown, v, m).edge[v].down, i);
        });
      }
      if (may_abort_now(v)) {
        Step& step = add(Step::kAbort, v);
        step.is_fault = !must_time_out(v);
        abort(p_, step.next, v);
      }
      if ((p_.around.resets >> v & 1) && s_.node[v].enabled)
        reset(p_, add_fault(Step::kReset, v), v);
      if (!(p_.around.changes >> v & 1)) continue;
      if (may_leave(p_, s_, v)) leave(p_, add_fault(Step::kLeave, v), v);
      if (may_join(p_, s_, v)) join(p_, add_fault(Step::kJoin, v), v);
    }
  }

  void software() {
    if (may_recover(p_, s_)) {
      Step& step = add(Step::kRecover, 0);
      step.is_fault = !must_recover(p_, s_);
      begin_recovery(p_, step.next);
    }
    for (unsigned v = 0; v < p_.tree.nodes(); ++v) {
      if (s_.stage == Stage::kStopping && !s_.node[v].done) stop(p_, add(Step::kStop, v).next, v);
      if (may_write(p_, s_, v)) write(p_, add(Step::kWrite, v).next, v);
    }
    if (s_.stage == Stage::kStopping && all_done(p_, s_)) {
      Step& step = add(Step::kBeginWriting, 0);
      step.violation = begin_writing(p_, step.next);
    }
  }

 private:
  bool may_abort_now(unsigned v) const {
    return (p_.around.aborts >> v & 1) && may_abort(p_, s_, v);
  }
  /// A register gives up at last if a member is gone.
  bool must_time_out(unsigned v) const {
    bool gone = false;
    p_.for_each_member(
        [&](unsigned u) { gone |= s_.node[u].status != Node::kOut && !s_.node[u].enabled; });
    return gone && !p_.is_member(v) && !p_.around.recovers;
  }
  Step& add(Step::Kind kind, unsigned node, const Message& m = {}, bool keeps = false) {
    steps_.push_back({.kind = kind, .node = node, .message = m, .keeps = keeps, .next = s_});
    steps_.back().is_fault = keeps;
    return steps_.back();
  }
  State& add_fault(Step::Kind kind, unsigned node, const Message& m = {}) {
    Step& step = add(kind, node, m);
    step.is_fault = true;
    return step.next;
  }
  void cycle(Step::Kind kind, unsigned node, unsigned r, const Cycle& c, const Message& m = {}) {
    Step& step = add(kind, node, m, c.keeps);
    clock_register(p_, step.next, r, c);
    if (c.aborts) step.is_fault = true;
    if (kind == Step::kSendUp) step.message = newest(step.next.edge[node].up);
    if (kind == Step::kSendDown) step.message = newest(step.next.edge[node].down);
  }
  static Message newest(const Channel& c) { return c.size == 0 ? Message{} : c.at[c.size - 1]; }
  template <typename Do>
  void each_child_bit(unsigned r, Do action) {
    p_.for_each_child(r, [&](unsigned v) { action(v, static_cast<std::uint8_t>(1u << v)); });
  }
  /// The messages that can come next, each once as the last copy and once as another.
  template <typename Do>
  void each_oldest(const Channel& c, Do action) {
    const unsigned candidates = p_.rules.ordered ? (c.size != 0) : c.size;
    for (std::uint8_t i = 0; i < candidates; ++i) {
      action(i, c.at[i], false);
      action(i, c.at[i], true);
    }
  }

  const Protocol& p_;
  const State& s_;
  std::vector<Step>& steps_;
};

}  // namespace

State first_state(const Protocol& p) {
  State s;
  p.for_each_member([&](unsigned v) { s.node[v].status = Node::kIdle; });
  return s;
}

void find_steps(const Protocol& p, const State& s, std::vector<Step>& steps) {
  Finder finder(p, s, steps);
  finder.members();
  finder.registers();
  if (p.around.several) finder.several_at_once();
  finder.software();
  finder.faults();
  std::erase_if(
      steps, [&](const Step& x) { return x.violation == nullptr && !x.progress && x.next == s; });
}

bool has_ended(const Protocol& p, const State& s) {
  if (p.around.recovers) return false;
  bool all = true;
  p.for_each_member([&](unsigned v) { all &= s.node[v].failed || !s.node[v].enabled; });
  return all;
}

std::string describe(const Protocol& p, const Step& step) {
  static constexpr const char* kText[] = {"{n} arrives",
                                          "{n} sends UP{m}",
                                          "{r} sends DOWN{m} to {n}",
                                          "{r} takes UP{m} of {n}",
                                          "{n} takes DOWN{m}",
                                          "UP{m} of {n} is lost",
                                          "DOWN{m} to {n} is lost",
                                          "{n} takes and sends several",
                                          "{n} aborts",
                                          "{n} is reset",
                                          "software begins a recovery",
                                          "software stops {n}",
                                          "all are stopped",
                                          "software writes {n}",
                                          "{n} leaves",
                                          "{n} joins"};
  const auto name = [&](unsigned v) {
    return p.is_member(v) ? fmt::format("m{}", v - p.tree.switches) : fmt::format("S{}", v);
  };
  std::string message = fmt::format("({}", step.message.phase);
  if (step.message.epoch != 0) message += fmt::format(", epoch {}", step.message.epoch);
  message += step.message.fail ? ", fail)" : ")";
  std::string text = fmt::format(
      fmt::runtime(kText[step.kind]), fmt::arg("n", name(step.node)), fmt::arg("m", message),
      fmt::arg("r", name(step.node == 0 ? 0 : p.tree.parent[step.node])));
  if (step.keeps) text += ", a copy stays";
  return text;
}

}  // namespace muster::protocol
