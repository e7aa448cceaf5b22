// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/topology/graph.hpp"

namespace muster::checkers {

/// A message that a switch has to send.
struct OwedMessage {
  std::uint64_t since;    ///< cycle in which it became due
  topology::SwitchId sw;  ///< that owes it
};

/// Knows which messages the switches owe.
class OwedMessages {
 public:
  virtual ~OwedMessages() = default;
  /// Of those that have not been sent by the end of this cycle.
  virtual std::optional<OwedMessage> oldest_owed() = 0;
  /// REQUIRES: oldest_owed() has just returned a message.
  virtual std::string describe_oldest() const = 0;
};

}  // namespace muster::checkers
