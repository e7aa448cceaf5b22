// SPDX-License-Identifier: Apache-2.0
#include "app/cli_options.hpp"
#include "app/commands.hpp"
#include "app/run_options.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/run/spec.hpp"
#include "run/configurations.hpp"
#include "run/data_traffic.hpp"

namespace muster::app {

void add_run_options(CLI::App& command, RunOptions& o, const fabric::EngineRegistry& engines) {
  command.add_option("FILE", o.file, "Network: JSON, GraphML, BookSim anynet or ibnetdiscover")
      ->required();
  command
      .add_option("--group", o.groups,
                  "all, random:N, a list such as 0:3,3:4 or n0,n17, or a group of the file; repeat "
                  "it for several simultaneous groups")
      ->take_all()
      ->capture_default_str();
  command.add_option("--engine", o.engine, engines.choices())
      ->check(known_to([&engines](const std::string& name) { engines.find(name); }))
      ->capture_default_str();
  command.add_option("--scheme", o.scheme, run::scheme_names())
      ->check(known_to(run::find_scheme))
      ->capture_default_str();
  command.add_option("--profile", o.profile, "Timing: " + run::profile_names())
      ->check(known_to(run::find_profile))
      ->capture_default_str();
  add_number(command, "--hop", o.hop,
             "Cycles of a hop from wires to wires with any scheme, in place of those of the "
             "profile: pipes in the links make up the difference",
             1, kLongestHop);
  add_text(command, "--config", o.config,
           "Switch configuration; default: the smallest that fits, with the same channels, depth "
           "and width for every scheme")
      ->check(known_to(run::configuration));
  add_number(command, "--barriers", o.barriers, "Barriers of each group", 1, run::kMostBarriers)
      ->capture_default_str();
  CLI::Option* const spread =
      add_number(command, "--spread", o.spread, "Members work 0 to SPREAD cycles between barriers",
                 0, run::kMostCycles)
          ->capture_default_str();
  add_text(command, "--arrivals", o.arrivals,
           "Members work for the recorded times of a program, in place of --spread: FILE")
      ->excludes(spread);
  command.add_flag("--no-barriers", o.no_barriers, "Data only: no group is created")
      ->excludes("--arrivals");
  add_number(command, "--split", o.split,
             "Members continue to work for 0 to SPLIT cycles after they arrive, then check for the "
             "release",
             0, run::kMostCycles)
      ->capture_default_str();
  add_real(command, "--load", o.load,
           "Background data, as a share of the route bound of topo info");
  add_real(command, "--load-flits", o.load_flits, "Background data in flits per node and cycle");
  add_number(command, "--packet-length", o.packet_length, "Flits of a data packet",
             fabric::kMinDataFlits, run::kMostDataFlits)
      ->capture_default_str();
  add_choice(
      command, "--barrier-vc", o.barrier_vc, {"shared", "own"},
      "Packets of NICs share virtual channel 0 with data, or have the last one to themselves")
      ->capture_default_str();
  add_number(
      command, "--warmup", o.warmup,
      fmt::format("Cycles of data before the first arrival; default {}, 0 without data", kSettling),
      0, run::kMostCycles);
  add_number(command, "--repeat", o.repeat,
             "Number of runs with different seeds, from --seed on: means with 95 % intervals", 1,
             kMostRepeats)
      ->capture_default_str();
  add_number(command, "--min-cycles", o.min_cycles, "Run for at least this number of cycles", 0,
             run::kMostCycles);
  add_number(command, "--max-wait", o.max_wait,
             "Cycles without progress before a hang is reported; 0: derived from network and data",
             0, run::kMostCycles);
  add_number(
      command, "--threads", o.threads,
      "Threads that clock switches; the result is the same for any number. Default: all cores "
      "where they give a speedup. With --repeat: simultaneous runs, default: all cores",
      1, run::kMostThreads);
  command.add_flag("--no-skip", o.no_skip, "Clock every switch in every cycle");
  command.add_flag("--no-checkers", o.no_checkers, "Do not check the links");
  command.add_flag("--no-assertions", o.no_assertions, "Do not check the assertions of the RTL");
  command.add_flag("--random-init", o.random_init, "RTL starts with random registers before reset");
  add_text(command, "--wave", o.wave,
           "Write an FST waveform and a GTKWave view (engine rtl, lockstep)");
  command
      .add_option(
          "--wave-only", o.wave_only,
          "Record only these switches, such as sw3,sw7, or nodes if their NICs run the barriers")
      ->delimiter(',');
  add_number(command, "--wave-at", o.wave_at,
             "The view of the waveform opens at this cycle and marks it", 0, run::kMostCycles);
  add_text(command, "--page", o.page,
           "Write a page for a browser that shows the run cycle by cycle: FILE.html");
  add_text(command, "--trace", o.trace, "Write trace events of the run for Perfetto: FILE.json");
  add_number(command, "--page-from", o.page_from, "First cycle of page and trace", 0,
             run::kMostCycles);
  add_number(command, "--page-cycles", o.page_cycles,
             fmt::format("Number of cycles in page and trace; default {}", kPageCycles), 1,
             kMostPageCycles);
  command.add_option("--absent", o.absent, "Fault: NODE@B never arrives from barrier B on (3:4@2)");
  add_link_options(command, o.links);
  add_choice(
      command, "--center", o.center, {"nearest", "random", "lowest"},
      "Member to which the others report: nearest (smallest maximum distance), random or lowest");
  command.add_option("--congestion", o.congestion,
                     "M@TAU: in each barrier the links of M random members of each group are held "
                     "for TAU cycles (5@100)");
  command.add_option("--kill-link", o.killed,
                     "A link is declared dead in a cycle and removed (3:0-0:0@500)");
  CliOptions list(command);
  for (const auto& system : run::systems())
    if (auto options = system->options()) {
      list.of(fmt::format("system '{}'", system->name()));
      options->add(list);
      o.systems.emplace_back(system.get(), std::move(options));
    }
  add_common(command, o.common);
}

}  // namespace muster::app
