// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/occupancy.hpp"

#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"
#include "sim_cpp/systems/esc/scheme/esc_fixture.hpp"
#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/scheme/session.hpp"

using namespace muster;
using namespace muster::test;

TEST_CASE("buffers counted on the links are full exactly where the model blocks", "[experiment]") {
  /// A single packet is blocked if and only if its output holds S packets.
  struct Blocked final : esc::Observer {
    const esc::Occupancy* occupancy;
    esc::Cube cube{16, 4};
    std::uint64_t alone = 0, wrong = 0;
    void observe(const esc::CycleView& view) override {
      for (std::size_t k = 0; k < view.rx.size(); ++k) {
        if (view.rx[k] == 0) continue;
        const auto stage = static_cast<unsigned>(k / 16);
        const std::uint32_t digit = cube.digit(esc::tag_of(view.rx[k]), stage);
        unsigned baselines = 0;
        for (std::size_t p = k / 4 * 4; p < k / 4 * 4 + 4; ++p)
          baselines += view.rx[p] != 0 && cube.digit(esc::tag_of(view.rx[p]), stage) == digit;
        if (baselines != 1) continue;
        ++alone;
        const auto box = static_cast<std::uint32_t>(k % 16 / 4);
        const unsigned held = occupancy->packets(view.cycle, stage, cube.link(stage, box, digit));
        wrong += (held < 2) != (view.rx_ready[k] != 0);
      }
    }
  } blocked;
  esc::Spec spec = small_spec(16, 4, "isolated-hs");
  spec.box.depth = 2;
  spec.rate = 0.6;
  esc::Occupancy occupancy(spec, 0, esc::kNever - 1);
  blocked.occupancy = &occupancy;
  const auto engine = run::make_golden_engine();
  esc::SessionRunner runner(spec, *esc::boxes_of(*engine));
  runner.attach(occupancy);
  runner.attach(blocked);
  const auto result = runner.run(0);
  CHECK(occupancy.cycles() == result.cycles);
  CHECK(blocked.alone > 5000);
  CHECK(blocked.wrong == 0);
}
