// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/fabric/reduce_op.hpp"
#include "muster/run/spec.hpp"
#include "systems/btin/groups/group_user.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// A node is to join or leave a group from a barrier on, at least 1, or as soon after as it can.
struct MembershipRequest {
  std::uint32_t group = 0;
  topology::NodeId node = 0;
  bool join = false;
  std::uint32_t barrier = 0;
};

/// A link, by its two ends, that is declared dead in `cycle`: drained and taken out.
struct KilledLink {
  topology::PortRef a, b;
  std::uint64_t cycle = 0;
};

/// What a run may ask of barrier trees; a part of RunSpec::parts.
struct Spec {
  bool serial = false;   ///< switches that take one barrier message a cycle
  bool reflect = false;  ///< root switches reflect instead of asking the root node
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the members' data
  bool in_band = false;  ///< groups are created and released by messages, not by the host
  bool spill = false;    ///< groups that find no register live in the memory of a node
  std::vector<MembershipRequest> requests;  ///< needs in_band
  std::vector<KilledLink> killed;           ///< ascending by cycle; needs in_band

  bool changes() const { return !requests.empty() || !killed.empty(); }
};

/// Of a group set up in band: until the last member was told.
struct GroupTimes {
  std::uint64_t creation_cycles = 0;  ///< from the creator's first message
  std::uint64_t release_cycles = 0;   ///< from the members' leaving
};

/// What spill has cost a run.
struct SpillCost {
  std::uint64_t handed_over = 0, answered = 0;  ///< messages of two flits: to nodes, from them
  std::uint64_t dropped = 0;                    ///< of those handed over
  /// Barriers of groups that are spilled somewhere, and of the others; cycles.
  std::uint64_t spilled_barriers = 0, other_barriers = 0;
  double spilled_latency_mean = 0.0, other_latency_mean = 0.0;
};

/// Outcome of a membership request.
struct RequestResult {
  MembershipRequest request;
  std::optional<std::uint64_t> first_barrier;  ///< with its new membership; none: refused
  std::string refused;
};

/// A change of a group between two barriers.
struct ChangeResult {
  ChangeRecord record;
  std::string refused;  ///< empty if it was done
  /// Cycle of the last release from the first barrier on the new tree, if there was one.
  std::optional<std::uint64_t> first_release;
};

/// A link that was declared dead. Cycles; 0: not yet.
struct LinkResult {
  KilledLink link;
  bool quiesced = false;      ///< packets were held while the tables were written
  bool acyclic = false;       ///< old and new routes together have no cycle of dependencies
  std::uint64_t entries = 0;  ///< words that the host has written
  std::uint64_t empty = 0;    ///< no packet was in the network
  std::uint64_t routed = 0;   ///< the new tables stand, packets go again
  std::uint64_t out = 0;      ///< nobody used the link any more, and it was taken out
};

/// What is known of the groups at the end of a run; a part of RunResult::parts.
struct Result {
  std::vector<GroupTimes> times;        ///< by group, if set up in band
  std::uint64_t repeated_requests = 0;  ///< to switches, in the set-up
  std::vector<RegisterSlot> registers;  ///< where the groups lived, by group
  std::optional<SpillCost> spill;       ///< if groups may be spilled
  std::vector<RequestResult> requests;
  std::vector<ChangeResult> changes;
  std::vector<LinkResult> links;

  /// The switches at which a group was spilled.
  std::vector<topology::SwitchId> spilled_switches(std::size_t group) const;
};

}  // namespace muster::btin
