// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Barrier trees in switches: what a run may ask of them, and what it says of their groups.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/barrier_registers.hpp"
#include "muster/run/fields.hpp"
#include "muster/run/own.hpp"
#include "muster/topology/graph.hpp"

namespace muster::btin {

/// A node is to join or leave a group from a barrier on, or as soon after as it can.
struct MembershipRequest {
  std::uint32_t group = 0;    ///< of RunSpec::groups
  topology::NodeId node = 0;  ///< a member that leaves, or a node that joins
  bool join = false;          ///< else it leaves
  std::uint32_t barrier = 0;  ///< from 1 to the last of the group
};

inline constexpr double kMostSetupDrop = 0.5;                    ///< share
inline constexpr double kMostMessageFaults = 0.9;                ///< share
inline constexpr std::uint64_t kMostEvictAfter = 1'000'000'000;  ///< cycles
inline constexpr std::uint32_t kMostRetryPeriod = 65535;         ///< cycles
inline constexpr std::uint32_t kMostAgePeriod = 255;             ///< repeat periods
inline constexpr std::uint32_t kMostDataBits = 74;               ///< of a barrier message
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

/// What a run may ask of barrier trees; RunSpec::own.
struct Spec : run::Own<run::SystemSpec, Spec> {
  static constexpr std::string_view kSystem = "btin";  ///< System::name()

  bool serial = false;   ///< switches that take one barrier message a cycle
  bool queued = false;   ///< switches in whose queues barrier messages wait with data
  bool reflect = false;  ///< root switches reflect instead of asking the root node
  /// Of all groups; none: the best one of each. Without `reflect` each group has a member there.
  /// Not with in_band, where each member plans the tree.
  std::optional<topology::SwitchId> root = std::nullopt;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the members' data
  std::vector<fabric::ReduceOp> ops = {};       ///< of each group, in place of `op`; empty: none
  /// Bits of what a member brings, 1 to kMostDataBits; the switches' messages have room for them.
  /// None: as many as there is room for.
  std::optional<std::uint32_t> data_bits = std::nullopt;
  bool in_band = false;    ///< groups are created and released by messages, not by the host
  bool spill = false;      ///< groups that find no register live in the memory of a node
  bool many = false;       ///< switches with groups in block RAM, a place for every identifier
  bool retry = false;      ///< registers and members repeat messages (retry-registers.md)
  RetrySpec retries = {};  ///< if so
  /// Not 0: groups that have been idle for so many cycles may be moved out of their registers, and
  /// groups that are used come back (docs/systems/groups.md). Needs in_band and spill.
  std::uint64_t evict_after = 0;
  /// Share of the packets of group membership that are lost, 0 to kMostSetupDrop; nodes then number
  /// and repeat their messages (docs/reliability.md). Needs in_band.
  double setup_drop = 0.0;
  /// These, and links that die (run::RunSpec::killed), need in_band.
  std::vector<MembershipRequest> requests = {};
};

/// The options of barrier trees and the parameters in JSON, those of registers that repeat apart.
void describe(run::Fields& f, Spec& s);
void describe(run::Fields& f, RetrySpec& s);  ///< those

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
  std::uint64_t dropped = 0;     ///< did not arrive
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
  kEmpty,       ///< of a change: no member would be left
  kEnded,       ///< of a change: the group's last barrier is over
  kBusy,        ///< of a move: the group is in a barrier, or another change of it is under way
};

/// A group has gone from its register into memory at one switch, or back.
struct PlaceMove {
  topology::SwitchId sw = 0;  ///< where
  bool to_memory = false;     ///< else to a register
};

/// What one change of a live group has been, as its root node knows it.
struct ChangeRecord {
  std::uint32_t gid = 0;                 ///< of the group
  std::vector<topology::NodeId> joined;  ///< new members
  std::vector<topology::NodeId> left;    ///< members no more
  bool link = false;                     ///< because a link of its tree is dead
  std::optional<PlaceMove> move;         ///< that and nothing else
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
  std::uint64_t labels = 0;     ///< of switches with labels: by port, 4 bits each
};

/// What is known of the groups at the end of a run; RunResult::own.
struct Result : run::Own<run::SystemResult, Result> {
  static constexpr std::string_view kSystem = "btin";  ///< System::name()

  std::vector<GroupTimes> times;        ///< by group, if set up in band
  std::uint64_t repeated_requests = 0;  ///< to switches, in the set-up
  std::uint64_t repeated_messages = 0;  ///< between nodes, where packets are lost
  std::uint64_t lost_packets = 0;       ///< of group membership
  std::vector<RegisterSlot> registers;  ///< where the groups lived, by group
  std::optional<SpillCost> spill;       ///< if groups may be spilled
  std::optional<RetryCounts> retries;   ///< if registers repeat
  std::vector<RequestResult> requests;  ///< in the order of Spec::requests
  std::vector<ChangeResult> changes;    ///< of live groups, but moves
  std::vector<ChangeResult> moves;      ///< between register and memory
  std::uint64_t moves_refused = 0;      ///< that keepers of switches have asked for
  /// By group and the first barrier for which it is so: at how many switches it was spilled.
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> spilled;

  /// The switches at which a group was spilled when its members went to their first barrier.
  std::vector<topology::SwitchId> spilled_switches(std::size_t group) const;
  /// At how many switches it was in one of its barriers.
  std::size_t spilled_in(std::size_t group, std::uint64_t barrier) const;
};

}  // namespace muster::btin
