// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/commands.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "core/parallel.hpp"
#include "muster/run/gtkwave.hpp"
#include "run/recording/page.hpp"
#include "run/repeated.hpp"
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

/// The page of a run and its trace events, `--page` and `--trace`.
class PageOutput {
 public:
  /// Throws InputError for options of a page without one.
  PageOutput(const RunOptions& options, const Context& context)
      : options_(options), context_(context) {
    if (!wanted()) {
      if (options.page_from || options.page_cycles)
        throw InputError(
            "--page-from and --page-cycles need --page FILE.html or --trace FILE.json");
      return;
    }
    if (options.page == "-") throw InputError("--page -: a page is a file; name it FILE.html");
    if (options.trace == "-") throw InputError("--trace -: a trace is a file; name it FILE.json");
    if (context.ranks)
      throw InputError(
          "--page, --trace: only one process can record; run without mpirun, or omit them");
  }

  /// Records the run. REQUIRES: it begins after this.
  void watch(run::RunSpec& spec, Outputs& outputs) {
    if (!wanted()) return;
    constexpr std::uint32_t kPagePorts = 32;  // of a mask in the page's data
    if (!options_.page.empty() && spec.graph->max_ports() > kPagePorts)
      throw InputError(fmt::format("--page: draws switches of up to {} ports; {} has one of {}",
                                   kPagePorts, options_.file, spec.graph->max_ports()));
    if (!options_.page.empty() && spec.graph->switches() > topology::kMostDrawnSwitches)
      throw InputError(fmt::format("--page: draws networks of up to {} switches; {} has {}",
                                   topology::kMostDrawnSwitches, options_.file,
                                   spec.graph->switches()));
    outputs.writes("--page", options_.page);
    outputs.writes("--trace", options_.trace);
    const std::uint64_t from = options_.page_from.value_or(0);
    recorder_ =
        std::make_shared<run::Recorder>(from, from + options_.page_cycles.value_or(kPageCycles));
    spec.watcher = recorder_;
  }

  /// Writes them; returns the lines that say where they are, or nothing without.
  std::string put(const run::ResolvedRun& run, const run::RunResult& result, Outputs& outputs) {
    if (!recorder_) return {};
    const run::Recording& recording = recorder_->recording();
    const std::string cycles = fmt::format(
        "cycles {} to {}{}", recording.from, std::max(recording.from + 1, recording.to) - 1,
        recording.to < result.cycles
            ? fmt::format(" of {} (--page-from, --page-cycles)", result.cycles)
            : "");
    std::string text;
    if (!options_.page.empty()) {
      const std::string data = run::page_data(run, result, recording, origin(run));
      outputs.put(options_.page, run::page_of({&data, 1}));
      text += fmt::format("page {}, {}: open it in a browser\n", options_.page, cycles);
    }
    if (!options_.trace.empty()) {
      outputs.put(options_.trace, run::trace_events(run, recording));
      text += fmt::format("trace {}, {}: open it in Perfetto\n", options_.trace, cycles);
    }
    return text;
  }

 private:
  bool wanted() const { return !options_.page.empty() || !options_.trace.empty(); }

  run::PageOrigin origin(const run::ResolvedRun& run) const {
    const std::string& name = run.spec.graph->name;
    run::PageOrigin about{
        name.empty() ? std::filesystem::path(options_.file).filename().string() : name,
        context_.origin,
        {}};
    about.origin.seed = options_.common.seed;
    if (!run.config.kind->module.empty()) about.wave = wave_words(context_.words);
    return about;
  }

  const RunOptions& options_;
  const Context& context_;
  std::shared_ptr<run::Recorder> recorder_;
};

/// `muster run --repeat N`: runs with N seeds, of one thread each and on all cores at once, and one
/// result of what they say together. Sets `status` to 1 if a check failed.
void repeat_run(const RunOptions& options, const RunNetwork& network, const Context& context,
                int& status) {
  if (!options.wave.empty())
    throw InputError("--repeat: a waveform shows one run; omit --repeat or --wave");
  if (!options.page.empty() || !options.trace.empty())
    throw InputError("--repeat: a page shows one run; omit --repeat, or --page and --trace");
  Outputs outputs;
  outputs.reads(options.file);
  outputs.writes("--json", options.common.json);
  const Interruption interruption;
  std::vector<run::RunSpec> specs;
  for (std::uint32_t i = 0; i < options.repeat; ++i) {
    specs.push_back(specify(options, network, *context.engines, options.common.seed + i));
    specs.back().interrupted = [&interruption] { return interruption.requested(); };
  }
  const auto results = core::run_parallel(
      options.repeat, runs_at_once(options.threads),
      [&](std::uint32_t i, unsigned /*worker*/) {
        return run::run_barriers(*resolve(options.file, specs[i]));
      },
      [&](std::uint32_t done) { show_progress(fmt::format("run {} of {}", done, options.repeat)); },
      [&] { return interruption.requested(); });
  if (results.empty()) {
    status = interruption.end(true, false, "no run was begun");
    return;
  }
  Provenance origin = context.origin;
  origin.seed = options.common.seed;
  deliver(
      options.common, outputs,
      [&] { return run::repeated_to_json(specs.front(), results, options.repeat, origin); },
      [&] {
        return run::switches_to_text(specs.front(), results.front().config) +
               run::repeated_to_text(specs.front(), results, options.repeat);
      });
  const bool failed = std::ranges::any_of(
      results, [](const run::RunResult& r) { return !r.ok() && r.end != run::End::kInterrupted; });
  status = interruption.end(run::were_interrupted(results, options.repeat), failed,
                            "the result has the complete runs");
}

/// The files of a run; the waveform is written while it goes on. Beside it are a GTKWave view
/// (.gtkw) and a translation file with the words of messages (.messages.txt).
class RunFiles {
 public:
  /// `follows`: another rank writes them. Throws InputError if the waveform's name is not one of an
  /// FST file.
  RunFiles(const RunOptions& options, run::RunSpec& spec, bool follows)
      : wave_at_(options.wave_at) {
    spec.bank.wave_file = options.wave;
    if (follows) return;
    outputs.reads(options.file);
    outputs.writes("--json", options.common.json);
    if (options.wave.empty()) return;
    std::filesystem::path path = wave_ = options.wave;
    if (path.extension() != ".fst")
      throw InputError(
          fmt::format("--wave '{}': the waveform format is FST; use the suffix .fst", wave_));
    view_ = path.replace_extension(".gtkw");
    words_ = path.replace_extension(".messages.txt");
    for (const std::string& file : {wave_, view_, words_}) outputs.writes("--wave", file);
    spec.bank.wave_file = outputs.part(wave_);
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
                      wave_, wave_trouble_));
  }
  /// Writes the view: what the scheme's plan adds, of blocks that are in the waveform. Returns the
  /// line that says where the waveform is, and why the view shows no signal if so.
  std::string put_view(const run::ResolvedRun& run, const run::RunResult& result) {
    if (wave_.empty()) return "";
    run::GtkwaveRows rows(std::filesystem::absolute(words_));
    const std::string words = run.plan->add_wave_rows(rows, run.config, result);
    outputs.put(words_, words);
    outputs.put(view_, rows.page("barrier messages hop by hop", std::filesystem::absolute(wave_),
                                 run::gtkwave_opening(result, wave_at_)));
    std::string empty;
    if (rows.signals() == 0)  // messages have words wherever they go
      empty = words.empty()
                  ? fmt::format("scheme '{}' has no view; open the waveform itself", result.scheme)
                  : "no block of --wave-only is in a tree or a group";
    return fmt::format("waveform {}, view {}: gtkwave {}{}\n", wave_, view_, view_,
                       empty.empty() ? "" : fmt::format(" (it shows nothing: {})", empty));
  }
  Outputs outputs;

 private:
  std::string wave_, view_, words_;
  std::optional<std::uint64_t> wave_at_;
  std::string wave_trouble_;
};

/// The command that shows the failure in a waveform; empty if this one has.
std::string reproduction(const RunOptions& options, const std::string& command,
                         const run::RunResult::FailedBlock& failed) {
  if (!options.wave.empty()) return {};
  std::string text = fmt::format("\n  reproduce with a waveform: {} --wave failure.fst", command);
  // A waveform shows either switches or the devices of nodes.
  const bool nodes = run::find_scheme(options.spec.scheme).scheme.waves_of_nodes;
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
    if (context.ranks && !options.threads) spec.threads = 1;  // each rank has a core
    opened.emplace(options, spec, context.follows());
    page.watch(spec, opened->outputs);
    if (shows_progress() && !context.follows())
      spec.progress = [total = std::uint64_t{spec.barriers} * spec.groups.size()](
                          std::uint64_t cycle, std::uint64_t done) {
        show_progress(fmt::format("cycle {}, {} of {} barriers", cycle, done, total));
      };
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
  const bool interrupted = result.end == run::End::kInterrupted;
  status = interruption.end(interrupted, !result.ok() && !interrupted,
                            "the result has the complete barriers");
}

}  // namespace

void add_run(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run barriers on a network and check every cycle");
  add_run_options(*command, *options, *context.engines);
  command->callback([options, &context, &status] { run_barriers(*options, context, status); });
}

}  // namespace muster::app
