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

/// Creates the groups of a run by messages through the network and releases them in the end
/// (docs/systems/groups.md). Stands between the nodes and the members, who arrive only when all
/// groups are alive.
class InBandSetup : public fabric::SyncClient {
 public:
  /// Group g gets the identifier g. The references outlive this.
  /// `spill`: null if no group may be spilled.
  InBandSetup(const run::RunSpec& spec, fabric::Network& network, run::Members& members,
              SpillNodes* spill = nullptr);

  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  void clock(std::uint64_t cycle) override;

  /// All at once.
  void create_groups(std::uint64_t cycle);
  /// The members go to their barriers from now on.
  void let_members_go() { members_go_ = true; }
  /// REQUIRES: all are alive, and all members have been released from their last barrier.
  void release_groups(std::uint64_t cycle);
  /// All members have been told what has become of their groups, and it is known that they have.
  bool settled() const { return manager_.settled() && manager_.heard(); }
  /// Which groups are still being created or released.
  std::string unsettled() const;
  /// Why a group could not be created, naming it; empty if all are alive.
  std::string refusals() const;
  /// A barrier register that is not free, by its switch; empty if there is none. The network is
  /// idle.
  std::string residue() const;

  GroupManager& manager() { return manager_; }
  GroupTimes times(std::uint32_t group) const;
  std::uint64_t repetitions() const { return manager_.repetitions(); }
  std::uint64_t repeated_messages() const { return manager_.repeated_messages(); }
  std::uint64_t lost() const { return manager_.lost(); }
  std::uint64_t moves_refused() const { return manager_.moves_refused(); }

 private:
  const run::RunSpec& spec_;
  fabric::Network& network_;
  run::Members& members_;
  SpillNodes* spill_;
  GroupManager manager_;
  std::vector<GroupTimes> times_;
  bool members_go_ = false;
};

class BtinScheme;
class Dynamics;

/// The groups of a run from their creation by messages through changes of members and links to
/// their release (docs/systems/groups.md).
class GroupLifecycle : public run::Lifecycle {
 public:
  /// All outlive this. `spill`: nullptr if no group may be spilled.
  GroupLifecycle(const run::SchemeParts& parts, BtinScheme& scheme, run::Members& members,
                 SpillNodes* spill);
  ~GroupLifecycle() override;

  void create(std::uint64_t cycle) override { setup_.create_groups(cycle); }
  void go() override;
  void release(std::uint64_t cycle) override { setup_.release_groups(cycle); }
  void step(std::uint64_t cycle) override;
  bool settled() const override { return setup_.settled(); }
  std::string unsettled() const override { return setup_.unsettled(); }
  std::string refusals() const override { return setup_.refusals(); }
  bool unchanging() const override;
  bool finished() const override;
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const override;
  std::vector<run::LinkResult> links() const override;
  std::string residue() const override { return setup_.residue(); }

  /// Stands between the nodes and the members.
  fabric::SyncClient& client() { return setup_; }
  /// Those in force.
  const topology::Routes& routes() const { return routes_; }
  void check_with(checkers::CheckerList& checkers);
  void fill(Result& result) const;

 private:
  BtinScheme& scheme_;
  std::uint32_t groups_;
  InBandSetup setup_;
  topology::Routes routes_;
  std::unique_ptr<Dynamics> dynamics_;   ///< nullptr if nothing is to change
  std::vector<RegisterSlot> registers_;  ///< that the groups had when their members went
};

}  // namespace muster::btin
