// SPDX-License-Identifier: Apache-2.0
#include "fabric/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "support/all_engines.hpp"
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
  CHECK_THROWS_WITH(choose(large, *rtl), Contains("sw8"));
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

using namespace muster::test;

/// The batch has the digest of golden, on RTL and in lockstep, which has compared every output.
void same_on_all_engines(esc::Spec spec) {
  CAPTURE(spec.pes, spec.box.size, spec.box.depth, spec.rate, esc::policy_name(spec), spec.seed);
  const esc::BatchResult golden = run_golden(spec);
  const esc::BatchResult rtl = esc::run_batch(spec, *verif::make_rtl_engine());
  const esc::BatchResult both = esc::run_batch(spec, *verif::make_lockstep_engine());
  CHECK(rtl.digest == golden.digest);
  CHECK(both.digest == golden.digest);
  CHECK(both.violations == 0);
  CHECK(rtl.comparisons == 0);
  CHECK(both.comparisons >= both.box_cycles * (2 * spec.box.size + 1));
}

TEST_CASE("an active session of 256 PEs runs in lockstep", "[lockstep][esc]") {
  for (const char* policy : {"bypass", "hot-section:4"}) {
    esc::Spec spec = small_spec(256, 4, policy);
    spec.mean = 300;
    spec.sigma = 10;
    spec.sessions = 1;
    same_on_all_engines(spec);
  }
}

TEST_CASE("every box size, policy and scheme gives the same on all engines", "[lockstep][esc]") {
  for (const auto& [pes, n, depth] :
       {std::tuple{16u, 2u, 4u}, {16u, 4u, 12u}, {64u, 4u, 12u}, {64u, 8u, 12u}, {8u, 8u, 12u}})
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2",
                               "hot-section:auto", "throttle:2", "adaptive", "combining"}) {
      if (n == 8 && std::string(policy) == "combining") continue;  // no such box is built
      esc::Spec spec = small_spec(pes, n, policy);
      spec.box.depth = depth;
      spec.rate = 0.9;
      spec.rate_change = {.cycle = 210, .rate = 0.3};
      spec.hot_spots = n == 2 ? 2 : 1;
      spec.release = pes == 16 ? esc::Release::kDirect : esc::Release::kNetwork;
      same_on_all_engines(spec);
    }
}

TEST_CASE("sessions around a fault are the same on all engines", "[lockstep][esc][faults]") {
  for (const char* fault : {"box:2:1", "box:0:3", "link:4:5", "link:2:9", "bypass:3:7"}) {
    CAPTURE(fault);
    esc::Spec spec = small_spec(64, 4, "hot-section:4");
    spec.box.depth = 12;
    spec.sessions = 1;
    spec.release = esc::Release::kNetwork;
    spec.faults = {esc::fault_named(fault)};
    same_on_all_engines(spec);
  }
}

}  // namespace
