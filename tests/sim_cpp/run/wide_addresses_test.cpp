// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/system.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

/// 2112 destinations: switches from 992 on have addresses of 12 bits.
TEST_CASE("every scheme that golden switches have runs where 11 bits do not name all",
          "[workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(33, 32));
  for (const char* scheme : {"btin", "bsr-1", "bsr-2", "bsr-3", "unicast", "star", "tree",
                             "tree-units", "multicast", "nic-dissemination"}) {
    CAPTURE(scheme);
    RunSpec spec = subject.spec({"n0,n5,n600,n991,n992,n993,n1024,n1055"});
    spec.scheme = scheme;
    spec.barriers = 3;
    spec.load_flits = 0.002;
    spec.min_cycles = 1500;
    const RunResult result = run_barriers(spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == 3);
    CHECK(result.config.flit_w == 17);
    CHECK(result.data->delivered > 200);
  }
}

TEST_CASE("flits of 16 bits are refused for more than 2048 destinations", "[workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(33, 32));
  RunSpec spec = subject.spec({"n0,n5"});
  spec.config = fabric::SwitchConfig{.name = "narrow", .ports = 5, .dests = 2112};
  spec.config->kind = find_scheme("btin").system.switch_kinds().front();
  CHECK_THROWS_WITH(run_barriers(spec),
                    Catch::Matchers::Contains("dests = 2112 is not in 16..2048"));
}

}  // namespace
}  // namespace muster::run
