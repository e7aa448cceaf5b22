// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/endpoint_clients.hpp"
#include "muster/fabric/network.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/members.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Counts the messages of each barrier on all channels, node links included. A scheme derives from
/// it what tells its messages apart.
class BarrierTraffic : public core::Observer {
 public:
  /// Of so many groups with so many barriers each.
  BarrierTraffic(std::size_t groups, std::uint32_t barriers)
      : barriers_(barriers), records_(groups) {}

  /// Links traversed by the messages of a barrier so far.
  std::uint32_t hops(std::uint32_t group, std::uint32_t barrier) const {
    return record(group, barrier).hops;
  }
  /// Cycle in which the first message that releases is on a link, or kNever.
  std::uint64_t first_release(std::uint32_t group, std::uint32_t barrier) const {
    return record(group, barrier).first_release;
  }

 protected:
  /// A message on a channel; `releases`: it is of the distribution phase. One of a barrier that
  /// there is not is left to the checkers.
  void count(std::uint64_t cycle, std::uint32_t group, std::uint32_t barrier, bool releases) {
    if (barrier >= barriers_) return;
    std::vector<Record>& records = records_[group];
    if (barrier >= records.size()) records.resize(barrier + std::size_t{1});
    Record& record = records[barrier];
    ++record.hops;
    if (releases) record.first_release = std::min(record.first_release, cycle);
  }

 private:
  struct Record {
    std::uint32_t hops = 0;
    std::uint64_t first_release = fabric::kNever;
  };
  Record record(std::uint32_t group, std::uint32_t barrier) const {
    return barrier < records_[group].size() ? records_[group][barrier] : Record{};
  }

  std::uint32_t barriers_;
  std::vector<std::vector<Record>> records_;  ///< by group and barrier, to the last seen
};

/// Groups that are created, changed and released by messages while the network runs. A run calls
///
///   create      once; then steps until settled(); refusals() ends the run,
///   go          the members may arrive from now on,
///   step        before every cycle,
///   release     when all members have left their last barrier; then steps until settled() and
///               finished(),
///   residue     with the network empty.
///
/// All texts are empty if there is nothing to report. Cycles are those of the engine.
class Lifecycle {
 public:
  virtual ~Lifecycle() = default;
  virtual void create(std::uint64_t /*cycle*/) {}   ///< begins to create all groups
  virtual void go() {}                              ///< members may arrive
  virtual void release(std::uint64_t /*cycle*/) {}  ///< begins to release all groups
  virtual void step(std::uint64_t cycle) = 0;       ///< before every cycle
  /// All members have been told the outcome of create(), or of release().
  virtual bool settled() const { return true; }
  /// Which groups are still being created or released.
  virtual std::string unsettled() const { return {}; }
  /// Which groups could not be created, and why.
  virtual std::string refusals() const { return {}; }
  /// No change is under way but what waits for the groups' release.
  virtual bool unchanging() const { return true; }
  /// Nothing is left that waited for the groups' release.
  virtual bool finished() const { return true; }
  /// A change that makes no progress for longer than `hang_limit` cycles. `released`: after
  /// release(), when nothing waits for the groups any more.
  virtual std::string trouble(std::uint64_t /*cycle*/, std::uint64_t /*hang_limit*/,
                              bool /*released*/) const {
    return {};
  }
  /// What has become of RunSpec::killed.
  virtual std::vector<LinkResult> links() const { return {}; }
  /// What has been left behind in a switch or a node.
  virtual std::string residue() const = 0;
};

/// The hosts of a scheme whose nodes run programs besides the members.
class Hosts {
 public:
  virtual ~Hosts() = default;
  /// Before each step of the engine.
  virtual void before_cycle(std::uint64_t /*cycle*/) {}
  /// before_cycle() reads or changes blocks of the network: their ranks wait for that.
  virtual bool looks_into_blocks() const { return false; }
  /// Nothing is under way outside the network.
  virtual bool idle() const { return true; }
};

/// What a scheme does when blocks or links die or are reset (docs/reliability.md).
class FaultHandler {
 public:
  virtual ~FaultHandler() = default;
  /// The switch has been reset: writes again what the scheme had written there when it was started.
  virtual void write_again(topology::SwitchId /*sw*/) {}
  /// Nodes start no packet from this cycle on, until each switch has been quiescent; or they may
  /// again. For a scheme whose switches are not quiescent by themselves.
  virtual void hold(bool /*held*/) {}
  /// The outcome for groups whose members or switches have died; `cause` is not filled in.
  virtual std::span<const Casualties::Recovery> recoveries() const { return {}; }
  /// The option of `muster run` with which the survivors of a group that lost something, and was
  /// given up before its recovery began, would go on; empty if there is none.
  virtual std::string survivors_need() const { return {}; }
  /// The group, which has lost something, is given up: NICs and hosts that repeat messages of it
  /// stop.
  virtual void abandon(std::uint64_t /*cycle*/, std::uint32_t /*group*/) {}
};

/// What the nodes of a system do between a member's arrival and its release. A scheme sends through
/// the endpoints it was started with, is told by them what reaches the nodes, and tells the members
/// of their releases.
class Scheme : public fabric::SyncClient {
 public:
  /// `members`: places in the group's list. They outlive this.
  explicit Scheme(Members& members) : members_(members) {}
  /// REQUIRES: the member has been released from its barrier before.
  virtual void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// The member may not arrive at that barrier yet, nor any later: its group is being changed.
  virtual bool holds(std::uint32_t /*group*/, std::uint32_t /*member*/,
                     std::uint32_t /*barrier*/) const {
    return false;
  }
  // What a scheme does not expect at its nodes it passes on to these, which throw InternalError.
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  void receive_message(std::uint64_t cycle, std::uint32_t node,
                       std::span<const core::Flit> flits) override;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  /// The members whose time has come arrive.
  void clock(std::uint64_t cycle) override { members_.clock(cycle, *this); }
  /// The routes in force; a lifecycle may change them. By default those of the run.
  virtual const topology::Routes* routes() const { return nullptr; }
  /// For a scheme whose groups are created, changed and released while the network runs.
  virtual Lifecycle* lifecycle() { return nullptr; }
  /// By default one that has nothing to do.
  virtual FaultHandler& fault_handler();
  /// By default without programs.
  virtual Hosts& hosts();
  /// For a scheme that tells the checkers of its members; they outlive the last cycle.
  virtual void check_with(checkers::CheckerList& /*checkers*/) {}
  /// Its messages on the links, barrier by barrier.
  virtual BarrierTraffic& traffic() = 0;
  /// Where messages of a group are missing and whose arrival. REQUIRES: the group is not done.
  virtual std::string explain(std::uint32_t group) const = 0;
  /// Adds the scheme's own part of the result to RunResult::own at the end of a run.
  virtual void fill(RunResult& /*result*/) const {}

 protected:
  Members& members_;  ///< who arrive and are released
};

}  // namespace muster::run
