// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/gtkwave.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/preempt.hpp"
#include "systems/preempt/bsr_tree.hpp"

namespace muster::preempt {

/// Barriers that build their own tree (docs/systems/bsr-tree.md), on one of the three preempting
/// switches. Throws InputError for options that the scheme has not, and if a switch is on the ways
/// of more groups than a status table has entries.
std::unique_ptr<run::SchemePlan> plan_bsr(const run::ResolvedRun& run,
                                          const fabric::SwitchKind& kind);

/// Adds, for each group, the links of its members at their switches (arrival in, release out), with
/// flits decoded; and for each switch of a tree the entries of its status table that the groups can
/// occupy, its origin, and of each port that leads along a tree: its link to another switch, its
/// barrier buffer, what its output serves, and the channel that the output has taken, cut or
/// guarded. Only switches that are in the waveform.
///
/// Returns the translation file for {valid, kind, payload} of a link: first flits of the messages
/// of groups 0, 1, ... with these trees as type and group; the flits behind them as the switch or
/// node in their low 11 bits, which is the destination in the second flit and the new BSR node in
/// the third; pads, padding requests and ends. Data are not listed: GTKWave shows them as
/// hexadecimal. Besides the switches' addresses alone, of 11 bits, for the parent of an entry.
std::string add_bsr_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                         const fabric::SwitchConfig& config, std::span<const BsrTree> trees);

}  // namespace muster::preempt
