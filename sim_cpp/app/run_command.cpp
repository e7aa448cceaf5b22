// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "app/commands.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "core/parallel.hpp"
#include "muster/run/gtkwave.hpp"
#include "run/recording/page.hpp"
#include "run/result_parts.hpp"
#include "topology/drawing.hpp"

namespace muster::app {

namespace {

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
    status = interruption.end(true, false, "there is no result, because no run was complete");
    return;
  }
  const bool failed = std::ranges::any_of(
      results, [](const run::RunResult& r) { return !r.ok() && r.end != run::End::kInterrupted; });
  deliver(
      options.common, outputs,
      [&](core::Record& r) {
        run::describe_repeated(r, specs.front(), results, options.repeat, context.origin);
      },
      [&] {
        return run::switches_to_text(specs.front(), results.front().config) +
               run::repeated_to_text(specs.front(), results, options.repeat);
      },
      failed);
  status = interruption.end(run::were_interrupted(results, options.repeat), failed,
                            "the result has the complete runs");
}

/// Data flits on any link, each once, up to a number: their words in a view.
class SeenData : public core::Observer {
 public:
  void observe(std::uint64_t, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    constexpr std::size_t kMost = 100'000;
    for (const core::FlitEvent& event : flits)
      if (!event.flit.sync() && seen_.size() < kMost &&
          known_.emplace(event.flit.kind, event.flit.hi, event.flit.lo).second)
        seen_.push_back(event.flit);
  }
  const std::vector<core::Flit>& seen() const { return seen_; }

 private:
  std::set<std::tuple<std::uint8_t, std::uint16_t, std::uint64_t>> known_;
  std::vector<core::Flit> seen_;
};

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

/// Throws InputError for options of a page or a trace without one, or that record nothing.
void check_page(const RunOptions& options, const Context& context) {
  if (options.page.empty() && options.trace.empty()) {
    if (options.page_from || options.page_cycles)
      throw InputError("--page-from and --page-cycles need --page FILE.html or --trace FILE.json");
    return;
  }
  if (options.trace == "-") throw InputError("--trace -: a trace is a file; name it FILE.json");
  if (context.ranks)
    throw InputError(
        "--page, --trace: only one process can record; run without mpirun, or omit them");
}

/// The files of a run; the waveform is written while it goes on. Beside it are a GTKWave view
/// (.gtkw) and a translation file with the words of messages (.messages.txt).
class RunFiles {
 public:
  /// Another rank may write them. All outlive this. Throws InputError if the waveform's name is not
  /// one of an FST file.
  RunFiles(const RunOptions& options, const Context& context, run::RunSpec& spec)
      : options_(options), context_(context) {
    spec.bank.wave_file = options.wave;
    if (context.follows()) return;
    outputs.reads(options.file);
    outputs.writes("--json", options.common.json);
    if (!options.wave.empty()) open_wave(spec);
    if (!options.page.empty() || !options.trace.empty()) open_page(spec);
  }
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  /// Throws InputError if the waveform is not whole. REQUIRES: the run is over.
  void check_wave() const {
    if (!wave_trouble_.empty())
      throw InputError(
          "{}: the waveform cannot be written: {}; free some space, write elsewhere with --wave, "
          "or record fewer blocks with --wave-only",
          options_.wave, wave_trouble_);
  }
  /// Writes what there is besides the waveform and the result; returns the lines that say where
  /// the files are.
  std::string put(const run::ResolvedRun& run, const run::RunResult& result) {
    return (options_.wave.empty() ? "" : put_view(run, result)) +
           (recorder_ ? put_page(run, result) : "");
  }

  Outputs outputs;

 private:
  void open_wave(run::RunSpec& spec) {
    std::filesystem::path path = options_.wave;
    view_ = path.replace_extension(".gtkw");
    words_ = path.replace_extension(".messages.txt");
    outputs.writes("--wave", options_.wave, ".fst");
    for (const std::string& file : {view_, words_}) outputs.writes("--wave", file);
    spec.bank.wave_file = outputs.part(options_.wave);
    spec.observers.push_back(data_ = std::make_shared<SeenData>());
    spec.bank.wave_failed = [this](const std::string& reason) { wave_trouble_ = reason; };
  }
  void open_page(run::RunSpec& spec) {
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
  /// What the scheme's plan adds, of blocks that are in the waveform. Says why the view shows no
  /// signal if so.
  std::string put_view(const run::ResolvedRun& run, const run::RunResult& result) {
    const auto name = [](const std::string& path) {
      return std::filesystem::path(path).filename().string();
    };
    run::GtkwaveRows rows(name(words_));
    run::LinkWords words(run.config.flit_w);
    words.text() = run.plan->add_wave_rows(rows, run.config, result);
    const bool no_words = words.text().empty();
    if (!no_words && !run.found.scheme.waves_of_nodes) words.add_data(data_->seen());
    outputs.put(words_, words.text());
    outputs.put(view_, rows.page("barrier messages hop by hop", name(view_), name(options_.wave),
                                 run::gtkwave_opening(result, options_.wave_at)));
    if (options_.wave_at && *options_.wave_at >= result.cycles)
      complain(fmt::format("muster: --wave-at {}: is after the run, which has {} cycles\n",
                           *options_.wave_at, result.cycles));
    std::string empty;
    if (rows.signals() == 0)  // messages have words wherever they go
      empty = no_words ? fmt::format("scheme '{}' has no view; open the .fst file in its place",
                                     result.scheme)
                       : "no block of --wave-only is in a tree or a group; name one that is";
    return fmt::format("waveform {}, view {}: gtkwave {}{}\n", options_.wave, view_, view_,
                       empty.empty() ? "" : fmt::format(" (it shows nothing: {})", empty));
  }
  std::string put_page(const run::ResolvedRun& run, const run::RunResult& result) {
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

  const RunOptions& options_;
  const Context& context_;
  std::string view_, words_;
  std::shared_ptr<SeenData> data_;
  std::string wave_trouble_;
  std::shared_ptr<run::Recorder> recorder_;
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
    throw InputError(
        "--repeat: cannot be split among the processes of mpirun; start it without mpirun, or a "
        "run for each --seed");
  if (options.repeat > 1) return repeat_run(options, read_network(options.file), context, status);
  check_page(options, context);
  const Interruption interruption;
  std::optional<RunFiles> opened;
  std::unique_ptr<const run::ResolvedRun> resolved;
  together(context.ranks.get(), [&] {
    run::RunSpec spec =
        specify(options, read_network(options.file), *context.engines, options.common.seed);
    spec.ranks = context.ranks;
    if (context.ranks && !options.threads) spec.threads = 1;  // each rank has a core
    opened.emplace(options, context, spec);
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
  const std::string view = files.put(*resolved, result);
  deliver(
      options.common, files.outputs,
      [&] { return run::run_to_json(resolved->spec, result, context.origin); },
      [&] {
        return run::switches_to_text(resolved->spec, result.config) + resolved->plan->describe() +
               run::run_to_text(resolved->spec, result) + view;
      },
      !result.ok());
  const bool interrupted = result.end == run::End::kInterrupted;
  status = interruption.end(interrupted, !result.ok() && !interrupted,
                            "the result has the complete barriers");
}

}  // namespace

void add_run(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run barriers on a network and check every cycle");
  command->footer("Schemes:\n" + run::scheme_table());
  add_run_options(*command, *options, *context.engines);
  command->callback([options, &context, &status] { run_barriers(*options, context, status); });
}

}  // namespace muster::app
