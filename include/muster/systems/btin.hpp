// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Barrier trees in switches: what a run may ask of them, and what it says of their groups.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/fabric/reduce_op.hpp"
#include "muster/fabric/register_image.hpp"
#include "muster/topology/graph.hpp"

namespace muster::btin {

/// A node is to join or leave a group from a barrier on, or as soon after as it can.
struct MembershipRequest {
  std::uint32_t group = 0;    ///< of RunSpec::groups
  topology::NodeId node = 0;  ///< a member that leaves, or a node that joins
  bool join = false;          ///< else it leaves
  std::uint32_t barrier = 0;  ///< from 1 to the last of the group
};

inline constexpr std::uint32_t kMostDataBits = 74;        ///< of a barrier message
inline constexpr std::uint32_t kMostRetryPeriod = 65535;  ///< cycles
inline constexpr std::uint32_t kMostAgePeriod = 255;      ///< repeat periods
/// Age periods after which a register is suspect, at the earliest.
inline constexpr std::uint32_t kSuspectAge = 14;

/// Of registers and members that repeat messages, and of faults on their links. Background data
/// and packets are never lost: what they need is links that retry.
struct RetrySpec {
  std::uint32_t period = 64;  ///< cycles after which a message is sent again, 1 to kMostRetryPeriod
  double drop = 0.0;          ///< share of barrier messages that a link loses, 0 to 0.9
  double duplicate = 0.0;     ///< share of those that come twice, 0 to 0.9
  /// Cycles that a register has been under way when it is suspect, at the earliest; as far as age
  /// periods of kMostAgePeriod reach.
  std::uint64_t suspect_after = 1000;

  /// In repeat periods.
  std::uint64_t age_period() const {
    const std::uint64_t ticks = std::uint64_t{kSuspectAge} * period;
    return (suspect_after + ticks - 1) / ticks;
  }
  /// Cycles after which a register is suspect, at the earliest; suspect_after or a little more.
  std::uint64_t suspect_cycles() const { return period * age_period() * kSuspectAge; }
};

/// What a run may ask of barrier trees; a part of RunSpec::parts.
struct Spec {
  bool serial = false;   ///< switches that take one barrier message a cycle
  bool reflect = false;  ///< root switches reflect instead of asking the root node
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the members' data
  /// Bits of what a member brings, 1 to kMostDataBits; the switches' messages have room for them.
  /// None: as many as there is room for.
  std::optional<std::uint32_t> data_bits = std::nullopt;
  bool in_band = false;    ///< groups are created and released by messages, not by the host
  bool spill = false;      ///< groups that find no register live in the memory of a node
  bool many = false;       ///< switches with groups in block RAM, a place for every identifier
  bool retry = false;      ///< registers and members repeat messages (retry-registers.md)
  RetrySpec retries = {};  ///< if so
  /// These, and links that die (run::RunSpec::killed), need in_band and exclude spill.
  std::vector<MembershipRequest> requests = {};
};

/// Of a group set up in band: until the last member was told.
struct GroupTimes {
  std::uint64_t creation_cycles = 0;  ///< from the creator's first message
  std::uint64_t release_cycles = 0;   ///< from the members' leaving
};

/// What spill has cost a run.
struct SpillCost {
  std::uint64_t handed_over = 0;       ///< messages of two flits to nodes
  std::uint64_t answered = 0;          ///< messages of two flits from nodes
  std::uint64_t dropped = 0;           ///< of those handed over
  std::uint64_t spilled_barriers = 0;  ///< of groups that are spilled somewhere
  std::uint64_t other_barriers = 0;    ///< of the other groups
  double spilled_latency_mean = 0.0;   ///< cycles, of spilled_barriers
  double other_latency_mean = 0.0;     ///< cycles, of other_barriers
};

/// What registers and members that repeat have done.
struct RetryCounts {
  std::uint64_t messages = 0;    ///< of barriers, put on links
  std::uint64_t repeated = 0;    ///< of these, that had been there before
  std::uint64_t dropped = 0;     ///< lost on links
  std::uint64_t duplicated = 0;  ///< came twice
  std::uint64_t inquiries = 0;   ///< of the hosts after missing members
};

/// Outcome of a membership request.
struct RequestResult {
  MembershipRequest request;                   ///< as asked
  std::optional<std::uint64_t> first_barrier;  ///< with its new membership; none: refused
  std::string refused;                         ///< why; empty if it was fulfilled
};

/// How a step of setting up or changing a group went, at one switch or at all of a part of the
/// tree.
enum class Outcome : std::uint8_t {
  kDone,        ///< as asked
  kNoRegister,  ///< the switch has no free register
  kNoPermit,    ///< the node may not write there
  kIdInUse,     ///< the switch has a register with this identifier
  kNotHere,     ///< of a change: the switch has no register of the group
  kNoGroup,     ///< of a change: there is no such group
  kMember,      ///< of a change: who wants to join is a member, or who wants to leave is none
  kEmpty,       ///< of a change: nobody would be left
  kEnded,       ///< of a change: the group's last barrier is over
};

/// What one change of a live group has been, as its root node knows it.
struct ChangeRecord {
  std::uint32_t gid = 0;                 ///< of the group
  std::vector<topology::NodeId> joined;  ///< new members
  std::vector<topology::NodeId> left;    ///< members no more
  bool link = false;                     ///< because a link of its tree is dead
  Outcome outcome = Outcome::kDone;      ///< else nothing has changed, for this reason
  topology::SwitchId sw = 0;             ///< of a refusal
  std::uint64_t first_barrier = 0;       ///< the first with the new members on the new tree
  std::uint32_t added = 0;               ///< registers
  std::uint32_t rewritten = 0;           ///< registers
  std::uint32_t freed = 0;               ///< registers
  std::uint32_t kept = 0;                ///< registers
  std::uint64_t decided = 0;             ///< cycle in which the root node began
  std::uint64_t finished = 0;            ///< cycle in which it knew that all was confirmed
  std::uint64_t messages = 0;            ///< between nodes
  std::uint64_t requests = 0;            ///< to switches in this time, of all groups
};

/// A change of a group between two barriers.
struct ChangeResult {
  ChangeRecord record;  ///< what was done
  std::string refused;  ///< empty if it was done
  /// Cycle of the last release from the first barrier on the new tree, if there was one.
  std::optional<std::uint64_t> first_release;
};

/// One barrier register in use, or what a spill node keeps instead.
struct RegisterSlot {
  std::uint32_t slot = 0;       ///< number of the register in its switch; none if spilled
  std::uint32_t group = 0;      ///< index into the list of groups
  fabric::RegisterImage image;  ///< what it holds, and its switch
  bool spilled = false;         ///< lives in the memory of the switch's spill node
};

/// What is known of the groups at the end of a run; a part of RunResult::parts.
struct Result {
  std::vector<GroupTimes> times;        ///< by group, if set up in band
  std::uint64_t repeated_requests = 0;  ///< to switches, in the set-up
  std::vector<RegisterSlot> registers;  ///< where the groups lived, by group
  std::optional<SpillCost> spill;       ///< if groups may be spilled
  std::optional<RetryCounts> retries;   ///< if registers repeat
  std::vector<RequestResult> requests;  ///< in the order of Spec::requests
  std::vector<ChangeResult> changes;    ///< of live groups

  /// The switches at which a group was spilled.
  std::vector<topology::SwitchId> spilled_switches(std::size_t group) const;
};

}  // namespace muster::btin
