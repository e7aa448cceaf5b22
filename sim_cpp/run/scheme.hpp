// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fabric/network.hpp"
#include "fabric/switch_config.hpp"
#include "run/barrier_traffic.hpp"
#include "run/run_spec.hpp"
#include "run/suite.hpp"
#include "systems/btin/groups/spill_nodes.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::run {

class Members;

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
/// other systems beside it. A scheme sends through the endpoints it was started with and is told
/// what reaches the nodes.
class Scheme {
 public:
  virtual ~Scheme() = default;
  /// REQUIRES: the member has been released from its barrier before.
  virtual void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// The member may not arrive at that barrier yet, nor any later: its group is being changed.
  virtual bool holds(std::uint32_t /*group*/, std::uint32_t /*member*/,
                     std::uint32_t /*barrier*/) const {
    return false;
  }
  /// A barrier message is on the wires into the node in this cycle. Throws InternalError if it has
  /// no business there.
  virtual void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit);
  /// The tail of a packet that is not background data is on the wires into the node; `flits` are
  /// all of it. Throws InternalError if it has no business there.
  virtual void receive_packet(std::uint64_t cycle, std::uint32_t node,
                              std::span<const core::Flit> flits);
  /// Where its groups live in the switches, once they do; none for a scheme without trees.
  virtual btin::RegisterPlan registers() const { return {}; }
  /// Before each step of the engine: for a scheme whose nodes have hosts of their own.
  virtual void before_cycle(std::uint64_t /*cycle*/) {}
  /// It has nothing under way outside the network.
  virtual bool idle() const { return true; }
  /// For a scheme that tells the checkers of its members; they outlive the last cycle.
  virtual void check_with(checkers::CheckerSuite& /*checkers*/) {}
  /// Its messages on the links, barrier by barrier.
  virtual BarrierTraffic& traffic() = 0;
  /// Where messages of a group are missing and whose arrival, in words. REQUIRES: the group is not
  /// done.
  virtual std::string explain(const Members& members, std::uint32_t group) const = 0;
  /// What it alone has to say at the end of a run.
  virtual void fill(RunResult& /*result*/) const {}
};

/// What a scheme is started with. The references outlive it.
struct SchemeParts {
  fabric::Network& network;
  const fabric::SwitchConfig& config;
  const RunSpec& spec;
  ReleaseListener& listener;
  btin::SpillNodes* spill = nullptr;  ///< if groups may be spilled

  fabric::Formats formats() const { return {config.flit_w, config.gid_w}; }
};

/// How a scheme is going to serve the groups of a run, settled before there is a network. Group g
/// of the run has the identifier g; its members count as in the ascending list of their nodes.
class SchemePlan {
 public:
  virtual ~SchemePlan() = default;
  /// Trees that take barrier registers of the switches; none if the scheme does not use them.
  virtual std::span<const btin::PlannedGroup> trees() const { return {}; }
  /// The switches that it needs.
  virtual fabric::SwitchKind switch_kind() const { return fabric::SwitchKind::kBarrier; }
  /// Entries of the status table of the busiest switch; 0 for switches that have none.
  virtual std::uint32_t entries() const { return 0; }
  /// Links that the messages of one barrier traverse in both phases, node links included.
  virtual std::uint32_t hops(std::uint32_t group) const = 0;
  /// Flits of its packets that can be under way at the same time, of all groups; 0 if it has none.
  virtual std::uint64_t packet_flits() const { return 0; }
  /// The NICs at the nodes, none of both if it has none.
  virtual fabric::NicBanks nics(const RunSpec&, const fabric::SwitchConfig&) const { return {}; }
  /// What the checkers must know of the groups.
  virtual checkers::Groups checked() const = 0;
  /// Loads what the switches must hold through their register ports, and puts the scheme to work.
  /// The plan must outlive it.
  virtual std::unique_ptr<Scheme> start(const SchemeParts& parts) const = 0;
};

}  // namespace muster::run
