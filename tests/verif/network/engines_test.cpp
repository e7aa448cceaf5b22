// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"
#include "support/thread_ranks.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;

namespace {

/// A random run with one configuration for all engines: golden would take one made to measure.
struct ShortRun : test::RandomRun {
  explicit ShortRun(std::uint64_t index) : RandomRun(muster_seed() + 2, index, 6) {
    spec.config = run::configuration("sw8");
    spec.load_flits *= 0.3;
  }
};

}  // namespace

TEST_CASE("every engine gives the same digest, skipping or not", "[network][digest]") {
  for (std::uint64_t index = 0; index < 4; ++index) {
    const ShortRun run(index);
    CAPTURE(run.text());
    const auto look = [](const run::RunResult& result) {
      // Lockstep says how many outputs it has compared: three words of each switch and cycle at
      // least.
      const bool compared = !result.checks.empty() && result.checks.back().name == "lockstep";
      CHECK(compared == (result.engine == "lockstep"));
      if (compared) CHECK(result.checks.back().passed >= 3 * result.switches_clocked);
    };
    test::on_engines(run.spec, {"golden", "golden*", "rtl", "rtl*", "lockstep"}, look);
  }
}

TEST_CASE(
    "neither initial state of registers without reset nor assertions show: the digest is the same",
    "[network][digest]") {
  for (std::uint64_t index = 0; index < 3; ++index) {
    ShortRun run(index);
    CAPTURE(run.text());
    run.spec.engine = verif::make_rtl_engine();
    const std::string plain = test::passes(run.spec).digest;
    CHECK(plain.size() == 16);
    run.spec.bank.random_init = true;
    for (const std::uint64_t seed : {11, 12}) {
      run.spec.bank.seed = seed;
      run.spec.bank.assertions = seed == 11;
      CHECK(test::passes(run.spec).digest == plain);
    }
  }
}

TEST_CASE("different runs have different digests", "[network][digest]") {
  CHECK(test::passes(ShortRun(0).spec).digest != test::passes(ShortRun(1).spec).digest);
}

TEST_CASE("an engine without a fitting configuration names the nearest", "[network]") {
  fabric::SwitchConfig large{.name = "large", .kind = &btin::kBarrierSwitch};
  large.ports = 16;
  CHECK_FALSE(verif::make_rtl_engine()->supports(large));
  fabric::Requirement need{.kind = &btin::kBarrierSwitch};
  need.ports = 12;
  need.regs = 1;
  need.dests = 100;
  const auto rtl = verif::make_rtl_engine();
  CHECK_THROWS_WITH(fabric::choose(run::configurations(), need, *rtl), Catch::Contains("sw8"));
  const auto golden = run::make_golden_engine();
  CHECK(fabric::choose(run::configurations(), need, *golden).ports >= 12);
}

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
