// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "workload/run_spec.hpp"

namespace muster::app {

/// A waveform and what write_wave_view puts beside it.
struct WaveFiles {
  std::filesystem::path wave, view, words;
  /// If `path` is one of them.
  bool has(const std::filesystem::path& path) const;
};
WaveFiles wave_files(const std::string& wave);

/// Throws InputError if one of them cannot be written.
void require_writable(const WaveFiles& files);

/// Removes what there is of them.
void remove_wave(const std::string& wave);

/// Writes a GTKWave view beside the waveform of a run: for each group its members' links at their
/// switches, for each switch of its tree the barrier register, or the spill node's link and
/// latches, and the links of the tree, with barrier messages in words; of groups set up in band
/// also what the agents of the switches write. Only switches that are in the waveform. Returns the
/// view's file name (the waveform's with .gtkw); the words are in a translation file beside it
/// (.messages.txt).
std::string write_wave_view(const workload::RunSpec& spec, const workload::RunResult& result);

}  // namespace muster::app
