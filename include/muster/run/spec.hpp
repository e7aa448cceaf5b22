// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/core/ranks.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/arrivals.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/fields.hpp"
#include "muster/run/own.hpp"
#include "muster/run/profile.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/routes.hpp"

namespace muster::checkers {
class CheckerList;
}

namespace muster::run {

/// Where the packets of background traffic go.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// The node that a packet of node `source` goes to; all randomness from `rng`, so that a run can
  /// be repeated. It may be `source`. Several threads may ask for different sources at once.
  virtual std::uint32_t destination(std::uint32_t source, Rng& rng) const = 0;
};

/// Any other node with equal probability. Needs two nodes.
class Uniform : public Pattern {
 public:
  /// Of a network of `nodes`, 2 or more.
  explicit Uniform(std::uint32_t nodes) : nodes_(nodes) {}
  std::uint32_t destination(std::uint32_t source, Rng& rng) const override {
    const auto draw = static_cast<std::uint32_t>(rng.below(nodes_ - 1));
    return draw < source ? draw : draw + 1;
  }

 private:
  std::uint32_t nodes_;
};

/// Data packets of one length, of a mix.
struct PacketShare {
  std::uint32_t flits = 0;  ///< of each
  std::uint32_t share = 0;  ///< of the packets, to be divided by the sum of all shares; above 0
};

/// A packet of a trace.
struct TracedPacket {
  std::uint64_t cycle = 0;        ///< it is generated
  std::uint32_t destination = 0;  ///< node
  std::uint32_t flits = 0;        ///< of the packet
};
/// By source, ascending by cycle.
using PacketTrace = std::vector<std::vector<TracedPacket>>;

class Programs;
class Watcher;

/// A group of nodes that synchronize.
struct RunGroup {
  std::string name;                       ///< in results
  std::vector<topology::NodeId> members;  ///< at least one, none twice
};

/// A fault: from `cycle` on nothing arrives that is put on a channel.
struct StoppedChannel {
  core::ChannelId channel = 0;  ///< of fabric::Layout
  std::uint64_t cycle = 0;      ///< the first
  bool flits = true;            ///< are lost
  bool credits = true;          ///< are lost
};

/// Links held on purpose: of each group so many members, drawn anew for each barrier, whose
/// switches have their links to other switches held for so many cycles from the barrier's first
/// arrival on (docs/reference/registers.md, register 0x006).
struct CongestionSpec {
  std::uint32_t members = 0;  ///< of each group, at most its size
  std::uint64_t cycles = 0;   ///< from the first arrival on
};

/// Limits of a run: of each time that is given, and of the barriers of all groups together.
inline constexpr std::uint64_t kMostCycles = 1'000'000'000;
inline constexpr std::uint64_t kMostBarriers = 10'000'000;
/// Threads of a run.
inline constexpr std::uint32_t kMostThreads = 256;

/// Everything that decides what happens in a run. A value: a copy may be changed and run on another
/// thread, and what copies share is not changed by a run. Only `observers`, `watcher` and the
/// functions are the caller's own objects, which each run of each copy calls.
struct RunSpec {
  std::shared_ptr<const topology::Graph> graph;       ///< must be given
  std::shared_ptr<const topology::Routes> routes;     ///< without: by `routing`
  std::optional<topology::DragonflyRoutes> routing;   ///< without: topology::routes_for(*graph)
  std::shared_ptr<const fabric::BankFactory> engine;  ///< without: golden
  std::optional<fabric::SwitchConfig>
      config;                ///< without: smallest that fits, links as with any scheme
  fabric::BankOptions bank;  ///< how the engine builds its blocks

  std::string scheme;  ///< a scheme of systems() (muster/run/system.hpp); empty: the first
  std::vector<RunGroup> groups;  ///< group g gets the identifier g
  std::uint32_t barriers = 10;   ///< of each group, at least 1; without groups it has no meaning
  std::uint64_t spread = 100;    ///< cycles; a member works 0..spread between release and arrival
  std::uint64_t split = 0;       ///< cycles; a member works on 0..split after it has arrived
  bool own_barrier_vc = false;   ///< packets of devices have the last virtual channel, data has not
  std::optional<topology::CenterChoice> center;  ///< of schemes with a center; none: kNearest
  std::optional<CongestionSpec> congestion;      ///< none: no link is held
  std::vector<KilledLink> killed;  ///< ascending by cycle; of schemes that reroute them
  LinkSpec links;                  ///< link ends that retry, and faults on their wires
  std::vector<Death> deaths;       ///< of links that retry, and schemes that support them
  /// What the system of `scheme` offers, such as btin::Spec (muster/systems/btin.hpp), by run::own.
  core::Cloned<SystemSpec> own;

  double load_flits = 0.0;  ///< background data, flits per node and cycle, finite; 0: none
  double load = 0.0;  ///< the same as a share of the route bound, for results; 0: none, or not so
  std::uint32_t packet_length = 8;          ///< flits
  std::vector<PacketShare> packet_mix;      ///< lengths that are drawn instead; or none
  std::optional<std::string> pattern_name;  ///< of destinations without `pattern`: --pattern
  /// Data instead of load, pattern and lengths. REQUIRES: load_flits is what it offers.
  std::shared_ptr<const PacketTrace> packets;
  std::uint64_t warmup = 0;      ///< cycles of data alone, before members may arrive
  std::uint64_t min_cycles = 0;  ///< go on so long even if all barriers are done

  std::uint64_t seed = 1;  ///< of everything random
  bool skip = true;        ///< do not clock quiescent switches
  /// Of the simulation, 1 to kMostThreads; changes only the time that a run takes.
  std::uint32_t threads = 1;
  /// The processes that make this run together, each calling it with an equal specification; none:
  /// this one only. Rank 0 gets the result, the others an empty one.
  std::shared_ptr<core::Ranks> ranks;
  bool checkers = true;  ///< watch the links
  /// Cycles without progress of a group, at most kMostCycles. 0: P = 10 000 + 100 (switches +
  /// nodes) and what the hosts of `profile` take; with data, P packet_length if a member is missing
  /// and 5 000 000 if none is; with congestion its cycles more.
  std::uint64_t max_wait = 0;
  /// Cycles for the network to empty after the data has stopped. 0: max_wait of a group that misses
  /// a member.
  std::uint64_t drain_limit = 0;
  Profile profile;  ///< timing; by default `native`

  std::shared_ptr<const Arrivals> arrivals;  ///< without: UniformArrivals(spread, seed)
  /// Who arrive, in place of `arrivals`; `barriers` has no meaning then.
  std::shared_ptr<Programs> programs;
  std::shared_ptr<const Pattern> pattern;  ///< destinations of data; without: by name
  std::vector<Absence> absent;             ///< fault injection
  std::vector<StoppedChannel> stopped;     ///< fault injection; not of links that retry
  std::vector<std::shared_ptr<core::Observer>> observers;  ///< see the links too
  std::shared_ptr<Watcher> watcher;  ///< sees members and switches too; muster/run/watcher.hpp
  /// Adds checkers of the caller's own, which see what the others have let pass. Called once in
  /// each run that has checkers.
  std::function<void(checkers::CheckerList&)> add_checkers;
  /// Called now and then with the cycle and the barriers completed, of all groups together.
  std::function<void(std::uint64_t cycle, std::uint64_t barriers_done)> progress;
  /// Asked now and then; true ends the run, with what has been measured until then.
  std::function<bool()> interrupted;
};

/// RunSpec::routing as typed.
inline const std::vector<std::string> kRoutings{"minimal", "valiant"};
/// That of a run; empty: none.
inline std::string routing_of(const RunSpec& spec) {
  return spec.routing ? kRoutings[static_cast<unsigned>(*spec.routing)] : std::string();
}

/// The options of `muster run` that are members of these, and their names in JSON.
void describe(Fields& f, RunSpec& s);
void describe(Fields& f, LinkSpec& s);  ///< the same

}  // namespace muster::run
