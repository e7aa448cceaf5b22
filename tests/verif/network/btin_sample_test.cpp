// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"
#include "muster/verif.hpp"
#include "systems/btin/figures/btin_points.hpp"

using namespace muster;
using btin::BtinPoints;
using btin::BtinSystem;

/// The sample of docs/systems/btin-figures.md: all group sizes and schemes on the first network of
/// 256/75.
TEST_CASE("a sample of the points of btin-6 is the same in lockstep", "[network][lockstep][btin]") {
  const BtinSystem system{75, 256};
  figures::FigureSetting setting;
  setting.repetitions = 1;
  const auto golden = run::make_golden_engine();
  const auto lockstep = verif::make_lockstep_engine();
  BtinPoints points;
  setting.engine = golden;
  const BtinPoints::Result& reference = points.at(system, setting);
  setting.engine = lockstep;
  const BtinPoints::Result& result = points.at(system, setting);
  CHECK(result.violations == 0);
  REQUIRE(result.sizes == system.sizes());
  for (std::size_t size = 0; size < result.sizes.size(); ++size) {
    for (const std::string& scheme : btin::measured_schemes()) {
      CAPTURE(result.sizes[size], scheme);
      const auto& ours = result.samples[size][0].measured.at(scheme);
      const auto& golden_one = reference.samples[size][0].measured.at(scheme);
      CHECK(ours.latency_us == golden_one.latency_us);
      CHECK(ours.hops == golden_one.hops);
    }
  }
}
