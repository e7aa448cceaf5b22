// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "muster/fabric/switch_config.hpp"
#include "muster/topology/graph.hpp"
#include "systems/preempt/scheme/bsr_tree.hpp"

namespace muster::preempt {

/// A translation file of GTKWave for {valid, kind, payload} of a link: first flits of the messages
/// of groups 0, 1, ... with these trees as type and group; the flits behind them as the switch or
/// node in their low 11 bits, which is the destination in the second flit and the new BSR node in
/// the third; pads, padding requests and ends. "." is an idle link whose wires still hold one of
/// these. Data are not listed: GTKWave shows them as hexadecimal. Besides the switches' addresses
/// alone, of 11 bits, for the parent of an entry.
std::string bsr_wave_words(const topology::Graph& graph, std::span<const BsrTree* const> trees,
                           const fabric::SwitchConfig& config);

}  // namespace muster::preempt
