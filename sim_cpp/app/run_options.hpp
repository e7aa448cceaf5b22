// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "app/context.hpp"
#include "muster/run/run.hpp"

namespace muster::app {

/// Cycles in which data settle, docs/reference/runs.md, Background data: what `--warmup` is where
/// the option is absent.
inline constexpr std::uint64_t kSettling = 2000;

/// Cycles that a page shows: by default, and at most.
inline constexpr std::uint64_t kPageCycles = 20'000, kMostPageCycles = 1'000'000;

/// What `--help` says of a network that is read.
inline constexpr const char* kNetworkHelp =
    "Network: JSON, GraphML, BookSim anynet or ibnetdiscover; - for standard input";

/// Runs of one `--repeat`.
inline constexpr std::uint32_t kMostRepeats = 1000;

/// The options of `muster run` as typed.
struct RunOptions {
  run::RunSpec spec;  ///< what is a member of it as typed
  std::string file;
  std::vector<std::string> groups{"all"};
  std::string engine = "golden", congestion, arrivals;
  std::optional<std::uint64_t> warmup;   ///< none: kSettling with data
  std::optional<std::uint32_t> hop;      ///< none: that of the profile
  std::uint32_t repeat = 1;              ///< runs, with seeds from that of `common` on
  std::optional<std::uint32_t> threads;  ///< none: as many as pay
  double load = 0.0, load_flits = 0.0;
  std::string packets;  ///< file; or empty
  bool no_barriers = false;
  std::string wave;
  std::vector<std::string> wave_only;
  std::optional<std::uint64_t> wave_at;  ///< cycle where the view of the waveform opens
  std::string page, trace;
  std::optional<std::uint64_t> page_from, page_cycles;  ///< cycles that page and trace show
  /// What happens to members, links, switches and nodes, of one option: it becomes a part of the
  /// specification with the network.
  struct Events {
    std::vector<std::string> typed;  ///< "3:4@2", "3:0-0:0@500+20", "sw3@500"
    std::function<void(const std::string& text, run::RunSpec& spec)> add;
  };
  std::deque<Events> events;
  run::Fields fields;  ///< what may be typed of these
  /// Of run::systems() that have some.
  std::vector<std::pair<const run::System*, std::unique_ptr<run::SystemOptions>>> systems;
  CommonOptions common;
};

/// Adds the options of `muster run` to the command line, except for `without`.
void add_run_options(CLI::App& command, RunOptions& options, const fabric::EngineRegistry& engines,
                     std::span<const std::string> without = {});

/// Runs at once where each has one thread; `asked`: of --threads.
unsigned runs_at_once(std::optional<std::uint32_t> asked);

/// A network that runs share.
struct RunNetwork {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const topology::Routes> routes;
};

/// Those of the network, or others that `spec` names.
std::shared_ptr<const topology::Routes> routes_in(const RunNetwork& network,
                                                  const run::RunSpec& spec);

/// Throws InputError naming the file and what is wrong with it.
RunNetwork read_network(const std::string& file);

/// What has to do with options of systems whose scheme does not run.
enum class OtherOptions : std::uint8_t { kRefused, kIgnored };

/// Turns options into a specification, with another seed than the options'. Throws InputError
/// naming the option that is wrong.
run::RunSpec specify(const RunOptions& options, const RunNetwork& network,
                     const fabric::EngineRegistry& engines, std::uint64_t seed,
                     OtherOptions others = OtherOptions::kRefused);

/// run::resolve(); the message says which file does not fit.
std::unique_ptr<const run::ResolvedRun> resolve(const std::string& file, run::RunSpec spec);

}  // namespace muster::app
