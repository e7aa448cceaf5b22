// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/gtkwave.hpp"
#include "muster/run/spec.hpp"
#include "systems/nic/scheme/nic_plan.hpp"

namespace muster::nic {

/// Rows for a run with NIC barriers (docs/reference/runs.md): for each member of each group whose
/// NIC is in the waveform its messages in and out, decoded, and the context that serves the group.
void add_nic_rows(run::GtkwaveRows& rows, const run::RunSpec& spec, const NicPlan& plan);

/// The translation file of these rows: "STEP_n5_slot2" for each message that a list of the run
/// names, its peer and slot; the phase of a context. "." is no message.
std::string nic_wave_words(const run::RunSpec& spec, const NicPlan& plan);

}  // namespace muster::nic
