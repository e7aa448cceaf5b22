// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "app/commands.hpp"
#include "app/page_output.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "core/parallel.hpp"
#include "muster/run/gtkwave.hpp"
#include "run/result_parts.hpp"

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
    view_ = path.replace_extension(".gtkw");
    words_ = path.replace_extension(".messages.txt");
    outputs.writes("--wave", wave_, ".fst");
    for (const std::string& file : {view_, words_}) outputs.writes("--wave", file);
    spec.bank.wave_file = outputs.part(wave_);
    spec.observers.push_back(data_ = std::make_shared<SeenData>());
    spec.bank.wave_failed = [this](const std::string& reason) { wave_trouble_ = reason; };
  }
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  /// Throws InputError if the waveform is not whole. REQUIRES: the run is over.
  void check_wave() const {
    if (!wave_trouble_.empty())
      throw InputError(
          "{}: the waveform cannot be written: {}; free some space, write elsewhere with --wave, "
          "or record fewer blocks with --wave-only",
          wave_, wave_trouble_);
  }
  /// Writes the view: what the scheme's plan adds, of blocks that are in the waveform. Returns the
  /// line that says where the waveform is, and why the view shows no signal if so.
  std::string put_view(const run::ResolvedRun& run, const run::RunResult& result) {
    if (wave_.empty()) return "";
    const auto name = [](const std::string& path) {
      return std::filesystem::path(path).filename().string();
    };
    run::GtkwaveRows rows(name(words_));
    run::LinkWords words(run.config.flit_w);
    words.text() = run.plan->add_wave_rows(rows, run.config, result);
    const bool no_words = words.text().empty();
    if (!no_words && !run.found.scheme.waves_of_nodes) words.add_data(data_->seen());
    outputs.put(words_, words.text());
    outputs.put(view_, rows.page("barrier messages hop by hop", name(view_), name(wave_),
                                 run::gtkwave_opening(result, wave_at_)));
    if (wave_at_ && *wave_at_ >= result.cycles)
      complain(fmt::format("muster: --wave-at {}: is after the run, which has {} cycles\n",
                           *wave_at_, result.cycles));
    std::string empty;
    if (rows.signals() == 0)  // messages have words wherever they go
      empty = no_words ? fmt::format("scheme '{}' has no view; open the .fst file in its place",
                                     result.scheme)
                       : "no block of --wave-only is in a tree or a group; name one that is";
    return fmt::format("waveform {}, view {}: gtkwave {}{}\n", wave_, view_, view_,
                       empty.empty() ? "" : fmt::format(" (it shows nothing: {})", empty));
  }
  Outputs outputs;

 private:
  std::string wave_, view_, words_;
  std::shared_ptr<SeenData> data_;
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
    throw InputError(
        "--repeat: cannot be split among the processes of mpirun; start it without mpirun, or a "
        "run for each --seed");
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
  const std::string view =
      files.put_view(*resolved, result) + page.put(*resolved, result, files.outputs);
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
