// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/run/run_fixture.hpp"

using namespace muster;

/// Held links and schemes of packets on Verilated switches.
TEST_CASE("held links do the same on RTL and golden, with data and with barriers of every kind",
          "[network][lockstep][congestion]") {
  const auto lockstep = verif::make_lockstep_engine(), rtl = verif::make_rtl_engine();
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : {"tree", "star", "btin", "multicast", "bsr-1", "bsr-3"}) {
    CAPTURE(scheme);
    const auto run = [&](const fabric::BankFactory& engine, bool skip) {
      run::RunSpec spec = subject.spec({"paper"});
      spec.engine = core::borrowed(engine);
      spec.scheme = scheme;
      spec.skip = skip;
      spec.barriers = 4;
      spec.load_flits = 0.03;
      spec.congestion = run::CongestionSpec{3, 300};
      run::RunResult result = run::run_barriers(spec);
      CAPTURE(engine.name());
      for (const std::string& violation : result.violations) FAIL_CHECK(violation);
      REQUIRE(result.barriers.size() == 4);
      return result;
    };
    const std::string digest = run(*lockstep, false).digest;
    CHECK(run(*subject.engine, true).digest == digest);
    CHECK(run(*rtl, true).digest == digest);
  }
}
