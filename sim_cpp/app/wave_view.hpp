// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/core/outputs.hpp"
#include "muster/run/resolve.hpp"

namespace muster::app {

/// A waveform and what put_wave_view puts beside it.
struct WaveFiles {
  std::string wave, view, words;
};
/// Throws InputError if the name is not one of an FST file.
WaveFiles wave_files(const std::string& wave);

/// Writes a GTKWave view beside the waveform of a run: what the scheme's plan adds, of blocks that
/// are in the waveform. The view's file is the waveform's with .gtkw; the words are in a
/// translation file beside it (.messages.txt). It opens where
/// run::gtkwave_opening says. Returns why the
/// view shows no signal, or nothing if it shows some.
std::string put_wave_view(const WaveFiles& files, Outputs& outputs, const run::ResolvedRun& run,
                          const run::RunResult& result, std::optional<std::uint64_t> at);

}  // namespace muster::app
