// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/run_parts.hpp"

namespace muster::run {

/// How the course of a run has ended.
struct Outcome {
  End end = End::kComplete;
  std::string violation;  ///< empty if all is well or it was interrupted
  std::optional<RunResult::FailedBlock> failed;
  std::optional<TrafficStatistics> traffic;  ///< as the data were stopped
  std::uint64_t drain_start = 0;             ///< cycle; 0: it did not come to that
  double seconds = 0.0;
};

/// Everything that the parts of the run have to say.
RunResult fill_result(RunParts& parts, const Outcome& outcome);

}  // namespace muster::run
