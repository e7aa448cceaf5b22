// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "barrier/register_plan.hpp"
#include "workload/run_spec.hpp"

namespace muster::app {

/// A translation file of GTKWave for {valid, kind, payload} of a link: barrier messages of the
/// groups of a run; if groups may be spilled, the spill messages; if they are set up in band, the
/// heads of packets, with kind and destination. "." is an idle link whose wires still hold one.
/// What is not listed, other flits, GTKWave shows as hexadecimal.
std::string wave_words(const workload::RunSpec& spec, std::span<const barrier::PlannedGroup> groups,
                       const network::SwitchConfig& config);

}  // namespace muster::app
