// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/same_result.hpp"
#include "support/seed.hpp"

using namespace muster;

TEST_CASE("models clocked by several ranks give the same result", "[network][ranks]") {
  const std::uint64_t seed = muster_seed();
  const fabric::EngineRegistry engines = test::all_engines();
  const test::Subject subject = test::Subject::figure1();
  const char* const engine = GENERATE("rtl", "lockstep");
  const char* const scheme = GENERATE("btin", "bsr-2", "nic-dissemination");
  CAPTURE(seed, engine, scheme);
  run::RunSpec spec = subject.spec({"all", "random:9"}, seed);
  spec.engine = engines.find(engine);
  spec.scheme = scheme;
  spec.skip = false;
  spec.barriers = 4;
  if (std::string(scheme) != "bsr-2") spec.links = {.retry = true, .drop = 0.01, .corrupt = 0.01};
  spec.load_flits = 0.2 * subject.route_bound();
  const std::string one = test::result_of(spec);
  CHECK(one.find("\"violations\":0") != std::string::npos);
  CHECK(test::result_of_ranks(spec, 3) == one);
}
