// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"
#include "sim_cpp/systems/esc/scheme/fault_sweep.hpp"
#include "sim_cpp/systems/esc/scheme/fault_walk.hpp"
#include "support/seed.hpp"
#include "systems/esc/blocks/box_factory.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

void sweep_golden(std::uint32_t pes, std::uint32_t n, std::size_t at_most) {
  Rng rng(muster_seed());
  const auto engine = run::make_golden_engine();
  sweep_faults(*esc::boxes_of(*engine), {.size = n, .depth = 4}, pes,
               some_faults(esc::Cube(pes, n), at_most, rng));
}

}  // namespace

TEST_CASE("packets reach every PE through boxes of which any one part is dead", "[esc][faults]") {
  for (const auto& [pes, n] : {std::pair{4u, 2u}, {4u, 4u}, {8u, 2u}, {8u, 8u}, {16u, 2u}})
    sweep_golden(pes, n, 10000);
  sweep_golden(64, 2, 10000);
  sweep_golden(64, 4, 10000);
}

TEST_CASE("packets pass 256 PEs with a sample of dead parts", "[esc][faults]") {
  sweep_golden(256, 4, 40);
}

TEST_CASE("packets pass 256 PEs with any one part dead", "[esc][faults][soak]") {
  sweep_golden(256, 4, 10000);
}

TEST_CASE("a dead part swallows exactly what comes to it", "[esc][faults]") {
  const auto engine = run::make_golden_engine();
  Rng rng(muster_seed());
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {8u, 2u}, {16u, 4u}, {64u, 4u}}) {
    const esc::Cube cube(pes, n);
    for (const esc::Fault& fault : some_faults(cube, pes < 64 ? 10000 : 50, rng)) {
      for (const esc::OuterStages& stages : kSettings) {
        const esc::FaultRouting unaware(cube, stages, {});
        std::vector<unsigned> expected(std::size_t{pes} * pes);
        for (std::uint32_t s = 0; s < pes; ++s)
          for (std::uint32_t d = 0; d < pes; ++d)
            expected[s * pes + d] = !walk(cube, stages, fault, s, *unaware.tag(s, d), 0).met;
        const std::vector<esc::Fault> faults = {fault};
        INFO(pes << " PEs, boxes of " << n << ", fault " << esc::fault_text(fault)
                 << ", input stage " << stages.input << ", output stage " << stages.output);
        const esc::BoxConfig box{.size = n, .depth = 4};
        const bool each = send_all(*esc::boxes_of(*engine), box, cube, stages, faults,
                                   to_each(cube, unaware)) == expected;
        const bool all = send_all(*esc::boxes_of(*engine), box, cube, stages, faults,
                                  to_all(cube, unaware)) == expected;
        REQUIRE(each);
        REQUIRE(all);
      }
    }
  }
}
