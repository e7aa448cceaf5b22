// SPDX-License-Identifier: Apache-2.0
#include "workload/bsr_scheme.hpp"

#include <catch2/catch.hpp>

#include "common/error.hpp"
#include "sim_cpp/workload/run_fixture.hpp"
#include "support/seed.hpp"

namespace muster::workload {
namespace {

using Catch::Matchers::Contains;

RunSpec bsr(const test::Subject& subject, const std::string& scheme,
            const std::vector<std::string>& groups, std::uint64_t seed = 1) {
  RunSpec spec = subject.spec(groups, seed);
  spec.scheme = scheme;
  return spec;
}

constexpr const char* kSchemes[] = {"bsr-1", "bsr-2", "bsr-3"};

TEST_CASE("two nodes of one switch: Tb to it, its origin, and back", "[workload][bsr]") {
  for (const char* scheme : kSchemes) {
    const test::Subject subject(test::star(2));
    RunSpec spec = bsr(subject, scheme, {"all"});
    spec.spread = 0;
    const RunResult result = run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 10);
    for (const BarrierRecord& b : result.barriers) CHECK(b.hops == 4);
    CHECK(result.preempt->preemptions == 0);
    CHECK(result.preempt->theorem_2 == std::vector<std::uint64_t>{2 * 6 * 1});
  }
}

TEST_CASE("groups build their trees and synchronize, first in any order, then by them",
          "[workload][bsr][random]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  for (const char* scheme : kSchemes) {
    const test::Subject subject(topology::generate_irregular(
        {.switches = 40, .nodes = 60, .ports = 6, .connectivity = 0.9, .seed = seed}));
    RunSpec spec = bsr(subject, scheme, {"all", "random:17", "random:5", "random:1"}, seed);
    const RunResult result = run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 40);
    for (const CheckCount& check : result.checks)
      if (check.name == "bsr messages") CHECK(check.passed > 1000);
  }
}

TEST_CASE("on a mesh, whose routes have no choice, later barriers take the planned hops",
          "[workload][bsr]") {
  const test::Subject subject(topology::generate_mesh(5, 5));
  RunSpec spec = bsr(subject, "bsr-1", {"random:9"});
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations == std::vector<std::string>{});
  for (const BarrierRecord& b : result.barriers) {
    if (b.number == 0) CHECK(b.hops >= result.planned_hops[0]);
    if (b.number != 0) CHECK(b.hops == result.planned_hops[0]);
  }
}

TEST_CASE("data arrive intact among barriers that cut them, and the bound holds",
          "[workload][bsr][random]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  for (const char* scheme : kSchemes) {
    const test::Subject subject(topology::generate_irregular(
        {.switches = 20, .nodes = 30, .ports = 6, .connectivity = 0.8, .seed = seed}));
    RunSpec spec = bsr(subject, scheme, {"all", "random:10"}, seed);
    spec.load_flits = 0.5 * subject.saturation();
    spec.packet_length = 32;
    spec.barriers = 60;
    const RunResult result = run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 120);
    CHECK(result.data->delivered > 100);
    CHECK(result.preempt->preemptions > 20);
    if (result.preempt->hop_wait_bound)
      CHECK(result.preempt->longest_hop_wait <= *result.preempt->hop_wait_bound);
  }
}

TEST_CASE("what the scheme has not is refused", "[workload][bsr]") {
  const test::Subject subject(test::star(3));
  const auto refuses = [&](const char* text, void (*change)(RunSpec&)) {
    RunSpec spec = bsr(subject, "bsr-1", {"all"});
    change(spec);
    CHECK_THROWS_WITH(run_barriers(spec), Contains(text));
  };
  refuses("--turn", [](RunSpec& spec) { spec.turn = true; });
  refuses("--barrier-vc own", [](RunSpec& spec) { spec.own_barrier_vc = true; });
  refuses("--op", [](RunSpec& spec) { spec.op = network::ReduceOp::kSum; });
  refuses("--spill", [](RunSpec& spec) { spec.spill = true; });
  refuses("has 16 entries", [](RunSpec& spec) {
    while (spec.groups.size() < 17) spec.groups.push_back(spec.groups.front());
  });
}

}  // namespace
}  // namespace muster::workload
