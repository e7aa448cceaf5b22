// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/scheme.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/btin.hpp"
#include "systems/btin/groups/group_manager.hpp"

namespace muster::btin {

class BtinScheme;
class Dynamics;

/// The groups of a run from their creation by messages through the network to their release, and
/// what changes between (docs/systems/groups.md). Members arrive only when all groups are alive.
class GroupLifecycle : public run::Lifecycle {
 public:
  /// Group g gets the identifier g. All outlive this. `spill`: nullptr if no group may be spilled.
  GroupLifecycle(const run::SchemeParts& parts, BtinScheme& scheme, SpillNodes* spill);
  ~GroupLifecycle() override;

  /// Takes a packet that is on the wires into the node; false if it is of no kind of this.
  bool take(std::uint64_t cycle, std::uint32_t node, std::span<const core::Flit> flits);
  /// Once a cycle, after all receptions.
  void clock(std::uint64_t cycle);

  void create(std::uint64_t cycle) override;
  void go() override;
  /// REQUIRES: all are alive, and all members have been released from their last barrier.
  void release(std::uint64_t cycle) override;
  void step(std::uint64_t cycle) override;
  /// All members have been told what has become of their groups, and it is known that they have.
  bool settled() const override { return manager_.settled() && manager_.heard(); }
  std::string unsettled() const override;
  std::string refusals() const override;
  bool unchanging() const override;
  bool finished() const override;
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const override;
  std::vector<run::LinkResult> links() const override;
  /// A barrier register that is not free, by its switch; empty if there is none. The network is
  /// idle.
  std::string residue() const override;

  /// Those in force.
  const topology::Routes& routes() const { return routes_; }
  void check_with(checkers::CheckerList& checkers);
  void fill(Result& result) const;

 private:
  const run::RunSpec& spec_;
  fabric::Network& network_;
  BtinScheme& scheme_;
  SpillNodes* spill_;
  GroupManager manager_;
  std::vector<GroupTimes> times_;
  topology::Routes routes_;
  std::unique_ptr<Dynamics> dynamics_;   ///< nullptr if nothing is to change
  std::vector<RegisterSlot> registers_;  ///< that the groups had when their members went
};

}  // namespace muster::btin
