// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "muster/run/result_io.hpp"
#include "muster/run/run.hpp"
#include "support/thread_ranks.hpp"

namespace muster::test {

/// What a run says, except for the time it takes.
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

/// Of so many ranks, as rank 0 has it.
inline std::string result_of_ranks(const run::RunSpec& spec, std::uint32_t count) {
  std::string result;
  ThreadRanks(count).run([&](std::shared_ptr<core::Ranks> ranks) {
    run::RunSpec own = spec;
    own.ranks = ranks;
    if (ranks->rank() == 0)
      result = result_of(own);
    else
      run::run_barriers(own);
  });
  return result;
}

}  // namespace muster::test
