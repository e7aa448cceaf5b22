// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/provenance.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::bench {

/// What a value should be.
struct Goal {
  enum class Sense : std::uint8_t { kAtMost, kAtLeast, kExactly } sense = Sense::kAtMost;
  double value = 0.0;
};

struct Measure {
  std::string id;    ///< for programs: "rtl_sw8_time"
  std::string what;  ///< for people
  double value = 0.0;
  std::string unit;
  std::optional<Goal> goal;
  std::string note;  ///< how it was measured, what it compares with

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

}  // namespace muster::bench
