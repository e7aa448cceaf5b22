// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "muster/run/lifecycle.hpp"
#include "muster/run/plan.hpp"
#include "systems/btin/groups/in_band.hpp"

namespace muster::btin {

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
