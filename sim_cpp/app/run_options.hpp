// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "run/run_spec.hpp"

namespace muster::app {

/// The options of `muster run` as typed.
struct RunOptions {
  std::string file;
  std::vector<std::string> groups{"all"};
  std::string engine = "golden", scheme = "btin", profile = "native", config;
  std::string barrier_vc = "shared", setup = "host", op = "or";
  std::uint32_t barriers = 10, packet_length = 8;
  std::uint64_t spread = 100, split = 0, warmup = 0, min_cycles = 0, max_wait = 0;
  double load = 0.0, load_flits = 0.0;
  bool serial = false, turn = false, spill = false, no_skip = false, no_checkers = false,
       no_assertions = false;
  bool random_init = false;
  std::string wave;
  std::vector<std::string> wave_only;
  std::vector<std::string> absent;   ///< "3:4@2": that member does not come from barrier 2 on
  std::vector<std::string> stopped;  ///< "3:0-0:0@500": that link is dead from cycle 500 on
  std::vector<std::string> joins;    ///< "3:4@2": that node is a member from barrier 2 on
  std::vector<std::string> leaves;   ///< "3:4@2/1": of group 1, it is none from barrier 2 on
  std::vector<std::string> killed;   ///< "3:0-0:0@500": taken out after cycle 500
  // Of preempting switches and schemes with a center; empty: not typed.
  std::string center, padding;
  std::optional<std::uint32_t> gap, idle, longest;
  bool random = false;
  // Of NIC barriers; empty: not typed.
  std::string nic;
  std::optional<std::uint32_t> degree, timeout, retries, longest_delay;
  std::optional<double> drop, duplicate, delay, reorder, corrupt;
  bool chained = false;
  std::string congestion;  ///< "5@100": five members of each group, for 100 cycles
  CommonOptions common;
};

/// What a run needs and a RunSpec points to. Throws InputError naming the option that is wrong.
struct PreparedRun {
  topology::Graph graph;
  topology::Routes routes{0, 0};
  run::RunSpec spec;
};

/// Reads the network and turns options into a specification. The result must not be moved.
void prepare(const RunOptions& options, const fabric::EngineRegistry& engines, PreparedRun& run);

}  // namespace muster::app
