// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "muster/run/spec.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// A translation file of GTKWave for {valid, kind, payload} of a link: barrier messages of the
/// groups of a run; if groups may be spilled, the spill messages; if they are set up in band, the
/// heads of packets, with kind and destination. "." is an idle link whose wires still hold one.
/// What is not listed, other flits, GTKWave shows as hexadecimal.
std::string wave_words(const run::RunSpec& spec, std::span<const PlannedGroup> groups,
                       const fabric::SwitchConfig& config);

}  // namespace muster::btin
