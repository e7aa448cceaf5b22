// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace muster::protocol {

// What is searched: a tree, the rules that its parts keep, and what its surroundings may do to it.

/// When software waits until old messages are gone, in a recovery.
enum class Drain : std::uint8_t {
  kNone,
  kEdges,  ///< at each component, from its own stop on: others may still send
  kAll,    ///< when all components are stopped: then no message is left
};

/// The rules of docs/reliability.md. Each member is one of them, as it is right; the other values
/// are alternatives that a test shows to be wrong.
struct Rules {
  unsigned phase_bits = 1;
  unsigned epoch_bits = 2;
  bool ordered = true;            ///< a channel keeps the order of its messages
  bool fold_once = true;          ///< data are combined only when `arrived` becomes 1
  bool stored_valid = true;       ///< a register serves only a word that it has stored
  bool reset_disables = true;     ///< else a reset register goes on, in phase 0
  bool abort_is_final = true;     ///< else it flips the phase as a release does
  bool abort_unsent_only = true;  ///< a register that has sent its reduction starts no abort
  bool fail_resent = true;        ///< else once, and when a child asks
  bool fail_goes_up = true;       ///< else only a root's abort reaches every member
  bool fail_needs_sent = false;   ///< a failure from the parent counts only if `sent`
  Drain drain = Drain::kAll;
  bool recover_after_release = false;  ///< a recovery waits until each member had a release
  bool write_all = true;               ///< else a single component that was reset is written again
  bool join_drained = true;
  bool join_unsent = true;
  bool leave_completes = true;  ///< else a register looks for completion only when a child arrives
  /// As muster_retry_register.sv has them (docs/systems/retry-registers.md): a child that arrives
  /// is not served, one that has arrived or whose register is full gets no answer, a full one never
  /// aborts.
  bool as_built = false;
  bool leavers_count = true;  ///< software remembers the barriers that a member completed
};

/// What may happen beside the protocol; masks are of nodes.
struct Surroundings {
  std::uint8_t aborts = 0;   ///< switches and members that may abort at any time
  std::uint8_t resets = 0;   ///< nodes that may be reset at any time
  std::uint8_t changes = 0;  ///< members that leave and join again
  bool recovers = false;     ///< software may recover the group, at any time
  bool several = false;      ///< a register takes and sends several messages in one cycle
};

/// Nodes are switches, the root first, then members; `parent` of each but the root.
struct Tree {
  unsigned switches;
  std::vector<unsigned> parent;  ///< of node v at v; that of the root is not looked at

  unsigned nodes() const { return static_cast<unsigned>(parent.size()); }
  unsigned members() const { return nodes() - switches; }
  bool is_member(unsigned v) const { return v >= switches; }
};

// One state of members, registers, channels and software.

constexpr unsigned kMaxNodes = 7, kMaxMembers = 4, kMaxChannel = 7, kMaxAhead = 4;

/// Data as the set of members that it is of, and the barrier that they were given for. Barriers
/// are counted from that of the slowest member on, so that members may run for ever.
struct Word {
  enum Age : std::uint8_t { kNone, kOld, kFirst };  ///< kFirst + n: n barriers ahead of the slowest
  static constexpr std::uint8_t kFailure = 6;  ///< no data: where a failure is passed on as a word
  static constexpr std::uint8_t kBad = 7;      ///< of two barriers, or twice of one member
  std::uint8_t age : 3 = kNone;
  std::uint8_t members : kMaxMembers = 0;

  bool operator==(const Word&) const = default;
};

/// Both operands in one word: nothing can be taken out again, as with XOR or SUM.
inline Word combine(Word a, Word b) {
  if (a.age == Word::kNone) return b;
  if (b.age == Word::kNone) return a;
  if (a.age != b.age || (a.members & b.members) != 0) return {Word::kBad, 0};
  return {a.age, static_cast<std::uint8_t>(a.members | b.members)};
}

struct Message {
  std::uint8_t phase : 4 = 0, epoch : 3 = 0;
  bool fail : 1 = false;
  Word word;

  bool operator==(const Message&) const = default;
};

/// Messages on one way of an edge. Each stands for any number of copies: what is sent twice, or
/// duplicated, changes nothing, so that a channel without a bound has few states.
struct Channel {
  std::uint8_t size = 0;
  std::array<Message, kMaxChannel> at{};

  bool operator==(const Channel&) const = default;
};

/// A register, or a member, which is a register without children. What a part does not have is 0.
struct Node {
  enum Status : std::uint8_t { kOut, kIdle, kWaiting };
  bool enabled = true, failed = false;
  std::uint8_t phase = 0, epoch = 0;
  bool sent = false;           ///< register
  Word up, stored;             ///< register
  std::uint8_t status = kOut;  ///< member; of its host, which keeps it through a reset
  std::uint8_t ahead = 0;      ///< member: barriers completed more than the slowest; its host's
  bool done = false;           ///< software has stopped or written this node in this recovery
  bool released = false;       ///< member: in this epoch; kept only where a rule needs it

  bool operator==(const Node&) const = default;
};

/// The edge from a node to its parent, and what the parent's register knows of that port.
struct Edge {
  bool live = true, arrived = false, serve = false, serve_fail = false;
  Channel up, down;

  bool operator==(const Edge&) const = default;
};

enum class Stage : std::uint8_t { kRunning, kStopping, kWriting };

struct State {
  std::array<Node, kMaxNodes> node{};
  std::array<Edge, kMaxNodes> edge{};
  std::array<std::uint8_t, kMaxAhead> took{};  ///< who arrived at the barrier so far ahead
  std::uint8_t left_ahead = 0;                 ///< the most that a member had who has left
  Stage stage = Stage::kRunning;               ///< of software. Its epoch counts as 0.

  bool operator==(const State&) const = default;
};

/// Applies `change` to each word of a state.
template <typename Change>
void for_each_word(State& s, unsigned nodes, Change change) {
  for (unsigned v = 0; v < nodes; ++v) {
    change(s.node[v].up);
    change(s.node[v].stored);
    for (Channel* c : {&s.edge[v].up, &s.edge[v].down})
      for (unsigned i = 0; i < c->size; ++i) change(c->at[i].word);
  }
}

// What members, registers and software do in a step, by docs/reliability.md or an alternative.
//
// A step changes a state in place. One that breaks a property says which; nullptr if none does.

using Violation = const char*;
constexpr Violation kEarly = "released before all members have arrived";
constexpr Violation kWrongData = "released with the data of something else";
constexpr Violation kDisagree = "released from a barrier that another member has seen fail";

struct Protocol {
  Tree tree;
  Rules rules;
  Surroundings around;
  unsigned capacity = kMaxChannel;  ///< of a channel, in runs of equal messages
  mutable bool bound_met = false;   ///< no room: a message was lost, or a step left out

  bool is_member(unsigned v) const { return tree.is_member(v); }
  /// Calls for each child of register r.
  template <typename Do>
  void for_each_child(unsigned r, Do action) const {
    for (unsigned v = 1; v < tree.nodes(); ++v)
      if (tree.parent[v] == r) action(v);
  }
  template <typename Do>
  void for_each_member(Do action) const {
    for (unsigned v = tree.switches; v < tree.nodes(); ++v) action(v);
  }
  std::uint8_t next_phase(unsigned phase, int by = 1) const {
    return static_cast<std::uint8_t>((phase + by) & ((1u << rules.phase_bits) - 1));
  }
  std::uint8_t bit(unsigned member) const {
    return static_cast<std::uint8_t>(1u << (member - tree.switches));
  }
};

// Channels.
void send(const Protocol& p, Channel& c, const Message& m);
void remove(Channel& c, unsigned index);

// Members.
bool may_send_up(const Protocol& p, const State& s, unsigned v);  ///< of a register too
void send_up(const Protocol& p, State& s, unsigned v);            ///< of a member
Violation member_takes(const Protocol& p, State& s, unsigned v, const Message& m);
/// Lets the slowest member be 0 barriers ahead again. Says if it had become faster.
bool normalise(const Protocol& p, State& s);

// Registers.

/// What a register does in one cycle: messages that it takes, and outputs that are free. All of
/// it follows from the state at the beginning of the cycle.
struct Cycle {
  std::uint8_t takes_up = 0;    ///< from these children the oldest message
  bool takes_down = false;      ///< the parent's oldest message
  std::uint8_t sends_down = 0;  ///< REQUIRES: may_send_down
  bool sends_up = false;        ///< REQUIRES: may_send_up
  bool aborts = false;          ///< REQUIRES: may_abort, not sends_up
  std::uint8_t index = 0;       ///< of the message in a channel without order
  bool keeps = false;           ///< a copy of what is taken is still in the channel
};
bool may_send_down(const Protocol& p, const State& s, unsigned v);
void clock_register(const Protocol& p, State& s, unsigned r, const Cycle& cycle);
bool may_abort(const Protocol& p, const State& s, unsigned v);
void abort(const Protocol& p, State& s, unsigned v);
/// Nothing is known any more but what a member's host knows.
void reset(const Protocol& p, State& s, unsigned v);

// Software.
bool may_recover(const Protocol& p, const State& s);
bool must_recover(const Protocol& p, const State& s);  ///< nothing else helps the group
void begin_recovery(const Protocol& p, State& s);
void stop(const Protocol& p, State& s, unsigned v);
Violation begin_writing(const Protocol& p, State& s);  ///< REQUIRES: all are stopped
bool may_write(const Protocol& p, const State& s, unsigned v);
void write(const Protocol& p, State& s, unsigned v);
bool all_done(const Protocol& p, const State& s);
bool may_leave(const Protocol& p, const State& s, unsigned v);
void leave(const Protocol& p, State& s, unsigned v);
bool may_join(const Protocol& p, const State& s, unsigned v);
void join(const Protocol& p, State& s, unsigned v);

// All steps that may be next in a state.

struct Step {
  enum Kind : std::uint8_t {
    kArrive,
    kSendUp,    ///< by member or register `node`
    kSendDown,  ///< to `node`
    kTakeUp,    ///< from `node`
    kTakeDown,  ///< by `node`
    kLoseUp,    ///< sent by `node`
    kLoseDown,  ///< sent to `node`
    kCycle,     ///< several messages at register `node`
    kAbort,
    kReset,
    kRecover,
    kStop,
    kBeginWriting,
    kWrite,
    kLeave,
    kJoin,
  };
  Kind kind;
  unsigned node;
  Message message;        ///< where one message is sent, taken or lost
  bool keeps = false;     ///< a copy of the message stays
  bool is_fault = false;  ///< progress must not depend on it
  bool progress = false;  ///< the slowest member has completed a barrier
  Violation violation = nullptr;
  State next;
};

std::string describe(const Protocol& p, const Step& step);

/// All members are in, no member has arrived, no message is on its way.
State first_state(const Protocol& p);
/// Fills `steps` with the steps that change the state or break a property.
void find_steps(const Protocol& p, const State& s, std::vector<Step>& steps);
/// All members that can have learned the failure, and the group is not recovered.
bool has_ended(const Protocol& p, const State& s);

/// The bits of a state, filled with zeros.
using Key = std::array<std::uint64_t, 8>;

/// States as few bits, one for all states that differ only in the names of equal nodes.
class Packer {
 public:
  /// REQUIRES: nodes that `surroundings` treats differently are not interchangeable.
  Packer(const Tree& tree, const Rules& rules, const Surroundings& surroundings, bool symmetry);

  /// The least key of all states that are equal to this one except for names.
  Key pack(const State& s) const;
  State unpack(const Key& key) const;

 private:
  using Renaming = std::array<std::uint8_t, kMaxNodes>;  ///< new name of each node

  template <typename Fields>
  void transfer(State& s, Fields& bits) const;
  template <typename Fields>
  void transfer(Channel& c, Fields& bits) const;
  template <typename Fields>
  void transfer(Word& w, Fields& bits) const;
  bool keeps_tree(const Renaming& r, const Surroundings& surroundings) const;
  State renamed(const State& s, const Renaming& r) const;
  Key pack_as_is(State s) const;

  Tree tree_;
  Rules rules_;
  bool changes_;
  std::vector<Renaming> renamings_;  ///< the first changes nothing
};

}  // namespace muster::protocol
