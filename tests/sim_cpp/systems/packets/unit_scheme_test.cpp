// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "muster/systems/packets.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/packets/packet_schemes.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

RunSpec with(const test::Subject& subject, const std::vector<std::string>& groups) {
  RunSpec spec = subject.by(packets::kUnitScheme, groups);
  spec.spread = 0;
  return spec;
}

TEST_CASE("members of one switch: two links each, released one after the other",
          "[workload][unit]") {
  const test::Subject subject(test::star(3));
  const RunResult result = test::completes(with(subject, {"all"}));
  for (const BarrierRecord& b : result.barriers) CHECK(b.hops == 6);
  CHECK(result.config.depth == 3);
  // An arrival: on the wires in 1 to 3, its route read in 2, its tail taken in 5; the origin takes
  // the first release in 6, which is on the wires in 8 to 10; the others follow in four cycles
  // each.
  CHECK(result.barriers[0].latency_cycles == 10 + 2 * 4);
}

/// All 1200 members of a network of switches with three links, with the shortest buffers.
TEST_CASE("units that wait can deadlock, which the run reports, and units that absorb do not",
          "[workload][unit]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 1200, .nodes = 1200, .ports = 4, .connectivity = 1.0, .seed = 1}));
  RunSpec spec = with(subject, {"all"});
  own<packets::Spec>(spec).unit_waits = true;
  spec.barriers = 2;
  spec.max_wait = 20'000;
  const RunResult stuck = run_barriers(spec);
  CHECK(stuck.end == End::kHang);
  CHECK_THAT(test::breach_of(stuck), Contains("makes no progress at barrier 0") &&
                                         Contains("switches more") && Contains("sends opcode"));
  own<packets::Spec>(spec).unit_waits = false;
  test::completes(spec);
}

TEST_CASE("units and their options are refused where they have no effect", "[workload][unit]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  const auto refused = [&](const char* reason, const std::function<void(RunSpec&)>& change) {
    RunSpec spec = with(subject, {"all"});
    change(spec);
    CHECK_THROWS_WITH(run_barriers(spec), Contains(reason));
  };
  refused("--barrier-vc own", [](RunSpec& spec) { spec.own_barrier_vc = true; });
  refused("--unit-buffer 6: is not in 1..5",
          [](RunSpec& spec) { own<packets::Spec>(spec).unit_buffer = 6; });
  refused("scheme 'tree' has no barrier units", [](RunSpec& spec) {
    own<packets::Spec>(spec).unit_waits = true;
    spec.scheme = "tree";
  });
  refused("switch 0 has members of 17 groups", [](RunSpec& spec) {
    spec.groups.assign(17, {"pair", {0, 1}});
  });
}

}  // namespace

}  // namespace muster::run
