// SPDX-License-Identifier: Apache-2.0
// One state of members, registers, channels and software.
#pragma once

#include <array>
#include <cstdint>

namespace muster::protocol {

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
    for (Channel* c : {&s.edge[v].up, &s.edge[v].down}) {
      for (unsigned i = 0; i < c->size; ++i) change(c->at[i].word);
    }
  }
}

}  // namespace muster::protocol
