// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/run/deaths/death_runs.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using test::Subject;

bool untouched(const RunResult& result, const std::string& group) {
  const auto& names = result.casualties.untouched;
  return std::count(names.begin(), names.end(), group) != 0;
}

TEST_CASE("any link may be cut at any time, and the others go on", "[workload][death]") {
  const Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  const std::uint64_t cycle = GENERATE(9, 150);
  const auto* scheme = GENERATE("btin", "unicast", "tree", "nic-dissemination");
  const auto links = static_cast<std::uint32_t>(subject.graph.links().size());
  for (std::uint32_t id = 0; id < links + subject.graph.nodes(); ++id) {
    CAPTURE(seed, cycle, scheme, id);
    RunSpec spec = test::death_spec(subject, seed);
    spec.scheme = scheme;
    spec.deaths = {{.id = id, .cycle = cycle, .link = true}};
    const RunResult result = run_barriers(spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    CHECK(result.end == test::end_of(spec, subject.graph, result));
    // The first four groups stay within a switch each, and need links of their nodes only.
    for (std::uint32_t g = 0; g < 4; ++g)
      if (id < links || (id - links) / 2 != g) CHECK(untouched(result, spec.groups[g].name));
    for (const Casualties::Detection& d : result.casualties.detected)
      CHECK(d.block == result.casualties.detected.front().block);
  }
}

TEST_CASE("barriers by packets, and by NICs, survive deaths of switches and nodes",
          "[workload][death]") {
  const Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  const auto* scheme = GENERATE("unicast", "tree", "nic-gather");
  for (const bool node : {false, true})
    for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
      CAPTURE(seed, scheme, node, id);
      RunSpec spec = test::death_spec(subject, seed);
      spec.scheme = scheme;
      const Death death{.node = node, .id = id, .cycle = 200};
      spec.deaths = {death};
      const RunResult result = run_barriers(spec);
      for (const std::string& violation : result.violations) FAIL_CHECK(violation);
      for (std::uint32_t g = 0; g < spec.groups.size(); ++g)
        CHECK(
            (untouched(result, spec.groups[g].name) || test::loses(spec, subject.graph, g, death)));
    }
}

TEST_CASE("a group whose tree uses a cut link stops, and the link is named", "[workload][death]") {
  const Subject subject = Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.links.retry = true;
  spec.max_wait = 2000;
  spec.deaths = {{.id = 3, .cycle = 300, .link = true}};  // 1:1 - 3:1, an edge of the tree
  const RunResult result = run_barriers(spec);
  CHECK(result.violations.empty());
  REQUIRE(result.casualties.groups_hit.size() == 1);
  CHECK(result.casualties.groups_hit[0].culprit == "1:1-3:1");
  CHECK_FALSE(result.casualties.groups_hit[0].complete);
  // One end has repeated without an answer; the other had nothing to say and was put down by the
  // manager.
  REQUIRE(result.casualties.detected.size() == 2);
  CHECK(result.casualties.detected[1].reason == "killed by the host");
}

TEST_CASE("a link that goes down unasked is named before what it has cut short",
          "[workload][death]") {
  const Subject subject = Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.scheme = "unicast";
  spec.links.retry = true;
  spec.links.ack_drop = 1.0;  // no acknowledgement comes that a flit does not carry
  const RunResult result = run_barriers(spec);
  CHECK(result.end == End::kHang);
  REQUIRE_FALSE(result.violations.empty());
  CHECK_THAT(result.violations[0], Contains("down: "));
  CHECK(result.wires->acks_dropped > 0);
}

TEST_CASE("links outlast a jammer of half of all acknowledgements", "[workload][death]") {
  const Subject subject{test::square()};
  RunSpec spec = test::death_spec(subject, muster_seed());
  spec.links.ack_drop = 0.5;
  const RunResult result = run_barriers(spec);
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.barriers.size() == spec.groups.size() * spec.barriers);
  CHECK(result.wires->acks_dropped > 100);
}

}  // namespace
}  // namespace muster::run
