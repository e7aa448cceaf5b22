// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"
#include "systems/btin/tree.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {

/// A tree for each group, held in the barrier registers of its switches (BTIN section 3.1).
class BtinPlan : public run::SchemePlan {
 public:
  /// Throws InputError for members that no path joins.
  explicit BtinPlan(const run::ResolvedRun& run);

  const fabric::SwitchKind& switch_kind() const override { return kBarrierSwitch; }
  void require(fabric::Requirement& need, const run::Available& available) const override;
  std::uint32_t hops(std::uint32_t group) const override { return btin::hops(groups_[group].tree); }
  std::uint32_t hop_cycles(const fabric::SwitchConfig& config) const override {
    if (variant(config).queued) return 5;
    return variant(config).groups != 0 ? 3 : 2;
  }
  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  std::vector<fabric::RegisterImage> waiting() const override { return register_images(groups_); }
  std::unique_ptr<const run::CheckedGroups> checked() const override;
  std::string describe() const override;
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& result) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

  std::span<const PlannedGroup> groups() const { return groups_; }

 protected:
  const run::RunSpec& spec_;

 private:
  /// Registers of the busiest switch, of which one has so many at most.
  std::uint32_t registers(std::uint32_t available) const;
  /// Groups that find no register at the switch with most of them.
  std::uint32_t most_spilled(const fabric::SwitchConfig& config) const;

  const fabric::HomeNodes& homes_;
  Spec choice_;
  bool many_;    ///< groups in block RAM, each at the place of its identifier
  bool labels_;  ///< switches with labels
  std::vector<PlannedGroup> groups_;
  std::uint64_t packet_flits_ = 0;
};

/// What the checkers must know of a planned group.
checkers::Group checked_group(const PlannedGroup& planned);

}  // namespace muster::btin
