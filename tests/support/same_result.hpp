// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "muster/run/result_io.hpp"
#include "muster/run/run.hpp"
#include "support/thread_ranks.hpp"

namespace muster::test {

/// What a run says, but for the time it takes.
inline std::string result_of(const run::RunSpec& spec) {
  auto json = nlohmann::json::parse(run::run_to_json(spec, run::run_barriers(spec), {}));
  json.erase("seconds");
  json.erase("switch_cycles_per_second");
  return json.dump();
}

/// With so many threads.
inline std::string result_with_threads(run::RunSpec spec, std::uint32_t threads) {
  spec.threads = threads;
  return result_of(spec);
}

/// Of each of so many ranks.
inline std::vector<std::string> results_of_ranks(const run::RunSpec& spec, std::uint32_t count) {
  std::vector<std::string> results(count);
  ThreadRanks(count).run([&](std::shared_ptr<core::Ranks> ranks) {
    const std::uint32_t rank = ranks->rank();
    run::RunSpec own = spec;
    own.ranks = std::move(ranks);
    results[rank] = result_of(own);
  });
  return results;
}

}  // namespace muster::test
