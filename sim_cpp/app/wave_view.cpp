// SPDX-License-Identifier: Apache-2.0
#include "app/wave_view.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "muster/core/error.hpp"
#include "muster/run/gtkwave.hpp"

namespace muster::app {

WaveFiles wave_files(const std::string& wave) {
  std::filesystem::path path = wave;
  if (path.extension() != ".fst")
    throw InputError(
        fmt::format("--wave '{}': the waveform format is FST; use the suffix .fst", wave));
  WaveFiles files{wave, path.replace_extension(".gtkw"), path.replace_extension(".messages.txt")};
  return files;
}

std::string put_wave_view(const WaveFiles& files, Outputs& outputs, const run::ResolvedRun& run,
                          const run::RunResult& result, std::optional<std::uint64_t> at) {
  run::GtkwaveRows rows(std::filesystem::absolute(files.words));
  const std::string words = run.plan->add_wave_rows(rows, run.config, result);
  outputs.put(files.words, words);
  outputs.put(files.view,
              rows.page("barrier messages hop by hop", std::filesystem::absolute(files.wave),
                        run::gtkwave_opening(result, at)));
  if (rows.signals() != 0) return {};
  // Messages have words wherever they go.
  if (words.empty())
    return fmt::format("scheme '{}' has no view; open the waveform itself", result.scheme);
  return "no block of --wave-only is in a tree or a group";
}

}  // namespace muster::app
