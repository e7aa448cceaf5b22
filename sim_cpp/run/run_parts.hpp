// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "muster/core/observer.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "muster/run/run.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/deaths.hpp"
#include "run/deaths/reroute.hpp"
#include "run/links/host_writes.hpp"
#include "run/links/link_plan.hpp"

namespace muster::run {

/// Switches and nodes, with the devices that the scheme wants at them, joined as the graph says.
/// Loads routes and permits through the register ports. `wires`: see make_wires().
std::unique_ptr<fabric::Network> build_network(const ResolvedRun& run,
                                               std::shared_ptr<WireFaults> wires);

/// The same of any switches, without devices: a network that no scheme works on.
std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config);

/// Writes the routing table of a switch, an entry for each destination that has an address below
/// `dests`, at once.
void write_routes(const topology::Graph& graph, const topology::Routes& routes, std::uint32_t dests,
                  topology::SwitchId s, core::Bank& switches);

/// The network of one run and all that works on it, in the order in which they need each other.
class RunParts {
 public:
  /// `resolved` outlives this.
  explicit RunParts(const ResolvedRun& resolved);
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  const ResolvedRun& resolved;
  std::shared_ptr<WireFaults> wires;  ///< nullptr if the links do not retry
  std::unique_ptr<fabric::Network> network;
  Health health;
  std::shared_ptr<const Arrivals> arrivals;
  Members members;
  std::unique_ptr<Scheme> scheme;
  Lifecycle* lifecycle;  ///< of the scheme; nullptr if its groups do not change
  std::unique_ptr<Congestion> congestion;
  core::Digest digest;
  std::unique_ptr<DataTraffic> traffic;             ///< nullptr without background data
  std::optional<topology::Routes> routes;           ///< in force, if something dies
  std::unique_ptr<checkers::CheckerList> checkers;  ///< nullptr without
  std::unique_ptr<Deaths> deaths;                   ///< nullptr if nothing dies

 private:
  void make_traffic();
  void make_checkers();
};

/// Turns a hang into a report. It looks at the run now and then; every rule is about what no longer
/// happens, never about how slow it is, as long as something happens within the bounds.
class Watchdog {
 public:
  static constexpr std::uint64_t kPeriod = 256;  ///< cycles between looks
  /// Cycles without any flit or credit on any link after which what is in the network is stuck;
  /// more than twice the longest link.
  static constexpr std::uint64_t kSilence = 1024;
  /// Cycles for which packets may be held: links may be lost one after the other, and each may hold
  /// a flit for more than a thousand.
  static constexpr std::uint64_t kLongestHold = 1'000'000;

  /// `traffic` and `deaths` may be absent. The arguments must outlive the watchdog.
  Watchdog(fabric::Network& network, const Members& members, const Scheme& scheme,
           const core::Digest& links, const DataTraffic* traffic, const HangLimits& hang_limits,
           const Deaths* deaths = nullptr)
      : network_(network),
        members_(members),
        scheme_(scheme),
        links_(links),
        traffic_(traffic),
        limits_(hang_limits),
        deaths_(deaths) {}

  /// A report if the run makes no progress, else empty.
  std::string look(std::uint64_t cycle) const;
  /// A report if a link that retries is down, except for those of blocks that have died. REQUIRES:
  /// links that retry.
  std::string look_at_ends(std::uint64_t cycle) const;

 private:
  bool hangs(std::uint64_t cycle, std::uint32_t group) const;
  std::string look_at_hold(std::uint64_t cycle) const;
  std::string look_at_links(std::uint64_t cycle) const;
  std::string busy_switches() const;
  fabric::Network& network_;
  const Members& members_;
  const Scheme& scheme_;
  const core::Digest& links_;
  const DataTraffic* traffic_;
  HangLimits limits_;
  const Deaths* deaths_;
};

}  // namespace muster::run
