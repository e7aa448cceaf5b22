// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workload/run_spec.hpp"

namespace muster::app {

/// Writes a GTKWave view beside the waveform of a run: for each group its members' links at their
/// switches, for each switch of its tree the barrier register and the links of the tree, with
/// barrier messages in words. Only switches that are in the waveform. Returns the view's file name
/// (the waveform's with .gtkw); the words are in a translation file beside it (.messages.txt).
std::string write_wave_view(const workload::RunSpec& spec, const network::SwitchConfig& config);

}  // namespace muster::app
