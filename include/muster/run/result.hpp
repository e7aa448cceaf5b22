// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/outputs.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/own.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

/// What happened to the packets generated since the warm-up.
struct TrafficStatistics {
  std::uint64_t generated = 0;  ///< packets, warm-up included
  std::uint64_t started = 0;    ///< of them, with a flit on the link
  std::uint64_t delivered = 0;  ///< of them, with the tail at the destination
  /// Generated since the warm-up and delivered: those whose latency is measured.
  std::uint64_t measured = 0;
  std::uint64_t unfinished = 0;  ///< generated since the warm-up and not delivered at the end
  /// Cycles from generation to the tail at the destination; 0 if none is measured.
  double latency_mean = 0.0;
  std::uint64_t latency_min = 0;  ///< cycles
  std::uint64_t latency_max = 0;  ///< cycles
  /// Percentiles, in cycles; above 8191 up to 1/4096 too large.
  std::uint64_t latency_p50 = 0;
  std::uint64_t latency_p95 = 0;  ///< likewise
  std::uint64_t latency_p99 = 0;  ///< likewise
  double offered = 0.0;           ///< flits per node and cycle since the warm-up
  double accepted = 0.0;          ///< likewise, delivered
  std::uint64_t backlog = 0;      ///< packets in source queues
  bool saturated = false;         ///< the source queues still grow
};

/// One barrier of one group.
struct BarrierRecord {
  std::uint32_t group = 0;           ///< of the run, from 0
  std::uint32_t number = 0;          ///< of the group's barriers, from 0
  std::uint64_t latency_cycles = 0;  ///< last arrival to last release
  /// Last arrival until the first node knows that all have arrived.
  std::uint64_t reduction_cycles = 0;
  std::uint64_t distribution_cycles = 0;  ///< from then to the last release
  std::uint64_t exit_skew_cycles = 0;     ///< first to last release
  std::uint64_t released_at = 0;          ///< cycle of the last release
  std::uint32_t hops = 0;                 ///< messages counted on all links, node links too
  /// The longest that this barrier could have taken among the others, where a checker knows.
  std::optional<std::uint64_t> bound_cycles = {};
  /// It has failed: members went on though not all had arrived. Not in the latencies of the run.
  bool failed = false;
};

/// The longest that anything was allowed to take and took, cycles: checker `bounded waits`.
struct Waits {
  std::uint64_t packet_bound = 0;    ///< of a packet in the network
  std::uint64_t longest_packet = 0;  ///< seen
  std::uint64_t barrier_bound = 0;   ///< of a barrier message in a switch
  /// Seen; none if no checker saw a switch owe one. It is known of barrier registers only.
  std::optional<std::uint64_t> longest_barrier;
};

/// How often a property was checked and held.
struct CheckCount {
  std::string name;          ///< of the checker
  std::uint64_t passed = 0;  ///< checks
};

/// How a run has ended.
enum class End : std::uint8_t {
  kComplete,     ///< all barriers done, by the members that were left; the network empty
  kStopped,      ///< as complete, but groups have stopped: RunResult::stopped
  kHang,         ///< nothing moves any more, or the network does not become empty
  kViolation,    ///< a checker, lockstep or an assertion has objected
  kInterrupted,  ///< by RunSpec::interrupted
};

/// All that is known of a run. Times in cycles, counted from the first cycle of the run.
struct RunResult {
  std::string engine;                   ///< its name
  std::string scheme;                   ///< its name
  fabric::SwitchConfig config;          ///< of all switches
  End end = End::kComplete;             ///< how it ended
  std::string digest;                   ///< 16 hexadecimal digits
  std::uint32_t pipe = 0;               ///< cycles of the delay pipe in every channel
  std::uint64_t cycles = 0;             ///< all, with warm-up and draining
  std::uint64_t drain_cycles = 0;       ///< the last of them, without new data
  std::vector<BarrierRecord> barriers;  ///< completed ones, by group and number
  std::uint64_t latency_min = 0;        ///< of `barriers`, as the five below; 0 without any
  std::uint64_t latency_max = 0;        ///< cycles
  double latency_mean = 0.0;            ///< cycles
  std::uint64_t latency_p50 = 0;        ///< cycles that half of them do not exceed
  std::uint64_t latency_p95 = 0;        ///< likewise 95 %
  std::uint64_t latency_p99 = 0;        ///< likewise 99 %
  /// Mean of the first barriers of the groups, which find empty queues and perhaps have to build
  /// their trees; none if no group has completed it.
  std::optional<double> latency_first_mean;
  std::optional<double> latency_later_mean;  ///< of all others
  double wait_mean = 0.0;  ///< cycles from looking for the release to it, of all members
  std::optional<TrafficStatistics> data;  ///< if there was background data
  std::vector<CheckCount> checks;         ///< one for each checker
  std::optional<Waits> waits;             ///< if there were checkers
  std::vector<LinkResult> links;          ///< in the order of RunSpec::killed
  std::optional<LinkCounts> wires;        ///< with links that retry
  Casualties casualties;                  ///< of RunSpec::deaths
  std::vector<std::string> stopped;       ///< with End::kStopped: a sentence for each such group
  std::vector<std::string> violations;    ///< empty if all is well; else the run was ended by it
  /// The block that failed, if it was one: its last violation.
  struct FailedBlock {
    std::string instance;     ///< `sw12`
    std::uint64_t cycle = 0;  ///< of the failure
  };
  std::optional<FailedBlock> failed;        ///< if a block failed
  std::uint64_t flit_hops = 0;              ///< flits sent by switches
  std::uint64_t switch_cycles = 0;          ///< switches times cycles
  std::uint64_t switches_clocked = 0;       ///< of them, those that were not skipped
  double seconds = 0.0;                     ///< of stepping, set-up not included
  std::vector<std::uint32_t> planned_hops;  ///< by group: hops that the plan has for each barrier
  /// Of the scheme's system, such as btin::Result (muster/systems/btin.hpp), by run::own.
  core::Cloned<SystemResult> own;

  /// Every check has passed, and every group has done all of its barriers.
  bool ok() const { return end == End::kComplete; }
  /// Speed of the simulation; 0 if no time was measured.
  double switch_cycles_per_second() const {
    return seconds > 0.0 ? static_cast<double>(switch_cycles) / seconds : 0.0;
  }
};

/// A run and what came out of it as JSON, schema `muster-run-1`; docs/reference/runs.md lists the
/// fields. Of two runs with equal command and version all fields but `seconds` and
/// `switch_cycles_per_second` are equal. Ends with a newline.
std::string run_to_json(const RunSpec& spec, const RunResult& result, const Provenance& origin);

/// The line that a report to people begins with: the switches of a run, and how they compare to
/// those that runs of other schemes get if no configuration is named. Ends with a newline.
std::string switches_to_text(const RunSpec& spec, const fabric::SwitchConfig& config);

/// A run and what came out of it for people, without the single barriers if there are many. Ends
/// with a newline.
std::string run_to_text(const RunSpec& spec, const RunResult& result);

}  // namespace muster::run
