// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "muster/fabric/switch_config.hpp"
#include "muster/run/gtkwave.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/preempt.hpp"
#include "muster/topology/graph.hpp"
#include "systems/preempt/bsr_tree.hpp"

namespace muster::preempt {

/// Barriers that build their own tree (docs/systems/bsr-tree.md), on one of the three preempting
/// switches. Planned is, for each group, the tree that the messages of the first barrier must find.
class BsrPlan : public run::SchemePlan {
 public:
  /// Throws InputError for options that the scheme has not, and if a switch is on the ways of more
  /// groups than a status table has entries.
  BsrPlan(const run::ResolvedRun& run, const fabric::SwitchKind& kind);

  const fabric::SwitchKind& switch_kind() const override { return kind_; }
  void require(fabric::Requirement& need, const run::Available&) const override {
    need.regs = entries_;
    need.dests = spec_.graph->destinations();
  }
  /// Of a barrier after the first, if each message takes its deterministic route.
  std::uint32_t hops(std::uint32_t group) const override { return trees_[group].hops(); }
  std::uint32_t hop_cycles(const fabric::SwitchConfig& config) const override;
  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  std::unique_ptr<const run::CheckedGroups> checked() const override;
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& result) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  const run::RunSpec& spec_;
  Spec choice_;
  const fabric::SwitchKind& kind_;
  std::vector<BsrTree> trees_;  ///< by group
  std::uint32_t entries_ = 0;
  std::uint64_t packet_flits_ = 0;
};

/// A translation file of GTKWave for {valid, kind, payload} of a link: first flits of the messages
/// of groups 0, 1, ... with these trees as type and group; the flits behind them as the switch or
/// node in their low 11 bits, which is the destination in the second flit and the new BSR node in
/// the third; pads, padding requests and ends. "." is an idle link whose wires still hold one of
/// these. Data are not listed: GTKWave shows them as hexadecimal. Besides the switches' addresses
/// alone, of 11 bits, for the parent of an entry.
std::string bsr_wave_words(const topology::Graph& graph, std::span<const BsrTree> trees,
                           const fabric::SwitchConfig& config);

/// Adds, for each group, the links of its members at their switches (arrival in, release out), with
/// flits decoded by bsr_wave_words(); and for each switch of a tree the entries of its status table
/// that the groups can occupy, its origin, and of each port that leads along a tree: its link to
/// another switch, its barrier buffer, what its output serves, and the channel that the output has
/// taken, cut or guarded. Only switches that are in the waveform.
void add_bsr_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                  const fabric::SwitchConfig& config, std::span<const BsrTree> trees);

}  // namespace muster::preempt
