// SPDX-License-Identifier: Apache-2.0
// Every reachable state of a model, in breadth first order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/protocol.hpp"

namespace muster::protocol {

struct Limits {
  std::uint64_t states = 20'000'000;
  bool symmetry = true;  ///< equal nodes are taken for one another; traces then change names
  bool forget = true;    ///< messages that no vertex will read are taken out
};

struct Result {
  std::uint64_t states = 0;
  bool complete = false;           ///< there are no others: neither a limit nor a bound was met
  std::string violation;           ///< of the shortest trace that breaks a property; empty if none
  std::uint64_t stuck = 0;         ///< states without a way on
  std::vector<std::string> trace;  ///< to the violation, or to the first state that is stuck

  /// From each state a way without a fault leads to a completed barrier, or to the end that all
  /// members have learned a failure. So a run that gives each step its chance gets there.
  bool goes_on() const { return complete && violation.empty() && stuck == 0; }
};

Result search(const Protocol& protocol, const Limits& limits = {});

}  // namespace muster::protocol
