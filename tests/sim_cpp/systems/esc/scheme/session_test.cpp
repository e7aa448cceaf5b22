// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/session.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "muster/run/golden_engine.hpp"
#include "sim_cpp/systems/esc/scheme/esc_fixture.hpp"
#include "systems/esc/blocks/box_factory.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

esc::SessionResult run_one(const esc::Spec& spec, std::uint32_t session = 0) {
  const auto engine = run::make_golden_engine();
  esc::SessionRunner runner(spec, *esc::boxes_of(*engine));
  return runner.run(session);
}

}  // namespace

TEST_CASE("without background all synchronization messages are served back to back", "[esc]") {
  for (const auto& [pes, n] : {std::pair{4u, 2u}, {4u, 4u}, {64u, 2u}, {64u, 4u}, {64u, 8u}}) {
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"}) {
      esc::Spec spec = small_spec(pes, n, policy);
      spec.rate = 0;
      spec.sigma = 0;
      spec.box.depth = 64;
      CAPTURE(pes, n, policy);
      const esc::SessionResult result = run_one(spec);
      CHECK(result.syn.messages == pes - 1);
      CHECK(result.syn.sum == (pes - 1) * (pes - 2) / 2);  // 0, 1, 2, ...
      CHECK(result.length == spec.stages().count(esc::Cube(pes, n)) + pes - 2);
      CHECK(result.background.messages == 0);
      CHECK(result.packets == pes - 1);
    }
  }
}

TEST_CASE("without contention a message is never delayed", "[esc]") {
  esc::Spec spec = small_spec(256, 4, "isolated-hs");
  spec.rate = 0.0005;
  spec.sigma = 10000;
  spec.mean = 50000;
  const esc::SessionResult result = run_one(spec);
  CHECK(result.syn.sum < 20);
  CHECK(result.background.messages > 1000);
  CHECK(result.background.sum * 50 < result.background.messages);
}

TEST_CASE("one section is isolated hot spot, bit for bit", "[esc]") {
  for (const double rate : {0.3, 0.7, 0.95}) {
    esc::Spec hs = small_spec(64, 4, "isolated-hs");
    hs.rate = rate;
    esc::Spec section = hs;
    esc::set_policy(section, "hot-section:1");
    CHECK(run_one(hs) == run_one(section));
    esc::set_policy(section, "hot-section:2");
    CHECK_FALSE(run_one(hs) == run_one(section));
  }
}

TEST_CASE("sessions do not depend on what ran before on the same network", "[esc]") {
  esc::Spec spec = small_spec(16, 4, "hot-section:4");
  spec.rate = 0.8;
  const auto engine = run::make_golden_engine();
  esc::SessionRunner runner(spec, *esc::boxes_of(*engine));
  const esc::SessionResult third = runner.run(3);
  runner.run(7);
  CHECK(runner.run(3) == third);
  CHECK(run_one(spec, 3) == third);
}

TEST_CASE("a session lasts at least N - 1 cycles, whatever the network", "[esc]") {
  for (const std::uint32_t pes : {4u, 8u, 16u, 32u}) {
    for (const char* policy : {"bypass", "isolated-bg"}) {
      esc::Spec spec = small_spec(pes, 2, policy);
      for (std::uint32_t session = 0; session < 5; ++session)
        CHECK(run_one(spec, session).length >= pes - 1);
    }
  }
}

TEST_CASE("the coordinator can be named", "[esc]") {
  /// Counts synchronization messages by where they arrive.
  struct Arrivals : esc::Observer {
    void observe(const esc::CycleView& view) override {
      for (std::uint32_t pe = 0; pe < view.arrivals.size(); ++pe)
        if (esc::kind_of(view.arrivals[pe]) == esc::BoxKind::kSynchronization) ++at[pe];
    }
    std::vector<unsigned> at = std::vector<unsigned>(16);
  } arrivals;
  esc::Spec spec = small_spec(16, 2, "bypass");
  spec.hot = 11;
  const auto engine = run::make_golden_engine();
  esc::SessionRunner runner(spec, *esc::boxes_of(*engine));
  runner.attach(arrivals);
  runner.run(0);
  std::vector<unsigned> expected(16);
  expected[11] = 15;
  CHECK(arrivals.at == expected);
}
