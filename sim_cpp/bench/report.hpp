// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/outputs.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::bench {

/// What a value should be.
struct Goal {
  enum class Sense : std::uint8_t { kAtMost, kAtLeast, kExactly } sense = Sense::kAtMost;
  double value = 0.0;
};

inline Goal at_most(double value) { return {Goal::Sense::kAtMost, value}; }
inline Goal at_least(double value) { return {Goal::Sense::kAtLeast, value}; }

struct Measure {
  std::string id;    ///< for programs: "rtl_sw8_time"
  std::string what;  ///< for people
  double value = 0.0;
  std::string unit;
  std::string note;  ///< how it was measured, what it compares with
  std::optional<Goal> goal = {};

  bool met() const;  ///< true without a goal
};

/// Flits a cycle on one link and virtual channel by the depth of the queue behind it.
struct LinkThroughput {
  std::uint32_t latency = 1, depth = 1;
  double measured = 0.0, expected = 0.0;
};

struct Machine {
  std::string cpu, compiler;
  unsigned cores = 0;
  std::vector<std::string> tools;  ///< what the engines are made with, such as Verilator
};

struct Report {
  bool quick = false;  ///< too short for the times to mean much
  Machine machine;
  std::vector<Measure> measures;
  std::vector<LinkThroughput> link_throughput;
  std::vector<std::string> omitted;  ///< groups that this program cannot measure, with the reason
};

/// What a measurement group gets.
struct Setting {
  const fabric::EngineRegistry* engines = nullptr;
  std::uint64_t seed = 1;  ///< of networks and traffic
  bool quick = false;      ///< small networks and short runs: the shape of the result only
  std::function<void(const std::string& group)>
      progress;  ///< called before each group; may be absent
};

/// Runs all groups. Engines that the program does not have are left out and named.
Report measure_all(const Setting& setting);

std::string report_to_text(const Report& report);
/// Schema muster-bench-1.
std::string report_to_json(const Report& report, const Setting& setting, const Provenance& origin);
nlohmann::ordered_json report_schema();  ///< that schema

// The measurement groups; each appends to the report. REQUIRES, where said, that engines are there.

/// Time of a switch-cycle on all engines on the same work, cost of checkers and assertions. Needs
/// rtl and lockstep.
void measure_engine_speed(const Setting& setting, Report& report);

/// What the harness adds to the Verilated models themselves. Needs rtl.
void measure_harness_overhead(const Setting& setting, Report& report);

/// Flit-hops per second of golden on a mesh and on an irregular network.
void measure_golden_speed(const Setting& setting, Report& report);

/// What a switch-cycle of golden costs in a large network, by one in a small network.
void measure_golden_size(const Setting& setting, Report& report);

/// A box-cycle of the Extra Stage Cube on every engine that has boxes; the time of its figure
/// esc-5.
void measure_box_speed(const Setting& setting, Report& report);

/// The cost of a switch with nothing to do, and of being one of many. Needs rtl.
void measure_scaling(const Setting& setting, Report& report);

/// What a second thread is good for. Needs rtl.
void measure_thread_speed(const Setting& setting, Report& report);

/// Cycles of a hop in an empty network, for barrier messages and data.
void measure_hop_latency(const Setting& setting, Report& report);

/// Flits per cycle of one link by buffer depth, golden.
void measure_link_throughput(const Setting& setting, Report& report);

/// Cycles from output register to output register of successive switches.
struct HopLatency {
  std::uint64_t barrier = 0, data = 0;
};

/// In an empty chain of switches (configuration sw4) with links of latency L: a barrier message on
/// its way to the root, then the head of a packet. The slowest hop counts.
HopLatency hop_latency(const fabric::BankFactory& engine, std::uint32_t latency);

/// Flits a cycle that one virtual channel carries over a link of the given latency into queues of
/// the given depth, while its source always has more. Expected: the credit loop of 2L + 2 cycles
/// lets `depth` flits pass.
LinkThroughput link_throughput(const fabric::BankFactory& engine, std::uint32_t latency,
                               std::uint32_t depth);

}  // namespace muster::bench
