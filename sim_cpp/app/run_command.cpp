// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/nic_options.hpp"
#include "app/preempt_options.hpp"
#include "app/run_options.hpp"
#include "app/wave_view.hpp"
#include "core/error.hpp"
#include "run/barrier_run.hpp"
#include "run/run_io.hpp"
#include "run/scheme_registry.hpp"
#include "systems/btin/tree/tree_text.hpp"

namespace muster::app {

namespace {

void add_options(CLI::App& run, RunOptions& o) {
  run.add_option("FILE", o.file, "Network: the project's JSON or BookSim anynet")->required();
  run.add_option("--group", o.groups,
                 "all, random:N, a list such as 0:3,3:4 or n0,n17, or a group of the file; "
                 "repeat it for several groups at once")
      ->take_all()
      ->capture_default_str();
  run.add_option("--engine", o.engine, "golden, rtl or lockstep")->capture_default_str();
  run.add_option("--scheme", o.scheme, run::scheme_names())->capture_default_str();
  run.add_option("--profile", o.profile, "Timing: " + run::profile_names())->capture_default_str();
  run.add_option("--config", o.config, "Switch configuration; default the smallest that fits");
  run.add_flag("--serial", o.serial,
               "Barrier switches take one barrier message a cycle, not one of each port");
  add_number(run, "--barriers", o.barriers, "Barriers of each group", 1)->capture_default_str();
  add_number(run, "--spread", o.spread, "Members work 0 to SPREAD cycles between barriers")
      ->capture_default_str();
  add_number(run, "--split", o.split,
             "Members work on 0 to SPLIT cycles after they arrive, then look for the release")
      ->capture_default_str();
  run.add_option("--load", o.load, "Background data, as a share of the network's saturation");
  run.add_option("--load-flits", o.load_flits, "Background data in flits per node and cycle");
  add_number(run, "--packet-length", o.packet_length, "Flits of a data packet", 1)
      ->capture_default_str();
  run.add_option("--barrier-vc", o.barrier_vc,
                 "Barrier messages share virtual channel 0 or have the last one as their own")
      ->check(CLI::IsMember({"shared", "own"}))
      ->capture_default_str();
  run.add_flag("--turn", o.turn, "Root switches turn round instead of asking the root node");
  run.add_option("--setup", o.setup,
                 "Groups are written into the switches by the host, or created and released by "
                 "messages: in-band")
      ->check(CLI::IsMember({"host", "in-band"}))
      ->capture_default_str();
  run.add_flag("--spill", o.spill,
               "Groups that find no free register in a switch live in the memory of its node");
  run.add_option("--op", o.op, "What the switches make of the members' data")
      ->check(CLI::IsMember({"or", "and", "xor", "min", "max", "sum"}))
      ->capture_default_str();
  add_number(run, "--warmup", o.warmup, "Cycles of data before the first arrival");
  add_number(run, "--min-cycles", o.min_cycles, "Go on for so many cycles");
  add_number(run, "--max-wait", o.max_wait, "Cycles without progress before a hang is reported");
  run.add_flag("--no-skip", o.no_skip, "Clock every switch in every cycle");
  run.add_flag("--no-checkers", o.no_checkers, "Do not check the links");
  run.add_flag("--no-assertions", o.no_assertions, "Do not check the assertions of the RTL");
  run.add_flag("--random-init", o.random_init, "RTL starts with random registers before reset");
  run.add_option("--wave", o.wave,
                 "Write an FST waveform and a GTKWave view (engine rtl, lockstep)");
  run.add_option("--wave-only", o.wave_only,
                 "Only these switches, such as sw3,sw7, or nodes, if NICs do the barriers")
      ->delimiter(',');
  run.add_option("--absent", o.absent, "Fault: NODE@B never arrives from barrier B on (3:4@2)");
  run.add_option("--stop-link", o.stopped,
                 "Fault: a link is dead from a cycle on (3:0-0:0@500, n8@500)");
  run.add_option("--join", o.joins,
                 "NODE@B joins before barrier B (3:4@2, of group 1 of several 3:4@2/1)");
  run.add_option("--leave", o.leaves, "NODE@B leaves before barrier B, written as for --join");
  run.add_option("--kill-link", o.killed,
                 "A link is declared dead in a cycle and taken out (3:0-0:0@500)");
  add_preempt(run, o);
  add_nic(run, o);
  add_common(run, o.common);
}

/// The trees of the run, as their own text has them.
std::string trees(const run::RunSpec& spec) {
  std::string text;
  const std::unique_ptr<run::SchemePlan> plan = run::plan_scheme(spec);
  for (const btin::PlannedGroup& group : plan->trees())
    text += btin::tree_text(*spec.graph, group) + "\n";
  return text;
}

/// The files of a run; the waveform is written while it goes on.
class RunFiles {
 public:
  RunFiles(const RunOptions& options, run::RunSpec& spec) : spec_(spec) {
    outputs.reads(options.file);
    outputs.writes("--json", options.common.json);
    if (options.wave.empty()) return;
    wave_ = wave_files(options.wave);
    for (const std::string& file : {wave_.wave, wave_.view, wave_.words})
      outputs.writes("--wave", file);
    spec.bank.wave_file = outputs.part(wave_.wave);
  }
  /// Returns the line that says where the waveform is.
  std::string put_view(const run::RunResult& result) {
    if (wave_.wave.empty()) return "";
    const bool shows = put_wave_view(wave_, outputs, spec_, result);
    return fmt::format(
        "waveform {}, view {}: gtkwave {}{}\n", wave_.wave, wave_.view, wave_.view,
        shows ? "" : " (it shows nothing: nothing of --wave-only is in a tree or a group)");
  }
  Outputs outputs;

 private:
  const run::RunSpec& spec_;
  WaveFiles wave_;
};

run::RunResult run_with(RunFiles& files, run::RunSpec& spec) {
  try {
    return run::run_barriers(spec);
  } catch (const InternalError&) {
    files.outputs.commit();  // the waveform up to there tells what has happened
    throw;
  }
}

}  // namespace

void add_run(CLI::App& app, const Context& context, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run = app.add_subcommand("run", "Run barriers on a network and check every cycle");
  add_options(*run, *options);
  run->callback([options, &context, &status] {
    PreparedRun prepared;
    prepare(*options, *context.engines, prepared);
    run::RunSpec& spec = prepared.spec;
    RunFiles files(*options, spec);
    const std::uint64_t total = std::uint64_t{spec.barriers} * spec.groups.size();
    if (shows_progress())
      spec.progress = [total](std::uint64_t cycle, std::uint64_t done) {
        show_progress(fmt::format("cycle {}, {} of {} barriers", cycle, done, total));
      };
    const run::RunResult result = run_with(files, spec);
    Provenance origin = context.origin;
    origin.seed = options->common.seed;
    const std::string view = files.put_view(result);
    deliver(
        options->common, files.outputs, [&] { return run::run_to_json(spec, result, origin); },
        [&] { return trees(spec) + run::run_to_text(spec, result) + view; });
    if (!result.violations.empty()) status = 1;
  });
}

}  // namespace muster::app
