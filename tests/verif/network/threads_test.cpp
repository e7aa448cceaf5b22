// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/same_result.hpp"
#include "support/seed.hpp"

using namespace muster;

TEST_CASE("models clocked by several threads give the same result", "[network][threads]") {
  const std::uint64_t seed = muster_seed();
  const fabric::EngineRegistry engines = test::all_engines();
  for (const char* engine : {"rtl", "lockstep"})
    for (std::uint64_t i = 0; i < 2; ++i) {
      test::RandomRun run(seed + 9, i, 6);
      CAPTURE(seed, i, engine, run.text());
      run.spec.engine = engines.find(engine);
      run.spec.config = run::configuration("sw8");
      run.spec.skip = std::string(engine) == "rtl" && i == 0;
      run.spec.load_flits *= 0.3;
      const std::string one = test::result_with_threads(run.spec, 1);
      for (const std::uint32_t threads : {2u, 3u, 7u})
        CHECK(test::result_with_threads(run.spec, threads) == one);
    }
}

TEST_CASE("link ends and NICs clocked by several threads as well", "[network][threads]") {
  const std::uint64_t seed = muster_seed();
  const fabric::EngineRegistry engines = test::all_engines();
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : {"nic-dissemination", "btin"}) {
    CAPTURE(seed, scheme);
    run::RunSpec spec = subject.spec({"all", "random:9"}, seed);
    spec.engine = engines.find("lockstep");
    spec.config = run::configuration("sw8v1");  // the NIC with two channels is too small
    spec.scheme = scheme;
    spec.skip = false;
    spec.links = {.retry = true, .drop = 0.01, .corrupt = 0.01, .duplicate = 0.01};
    spec.load_flits = 0.2 * subject.route_bound();
    const std::string one = test::result_with_threads(spec, 1);
    CHECK(one.find("\"violations\":0") != std::string::npos);
    CHECK(test::result_with_threads(spec, 3) == one);
  }
}
