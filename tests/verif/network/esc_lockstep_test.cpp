// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/run.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"

using namespace muster;
using namespace muster::test;

namespace {

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

}  // namespace

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
