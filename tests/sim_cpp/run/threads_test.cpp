// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/troubled_runs.hpp"
#include "support/same_result.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using test::result_with_threads;

TEST_CASE("results are the same for any number of threads", "[workload][threads]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 6; ++i) {
    test::RandomRun run(seed + 7, i, 10);
    CAPTURE(seed, i, run.text());
    run.spec.skip = i % 2 == 0;
    const std::string one = result_with_threads(run.spec, 1);
    for (const std::uint32_t threads : {2u, 3u, 8u})
      CHECK(result_with_threads(run.spec, threads) == one);
  }
}

TEST_CASE("so are those of every scheme, with links that retry and blocks that die",
          "[workload][threads]") {
  const test::Subject subject = test::Subject::figure1();
  const std::uint64_t seed = muster_seed();
  const auto* scheme = GENERATE("btin", "unicast", "nic-gather");
  CAPTURE(seed, scheme);
  const RunSpec spec = test::dying_spec(subject, scheme, seed);
  const std::string one = result_with_threads(spec, 1);
  CHECK(result_with_threads(spec, 2) == one);
  CHECK(result_with_threads(spec, 5) == one);
}

TEST_CASE("a breach is the same one, with the same counts", "[workload][threads]") {
  const test::Subject subject = test::Subject::figure1();
  const RunSpec spec = test::breached_spec(subject);
  const std::string one = result_with_threads(spec, 1);
  CHECK(one.find("\"violations\":0") == std::string::npos);
  CHECK(result_with_threads(spec, 2) == one);
  CHECK(result_with_threads(spec, 4) == one);
}

TEST_CASE("numbers of threads that cannot be are refused", "[workload][threads]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  for (const std::uint32_t threads : {0u, kMostThreads + 1}) {
    spec.threads = threads;
    CHECK_THROWS_WITH(run_barriers(spec), Catch::Matchers::Contains("a run has 1 to 256 threads"));
  }
}

}  // namespace
}  // namespace muster::run
