// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/outputs.hpp"
#include "run/run_spec.hpp"

namespace muster::app {

/// A waveform and what put_wave_view puts beside it.
struct WaveFiles {
  std::string wave, view, words;
};
/// Throws InputError if the name is not one of an FST file.
WaveFiles wave_files(const std::string& wave);

/// Writes a GTKWave view beside the waveform of a run: for each group its members' links at their
/// switches, for each switch of its tree the barrier register, or the spill node's link and
/// latches, and the links of the tree, with barrier messages in words; of groups set up in band
/// also what the agents of the switches write; of a run with NIC barriers the members' NICs
/// (nic_wave_view.hpp). Only switches, or NICs, that are in the waveform. The view's
/// file is the waveform's with .gtkw; the words are in a translation file beside it
/// (.messages.txt). False if the view shows no signal: none of the switches is in a tree,
/// none of the nodes a member.
bool put_wave_view(const WaveFiles& files, Outputs& outputs, const run::RunSpec& spec,
                   const run::RunResult& result);

}  // namespace muster::app
