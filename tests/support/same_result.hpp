// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "muster/run/result_io.hpp"
#include "muster/run/run.hpp"

namespace muster::test {

/// What a run with so many threads says, but for the time it takes.
inline std::string result_with_threads(run::RunSpec spec, std::uint32_t threads) {
  spec.threads = threads;
  auto json = nlohmann::json::parse(run::run_to_json(spec, run::run_barriers(spec), {}));
  json.erase("seconds");
  json.erase("switch_cycles_per_second");
  return json.dump();
}

}  // namespace muster::test
