// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>

#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "app/page_output.hpp"
#include "app/process_ranks.hpp"
#include "app/repeat_run.hpp"
#include "app/run_options.hpp"
#include "app/wave_view.hpp"
#include "muster/core/error.hpp"
#include "muster/run/result_io.hpp"
#include "muster/run/run.hpp"

namespace muster::app {

namespace {

/// The files of a run; the waveform is written while it goes on.
class RunFiles {
 public:
  /// `follows`: another rank writes them.
  RunFiles(const RunOptions& options, run::RunSpec& spec, bool follows) {
    spec.bank.wave_file = options.wave;
    wave_at_ = options.wave_at;
    if (follows) return;
    outputs.reads(options.file);
    outputs.writes("--json", options.common.json);
    if (options.wave.empty()) return;
    wave_ = wave_files(options.wave);
    for (const std::string& file : {wave_.wave, wave_.view, wave_.words})
      outputs.writes("--wave", file);
    spec.bank.wave_file = outputs.part(wave_.wave);
    spec.bank.wave_failed = [this](const std::string& reason) { wave_trouble_ = reason; };
  }
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  /// Throws InputError if the waveform is not whole. REQUIRES: the run is over.
  void check_wave() const {
    if (!wave_trouble_.empty())
      throw InputError(
          fmt::format("{}: the waveform cannot be written: {}; free some space, write elsewhere "
                      "with --wave, or record fewer blocks with --wave-only",
                      wave_.wave, wave_trouble_));
  }
  /// Returns the line that says where the waveform is.
  std::string put_view(const run::ResolvedRun& run, const run::RunResult& result) {
    if (wave_.wave.empty()) return "";
    const std::string empty = put_wave_view(wave_, outputs, run, result, wave_at_);
    return fmt::format("waveform {}, view {}: gtkwave {}{}\n", wave_.wave, wave_.view, wave_.view,
                       empty.empty() ? "" : fmt::format(" (it shows nothing: {})", empty));
  }
  Outputs outputs;

 private:
  WaveFiles wave_;
  std::optional<std::uint64_t> wave_at_;
  std::string wave_trouble_;
};

/// The command that shows the failure in a waveform; empty if this one has.
std::string reproduction(const RunOptions& options, const std::string& command,
                         const run::RunResult::FailedBlock& failed) {
  if (!options.wave.empty()) return {};
  std::string text = fmt::format("\n  reproduce with a waveform: {} --wave failure.fst", command);
  // A waveform shows either switches or the devices of nodes.
  const bool nodes = run::find_scheme(options.scheme).scheme.waves_of_nodes;
  const bool is_switch = failed.instance.starts_with("sw");
  if (nodes == is_switch) return text;
  const auto digits = failed.instance.find_first_of("0123456789");
  return text + fmt::format(" --wave-only {}",
                            is_switch ? failed.instance : "n" + failed.instance.substr(digits));
}

run::RunResult run_with(RunFiles& files, const run::ResolvedRun& run) {
  try {
    run::RunResult result = run::run_barriers(run);
    files.check_wave();
    return result;
  } catch (const InternalError&) {
    files.check_wave();
    files.outputs.commit();  // the waveform up to there tells what has happened
    throw;
  } catch (const InputError&) {
    files.check_wave();
    throw;
  }
}

std::function<void(std::uint64_t, std::uint64_t)> progress(std::uint64_t total) {
  return [total](std::uint64_t cycle, std::uint64_t done) {
    show_progress(fmt::format("cycle {}, {} of {} barriers", cycle, done, total));
  };
}

void run_barriers(const RunOptions& options, const Context& context, int& status) {
  if (options.repeat > 1 && context.ranks)
    throw InputError("--repeat: runs in one process; with mpirun use the plan of a sweep");
  if (options.repeat > 1) return repeat_run(options, read_network(options.file), context, status);
  PageOutput page(options, context);
  const Interruption interruption;
  std::optional<RunFiles> opened;
  std::unique_ptr<const run::ResolvedRun> resolved;
  together(context.ranks.get(), [&] {
    run::RunSpec spec =
        specify(options, read_network(options.file), *context.engines, options.common.seed);
    spec.ranks = context.ranks;
    if (context.ranks && options.threads == 0) spec.threads = 1;  // each rank has a core
    opened.emplace(options, spec, context.follows());
    page.watch(spec, opened->outputs);
    if (shows_progress() && !context.follows())
      spec.progress = progress(std::uint64_t{spec.barriers} * spec.groups.size());
    spec.interrupted = [&interruption] { return interruption.requested(); };
    resolved = resolve(options.file, std::move(spec));
  });
  RunFiles& files = *opened;
  run::RunResult result = run_with(files, *resolved);
  if (context.follows()) return;
  if (result.failed)
    result.violations.back() += reproduction(options, context.origin.command, *result.failed);
  Provenance origin = context.origin;
  origin.seed = options.common.seed;
  const std::string view =
      files.put_view(*resolved, result) + page.put(*resolved, result, files.outputs);
  deliver(
      options.common, files.outputs,
      [&] { return run::run_to_json(resolved->spec, result, origin); },
      [&] {
        return run::switches_to_text(resolved->spec, result.config) + resolved->plan->describe() +
               run::run_to_text(resolved->spec, result) + view;
      });
  if (result.end == run::End::kInterrupted) {
    interruption.report("the result has the complete barriers");
    status = interruption.status();
  }
  if (!result.ok() && result.end != run::End::kInterrupted) status = 1;
}

}  // namespace

void add_run(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run barriers on a network and check every cycle");
  add_run_options(*command, *options, *context.engines);
  command->callback([options, &context, &status] { run_barriers(*options, context, status); });
}

}  // namespace muster::app
