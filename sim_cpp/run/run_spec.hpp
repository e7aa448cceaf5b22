// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fabric/engine_registry.hpp"
#include "fabric/layout.hpp"
#include "fabric/reduce_op.hpp"
#include "run/arrivals.hpp"
#include "run/data_traffic.hpp"
#include "run/profile.hpp"
#include "systems/btin/groups/group_user.hpp"
#include "systems/btin/tree/register_plan.hpp"
#include "systems/nic/scheme/nic_spec.hpp"
#include "systems/preempt/scheme/bsr_tree.hpp"
#include "topology/graph.hpp"
#include "topology/routes.hpp"

namespace muster::run {

struct RunGroup {
  std::string name;
  std::vector<topology::NodeId> members;
};

/// A fault: from `cycle` on nothing arrives that is put on a channel.
struct StoppedChannel {
  core::ChannelId channel = 0;
  std::uint64_t cycle = 0;
  bool flits = true, credits = true;
};

/// What the checker of bounded waits allowed and has seen, cycles; see
/// fabric/checkers/bounded_waits.hpp.
struct Waits {
  std::uint64_t packet_bound = 0, longest_packet = 0;
  std::uint64_t barrier_bound = 0, longest_barrier = 0;
};

/// A node joins or leaves a group from a barrier on, at least 1, or as soon after as it can.
struct Wish {
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

/// What the host sets in preempting switches (docs/preempting-switches.md, Registers); cycles.
struct PreemptSpec {
  std::uint32_t idle = 16;      ///< a cut is kept so long after its last barrier flit; 0..255
  std::uint32_t gap = 2;        ///< an output serves no message so long after one; 0..255
  std::uint32_t longest = 256;  ///< a cut; 0..65535
  bool random = false;          ///< the channel that is cut is drawn, else it is the last
  bool padding = true;          ///< pads follow the flits of a cut message
};

/// The paper's congestion: of each group so many members, drawn anew for each barrier, whose
/// switches have their links to other switches held for so many cycles from the barrier's first
/// arrival on (docs/preempting-switches.md, Held links).
struct CongestionSpec {
  std::uint32_t members = 0;
  std::uint64_t cycles = 0;
};

/// Limits of a run: of each time that is given, and of the barriers of all groups together.
inline constexpr std::uint64_t kMostCycles = 1'000'000'000;
inline constexpr std::uint64_t kMostBarriers = 10'000'000;

/// Everything that decides what happens in a run. What is pointed to must outlive it.
struct RunSpec {
  const topology::Graph* graph = nullptr;
  const topology::Routes* routes = nullptr;
  const fabric::BankFactory* engine = nullptr;
  std::optional<fabric::SwitchConfig> config;  ///< without: the smallest that fits
  bool serial = false;  ///< barrier switches that take one barrier message a cycle
  fabric::BankOptions bank;

  std::string scheme = "btin";   ///< one of schemes() (scheme_registry.hpp)
  std::vector<RunGroup> groups;  ///< group g gets the identifier g
  std::uint32_t barriers = 10;   ///< of each group
  std::uint64_t spread = 100;    ///< cycles; a member works 0..spread between release and arrival
  std::uint64_t split = 0;       ///< cycles; a member works on 0..split after it has arrived
  bool own_barrier_vc = false;   ///< barrier messages have the last virtual channel for themselves
  bool turn = false;             ///< root switches turn round instead of asking the root node
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the members' data
  bool in_band = false;  ///< groups are created and released by messages, not by the host
  bool spill = false;    ///< groups that find no register live in the memory of a node
  std::optional<preempt::CenterChoice> center;  ///< of schemes with a center; none: kNearest
  std::optional<PreemptSpec> preempt;           ///< of preempting switches; none: as after reset
  std::optional<nic::NicSpec> nic;              ///< of NIC barriers; none: as NicSpec has them
  std::optional<CongestionSpec> congestion;
  std::vector<Wish> wishes;        ///< needs in_band
  std::vector<KilledLink> killed;  ///< ascending by cycle; needs in_band

  double load_flits = 0.0;          ///< background data, flits per node and cycle; 0: none
  std::uint32_t packet_length = 8;  ///< flits
  std::uint64_t warmup = 0;         ///< cycles of data alone, before members may arrive
  std::uint64_t min_cycles = 0;     ///< go on so long even if all barriers are done

  std::uint64_t seed = 1;
  bool skip = true;  ///< do not clock quiescent switches
  bool checkers = true;
  std::uint64_t max_wait = 0;     ///< cycles without progress of a group; 0: see default_patience
  std::uint64_t drain_limit = 0;  ///< cycles for the network to empty; 0: Patience::absent
  Profile profile;

  std::unique_ptr<Arrivals> arrivals;   ///< without: UniformArrivals(spread, seed)
  std::vector<Absence> absent;          ///< fault injection
  std::vector<StoppedChannel> stopped;  ///< fault injection
  core::Observer* observer = nullptr;   ///< sees the links too; may be absent
  /// Called now and then with the cycle and the barriers completed, of all groups together.
  std::function<void(std::uint64_t cycle, std::uint64_t barriers_done)> progress;
};

/// How long a group may be without arrival and release before that is a hang, in cycles.
struct Patience {
  std::uint64_t absent = 0;  ///< if a member will never arrive
  std::uint64_t stuck = 0;   ///< if all have arrived and their messages are somewhere
  std::uint64_t held = 0;    ///< of these, for links that are held
};

/// Generous, growing with the network. Where data flows, messages may be slow beyond all formulas:
/// far above saturation the turns of successive switches multiply to 10^6 cycles and more.
Patience default_patience(const RunSpec& spec);

/// One barrier of one group.
struct BarrierRecord {
  std::uint32_t group = 0, number = 0;
  std::uint64_t latency_cycles = 0;       ///< last arrival to last release
  std::uint64_t reduction_cycles = 0;     ///< last arrival until a node knows (see docs/runs.md)
  std::uint64_t distribution_cycles = 0;  ///< from then to the last release
  std::uint64_t exit_skew_cycles = 0;     ///< first to last release
  std::uint32_t hops = 0;                 ///< messages counted on all links, node links too
  std::uint32_t spilled_switches = 0;     ///< of its tree, where the group has no register
  /// The longest that this barrier could have taken among the others; see docs/bsr-tree.md.
  std::optional<std::uint64_t> bound_cycles = {};
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

/// What preempting switches have done to data and barriers (docs/preempting-switches.md).
struct PreemptCost {
  std::uint64_t preemptions = 0;                ///< padding requests
  std::uint64_t padding_flits = 0;              ///< on all links
  std::uint64_t longest_hop_wait = 0;           ///< cycles that a message has waited for data
  std::optional<std::uint64_t> hop_wait_bound;  ///< none for switch III
  std::vector<std::uint64_t> theorem_2;         ///< by group: 2 Tb H, cycles
};

/// What became of a wish.
struct WishResult {
  Wish wish;
  std::optional<std::uint64_t> first_barrier;  ///< with its new membership; none: refused
  std::string refused;
};

/// A change of a group between two barriers.
struct ChangeResult {
  btin::ChangeRecord record;
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

struct CheckCount {
  std::string name;
  std::uint64_t passed = 0;
};

struct RunResult {
  std::string engine, scheme;
  fabric::SwitchConfig config;
  std::string digest;                   ///< 16 hexadecimal digits
  std::uint64_t cycles = 0;             ///< all, with warm-up and draining
  std::uint64_t drain_cycles = 0;       ///< the last of them, without new data
  std::vector<BarrierRecord> barriers;  ///< completed ones, by group and number
  std::uint64_t latency_min = 0, latency_max = 0;
  double latency_mean = 0.0;
  double wait_mean = 0.0;         ///< cycles from looking for the release to it, of all members
  std::vector<GroupTimes> lives;  ///< by group, if set up in band
  std::uint64_t repeated_requests = 0;        ///< to switches, in the set-up
  std::vector<btin::RegisterSlot> registers;  ///< where the groups lived, by group
  std::optional<SpillCost> spill;             ///< if groups may be spilled
  std::optional<PreemptCost> preempt;         ///< of preempting switches
  std::optional<nic::NicCost> nic;            ///< of NIC barriers
  std::vector<WishResult> wishes;
  std::vector<ChangeResult> changes;
  std::vector<LinkResult> links;
  std::optional<TrafficStatistics> data;
  std::vector<CheckCount> checks;           ///< one for each checker
  std::optional<Waits> waits;               ///< if there were checkers
  std::vector<std::string> violations;      ///< empty if all is well; else the run was ended by it
  std::uint64_t flit_hops = 0;              ///< flits sent by switches
  std::uint64_t switch_cycles = 0;          ///< switches times cycles
  std::uint64_t switches_clocked = 0;       ///< of them, those that were not skipped
  double seconds = 0.0;                     ///< of stepping, set-up not included
  std::vector<std::uint32_t> planned_hops;  ///< by group: hops that the plan has for each barrier

  double switch_cycles_per_second() const {
    return seconds > 0.0 ? static_cast<double>(switch_cycles) / seconds : 0.0;
  }
};

}  // namespace muster::run
