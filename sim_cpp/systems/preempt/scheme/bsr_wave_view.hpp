// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "muster/run/gtkwave.hpp"
#include "muster/run/spec.hpp"
#include "systems/preempt/scheme/bsr_scheme.hpp"

namespace muster::preempt {

/// Adds, for each group, the links of its members at their switches (arrival in, release out), with
/// flits decoded by bsr_wave_words(); and for each switch of a tree the entries of its status table
/// that the groups can occupy, its origin, and of each port that leads along a tree: its link to
/// another switch, its barrier buffer, what its output serves, and the channel that the output has
/// taken, cut or guarded. Only switches that are in the waveform.
void add_bsr_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                  const fabric::SwitchConfig& config, std::span<const BsrGroup> groups);

}  // namespace muster::preempt
