// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "muster/fabric/network.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/barrier_traffic.hpp"
#include "muster/run/deaths.hpp"
#include "muster/run/lifecycle.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"

namespace muster::checkers {
class CheckerList;
}

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

/// What the nodes of a system do between a member's arrival and its release. A scheme sends through
/// the endpoints it was started with and is told what reaches the nodes.
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
  /// A barrier message is on the wires into the node in this cycle. Throws InternalError if it is
  /// not expected there.
  virtual void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit);
  /// Likewise the last flit of a barrier message of several; `flits` are all of it.
  virtual void receive_message(std::uint64_t cycle, std::uint32_t node,
                               std::span<const core::Flit> flits);
  /// The tail of a packet that is not background data is on the wires into the node; `flits` are
  /// all of it. Throws InternalError if it is not expected there.
  virtual void receive_packet(std::uint64_t cycle, std::uint32_t node,
                              std::span<const core::Flit> flits);
  /// What stands between the nodes and the members, for a scheme whose nodes exchange messages
  /// besides those of barriers. It passes on to `members` what is theirs.
  virtual fabric::SyncClient& client(fabric::SyncClient& members) { return members; }
  /// For a scheme whose groups are created, changed and released while the network runs.
  virtual Lifecycle* lifecycle() { return nullptr; }
  /// The routes in force; a lifecycle may change them. By default those of the run.
  virtual const topology::Routes* routes() const { return nullptr; }
  /// The switch has been reset: writes again what the scheme had written there when it was started.
  /// Of schemes that support deaths (SchemeFactory).
  virtual void write_again(topology::SwitchId /*sw*/) {}
  /// Nodes start no packet from this cycle on, until each switch has been quiescent; or they may
  /// again. For a scheme whose switches are not quiescent by themselves.
  virtual void hold(bool /*held*/) {}
  /// The outcome for groups whose members or switches have died; `cause` is not filled in.
  virtual std::span<const Casualties::Recovery> recoveries() const { return {}; }
  /// The option of `muster run` with which the survivors of a group that lost something, and was
  /// given up before its recovery began, would go on; empty if there is none.
  virtual std::string survivors_need() const { return {}; }
  /// The group, which has lost something, is given up (docs/systems/deaths.md, Groups): NICs
  /// and hosts that repeat messages of it stop. Of schemes that support deaths.
  virtual void abandon(std::uint64_t /*cycle*/, std::uint32_t /*group*/) {}
  /// Before each step of the engine: for a scheme whose nodes have hosts of their own.
  virtual void before_cycle(std::uint64_t /*cycle*/) {}
  /// It reads or changes blocks of the network in before_cycle(): their ranks wait for that.
  virtual bool looks_into_blocks() const { return false; }
  /// It has nothing under way outside the network.
  virtual bool idle() const { return true; }
  /// For a scheme that tells the checkers of its members; they outlive the last cycle.
  virtual void check_with(checkers::CheckerList& /*checkers*/) {}
  /// Its messages on the links, barrier by barrier.
  virtual BarrierTraffic& traffic() = 0;
  /// Where messages of a group are missing and whose arrival. REQUIRES: the group is not done.
  virtual std::string explain(const Members& members, std::uint32_t group) const = 0;
  /// Adds the scheme's own part of the result to RunResult::parts at the end of a run.
  virtual void fill(RunResult& /*result*/) const {}
};

}  // namespace muster::run
