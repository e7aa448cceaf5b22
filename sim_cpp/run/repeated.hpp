// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/result.hpp"

namespace muster::run {

/// Fewer runs than `asked` were begun, or one of them was ended.
bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked);

/// Fields of runs and their summary, schema `muster-repeat-1`; the parameters are those of the
/// first run. `asked`: runs, of which there are fewer after an interruption. REQUIRES: a result.
void describe_repeated(core::Record& r, const RunSpec& first, const std::vector<RunResult>& results,
                       std::uint32_t asked, const Provenance& origin);

/// The schema of that, from a sample run.
Json repeated_schema(const RunSpec& spec, const RunResult& result);

/// The same for people.
std::string repeated_to_text(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked);

}  // namespace muster::run
