// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/random.hpp"
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

TEST_CASE("an engine without a fitting configuration names the nearest", "[network]") {
  const auto rtl = verif::make_rtl_engine();
  const auto choose = [&](const fabric::Requirement& need, const fabric::BankFactory& engine) {
    return fabric::choose(run::configurations(), need, engine);
  };
  const fabric::Requirement large{
      .ports = 12, .regs = 1, .dests = 100, .kind = &btin::kBarrierSwitch};
  CHECK_THROWS_WITH(choose(large, *rtl), Catch::Contains("sw8"));
  CHECK(choose(large, *run::make_golden_engine()).ports >= 12);
  const fabric::Requirement worms{
      .ports = 5, .dests = 100, .vcs = 2, .kind = &packets::kMulticastSwitch};
  CHECK(choose(worms, *rtl).name == "mc8");  // there is no mc5
}

TEST_CASE("models clocked by several threads and ranks give the same result",
          "[network][threads][ranks]") {
  const fabric::EngineRegistry engines = test::all_engines();
  const char* const engine = GENERATE("rtl", "lockstep");
  const char* const scheme = GENERATE("btin", "bsr-2", "nic-dissemination");
  CAPTURE(engine, scheme);
  run::RunSpec spec = test::figure1().by(scheme, {"all", "random:9"}, muster_seed());
  spec.engine = engines.find(engine);
  spec.skip = false;
  spec.barriers = 4;
  if (spec.scheme != "bsr-2")
    spec.links = {.retry = true, .drop = 0.01, .corrupt = 0.01, .duplicate = 0.01};
  spec.load_flits = 0.2 * test::figure1().route_bound();
  const std::string one = test::result_of(spec);
  CHECK(one.find("\"violations\":0") != std::string::npos);
  CHECK(test::result_with_threads(spec, 7) == one);
  CHECK(test::result_of_ranks(spec, 3) == one);
  if (std::string(engine) == "lockstep") return;
  spec.skip = true;
  CHECK(test::result_with_threads(spec, 3) == test::result_of(spec));
}
