// SPDX-License-Identifier: Apache-2.0
// All steps that may be next in a state.
#pragma once

#include <string>
#include <vector>

#include "protocol/protocol.hpp"

namespace muster::protocol {

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

}  // namespace muster::protocol
