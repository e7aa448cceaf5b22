// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"

namespace muster::app {

/// The options of `muster run` about links and about deaths, which link ends notice, as typed.
struct LinkOptions {
  bool retry = false;
  double drop = 0.0, corrupt = 0.0, duplicate = 0.0, ack_drop = 0.0;
  std::vector<std::string> flaps;            ///< "3:0-0:0@500+20": nothing arrives for 20 cycles
  std::vector<std::string> stopped;          ///< "3:0-0:0@500": that link is dead from cycle 500 on
  std::vector<std::string> cut;              ///< "3:0-0:0@500": likewise, and the run goes on
  std::vector<std::string> killed_switches;  ///< "sw3@500": dead from cycle 500 on
  std::vector<std::string> killed_nodes;     ///< "n5@500": likewise
  std::vector<std::string> reset_switches;   ///< "sw3@500": as after reset in cycle 500
};

void add_link_options(CLI::App& command, LinkOptions& options);

/// REQUIRES: the graph of `spec`. Throws InputError naming the option that is wrong.
void set_links(const LinkOptions& options, run::RunSpec& spec);

/// Cycles in which data settle, docs/reference/runs.md, Background data: what `--warmup` is where
/// the option is absent.
inline constexpr std::uint64_t kSettling = 2000;

/// Cycles that a page shows: by default, and at most.
inline constexpr std::uint64_t kPageCycles = 20'000, kMostPageCycles = 1'000'000;

/// Runs of one `--repeat`.
inline constexpr std::uint32_t kMostRepeats = 1000;

/// Cycles of --hop.
inline constexpr std::uint32_t kLongestHop = 1000;

/// The options of `muster run` as typed.
struct RunOptions {
  std::string file;
  std::vector<std::string> groups{"all"};
  std::string engine = "golden", scheme, profile = "native", config;
  std::string barrier_vc = "shared", center, congestion, arrivals;
  std::uint32_t barriers = 10, packet_length = 8;
  std::uint64_t spread = 100, split = 0, min_cycles = 0, max_wait = 0;
  std::optional<std::uint64_t> warmup;  ///< none: kSettling with data
  std::optional<std::uint32_t> hop;     ///< none: that of the profile
  std::uint32_t repeat = 1;             ///< runs, with seeds from that of `common` on
  double load = 0.0, load_flits = 0.0;
  bool no_barriers = false;
  bool no_skip = false, no_checkers = false, no_assertions = false;
  bool random_init = false;
  std::uint32_t threads = 0;  ///< 0: as many as pay
  std::string wave;
  std::vector<std::string> wave_only;
  std::optional<std::uint64_t> wave_at;  ///< cycle where the view of the waveform opens
  std::string page, trace;
  std::uint64_t page_from = 0,
                page_cycles = 0;    ///< cycles that page and trace show; 0: kPageCycles
  std::vector<std::string> absent;  ///< "3:4@2": that member does not come from barrier 2 on
  std::vector<std::string> killed;  ///< "3:0-0:0@500": emptied and taken out after cycle 500
  LinkOptions links;
  /// Of run::systems() that have some.
  std::vector<std::pair<const run::System*, std::unique_ptr<run::SystemOptions>>> systems;
  CommonOptions common;
};

/// Adds the options of `muster run` to the command line.
void add_run_options(CLI::App& command, RunOptions& options, const fabric::EngineRegistry& engines);

/// Runs at once where each has one thread; `asked`: of --threads, 0 if it is not given.
unsigned runs_at_once(std::uint32_t asked);

/// A network that runs share.
struct RunNetwork {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const topology::Routes> routes;
};

/// Throws InputError naming the file and what is wrong with it.
RunNetwork read_network(const std::string& file);

/// Turns options into a specification, with another seed than the options'. Throws InputError
/// naming the option that is wrong.
run::RunSpec specify(const RunOptions& options, const RunNetwork& network,
                     const fabric::EngineRegistry& engines, std::uint64_t seed);

/// run::resolve(); the message says which file does not fit.
std::unique_ptr<const run::ResolvedRun> resolve(const std::string& file, run::RunSpec spec);

}  // namespace muster::app
