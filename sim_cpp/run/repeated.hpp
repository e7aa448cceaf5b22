// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/outputs.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// A mean over runs that differ in their seeds only.
struct Estimate {
  std::uint32_t runs = 0;            ///< that have the quantity
  std::optional<double> mean;        ///< none without a run
  std::optional<double> half_width;  ///< of the 95 % interval of Student's t; none below two runs
};

/// What complete runs that differ in their seeds only say together.
struct Repeated {
  std::uint32_t complete = 0;   ///< runs, the only ones that count in what follows
  std::uint32_t saturated = 0;  ///< of them
  /// Of the statistics of the same names in RunResult, cycles.
  Estimate latency_mean, latency_p50, latency_p95, latency_p99, latency_first, latency_later;
  Estimate offered, accepted;  ///< data, flits per node and cycle
  /// Of the statistics of the same names in TrafficStatistics, cycles.
  Estimate packet_mean, packet_p50, packet_p95, packet_p99;
};

/// Of runs with the seeds from the first one on.
Repeated summarize_runs(const std::vector<RunResult>& results);

/// Fewer runs than `asked` were begun, or one of them was ended.
bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked);

/// Runs and their summary as JSON, schema `muster-repeat-1`; the parameters are those of the first
/// run. `asked`: runs, of which there are fewer after an interruption. Ends with a newline.
/// REQUIRES: a result.
std::string repeated_to_json(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked, const Provenance& origin);

/// The schema of that, from a sample run.
Json repeated_schema(const RunSpec& spec, const RunResult& result);

/// The same for people.
std::string repeated_to_text(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked);

}  // namespace muster::run
