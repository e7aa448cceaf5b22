// SPDX-License-Identifier: Apache-2.0
// What members, registers and software do in a step, by docs/systems/loss.md or an alternative.
//
// A step changes a state in place. One that breaks a property says which; nullptr if none does.
#pragma once

#include <cstdint>

#include "protocol/rules.hpp"
#include "protocol/state.hpp"

namespace muster::protocol {

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
    for (unsigned v = 1; v < tree.nodes(); ++v) {
      if (tree.parent[v] == r) action(v);
    }
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

}  // namespace muster::protocol
