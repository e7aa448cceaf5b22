// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "muster/fabric/home_nodes.hpp"
#include "muster/run/gtkwave.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// What a view of barrier trees is drawn from; everything outlives it.
struct TreeWaveScene {
  const run::RunSpec& spec;
  const fabric::SwitchConfig& config;
  std::span<const PlannedGroup> groups;
  const fabric::HomeNodes& homes;
};

/// Adds for each group its members' links at their switches, for each switch of its tree the
/// barrier register, or the spill node's link and latches, and the links of the tree, with barrier
/// messages decoded; of groups set up in band also what the in-band register access units of the
/// switches write. Only switches that are in the waveform. Returns the words for the translation
/// file.
std::string add_tree_rows(run::GtkwaveRows& rows, const TreeWaveScene& scene,
                          const run::RunResult& result);

}  // namespace muster::btin
