// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "barrier/register_plan.hpp"
#include "network/endpoints.hpp"
#include "network/flit.hpp"

namespace muster::workload {

/// Hears from a scheme what has become of the arrivals. Members are places in the group's list.
class ReleaseListener {
 public:
  virtual ~ReleaseListener() = default;
  /// The member goes on in this cycle.
  virtual void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// Some node knows in this cycle that all have arrived; not called if only a switch knows.
  virtual void completed(std::uint64_t cycle, std::uint32_t group) = 0;
};

/// What the nodes of a system do between a member's arrival and its release: BTIN's members here,
/// other systems beside it. A scheme sends through the endpoints it was made with and is told what
/// reaches the nodes.
class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual std::string name() const = 0;
  /// REQUIRES: the member has been released from its barrier before.
  virtual void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// A barrier message is on the wires into the node in this cycle. Throws InternalError if it has
  /// no business there.
  virtual void receive_sync(std::uint64_t cycle, std::uint32_t node, const network::Flit& flit) = 0;
};

/// What a scheme is made from. The references outlive it.
struct SchemeParts {
  const std::vector<barrier::PlannedGroup>& groups;
  network::EndpointBank& endpoints;
  network::Formats formats;
  std::uint64_t seed;  ///< of the members' data
  ReleaseListener& listener;
};

}  // namespace muster::workload
