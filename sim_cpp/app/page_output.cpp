// SPDX-License-Identifier: Apache-2.0
#include "app/page_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "run/recording/page.hpp"
#include "topology/drawing.hpp"

namespace muster::app {
namespace {

/// `muster run ... --engine rtl --wave barrier.fst`, from a command that was typed: without what
/// writes other files or says how models are clocked.
std::vector<std::string> wave_words(const std::vector<std::string>& typed) {
  constexpr std::string_view kDropped[] = {"--json",        "--page",   "--trace",   "--page-from",
                                           "--page-cycles", "--wave",   "--wave-at", "--wave-only",
                                           "--engine",      "--threads"};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const std::string name = typed[i].substr(0, typed[i].find('='));
    if (name == "--no-skip") continue;
    if (std::find(std::begin(kDropped), std::end(kDropped), name) == std::end(kDropped))
      words.push_back(typed[i]);
    else if (name == typed[i])
      ++i;  // and its value
  }
  words.insert(words.end(), {"--engine", "rtl", "--wave", "barrier.fst"});
  return words;
}

run::PageOrigin origin_of(const run::ResolvedRun& run, const RunOptions& options,
                          const Context& context) {
  const std::string& name = run.spec.graph->name;
  run::PageOrigin about{
      name.empty() ? std::filesystem::path(options.file).filename().string() : name,
      context.origin,
      {}};
  if (!run.config.kind->module.empty()) about.wave = wave_words(context.words);
  return about;
}

}  // namespace

PageOutput::PageOutput(const RunOptions& options, const Context& context)
    : options_(options), context_(context) {
  if (!wanted()) {
    if (options.page_from || options.page_cycles)
      throw InputError("--page-from and --page-cycles need --page FILE.html or --trace FILE.json");
    return;
  }
  if (options.trace == "-") throw InputError("--trace -: a trace is a file; name it FILE.json");
  if (context.ranks)
    throw InputError(
        "--page, --trace: only one process can record; run without mpirun, or omit them");
}

void PageOutput::watch(run::RunSpec& spec, Outputs& outputs) {
  if (!wanted()) return;
  if (!options_.page.empty() && spec.graph->switches() > topology::kMostDrawnSwitches)
    throw InputError("--page: draws networks of up to {} switches; {} has {}",
                     topology::kMostDrawnSwitches, options_.file, spec.graph->switches());
  outputs.writes("--page", options_.page, ".html");
  outputs.writes("--trace", options_.trace);
  const std::uint64_t from = options_.page_from.value_or(0);
  recorder_ =
      std::make_shared<run::Recorder>(from, from + options_.page_cycles.value_or(kPageCycles));
  spec.watcher = recorder_;
}

std::string PageOutput::put(const run::ResolvedRun& run, const run::RunResult& result,
                            Outputs& outputs) {
  if (!recorder_) return {};
  const run::Recording& recording = recorder_->recording();
  const std::string cycles = fmt::format(
      "cycles {} to {}{}", recording.from, std::max(recording.from + 1, recording.to) - 1,
      recording.to < result.cycles
          ? fmt::format(" of {} (--page-from, --page-cycles)", result.cycles)
          : "");
  std::string text;
  if (!options_.page.empty()) {
    const std::string data =
        run::page_data(run, result, recording, origin_of(run, options_, context_));
    outputs.put(options_.page, run::page_of({&data, 1}));
    text += fmt::format("page {}, {}: open it in a browser\n", options_.page, cycles);
  }
  if (!options_.trace.empty()) {
    outputs.put(options_.trace, run::trace_events(run, recording));
    text += fmt::format("trace {}, {}: open it in Perfetto\n", options_.trace, cycles);
  }
  return text;
}

}  // namespace muster::app
