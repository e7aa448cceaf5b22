// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/session.hpp"

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/session_recording.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

SessionResult run_one(const Spec& spec, std::uint32_t session = 0) {
  return SessionRunner(spec, golden_boxes()).run(session);
}

}  // namespace

TEST_CASE("without background all synchronization messages are served back to back", "[esc]") {
  for (const auto& [pes, n] : kSizes)
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"}) {
      Spec spec = small_spec(pes, n, policy);
      spec.rate = 0;
      spec.sigma = 0;
      spec.box.depth = 64;
      CAPTURE(pes, n, policy);
      const SessionResult result = run_one(spec);
      CHECK(result.syn.messages == pes - 1);
      CHECK(result.syn.sum == (pes - 1) * (pes - 2) / 2);  // 0, 1, 2, ...
      CHECK(result.length == spec.stages().count(Cube(pes, n)) + pes - 2);
      CHECK(result.background.messages == 0);
      CHECK(result.packets == pes - 1);
    }
}

TEST_CASE("buffers of one that accept while they send serve the hot spot in every cycle", "[esc]") {
  for (const auto& [pes, n] : kSizes) {
    Spec spec = small_spec(pes, n, "bypass");
    spec.rate = 0;
    spec.sigma = 0;
    spec.box.depth = 1;
    CAPTURE(pes, n);
    const SessionResult ours = run_one(spec);
    spec.box.refill = true;
    const SessionResult refill = run_one(spec);
    CHECK(refill.syn.sum == std::uint64_t{pes - 1} * (pes - 2) / 2);  // 0, 1, 2, ...
    CHECK(ours.syn.sum > refill.syn.sum);
    spec.box.depth = 64;
    CHECK(run_one(spec).syn.sum == refill.syn.sum);
  }
}

TEST_CASE("the saturation tree reaches as far as buffers refuse, and less with larger ones",
          "[esc]") {
  Spec spec = small_spec(64, 4, "bypass");
  spec.rate = 0;
  spec.sigma = 0;
  spec.box.depth = 64;  // the coordinator's buffer takes all
  CHECK(run_one(spec).height == 0);
  std::uint64_t higher = 1000000;
  for (const std::uint32_t depth : {1u, 4u, 16u}) {
    spec.box.depth = depth;
    const SessionResult result = run_one(spec);
    CHECK(result.height > 0);
    CHECK(result.height < higher);
    CHECK(result.height <= 2 * result.length);  // two links between three stages
    higher = result.height;
  }
}

TEST_CASE("one section is isolated hot spot, bit for bit", "[esc]") {
  for (const double rate : {0.3, 0.7, 0.95}) {
    Spec hs = small_spec(64, 4, "isolated-hs");
    hs.rate = rate;
    Spec section = hs;
    set_policy(section, "hot-section:1");
    CHECK(run_one(hs) == run_one(section));
    set_policy(section, "hot-section:2");
    CHECK_FALSE(run_one(hs) == run_one(section));
  }
}

TEST_CASE("sessions do not depend on what ran before on the same network", "[esc]") {
  Spec spec = small_spec(16, 4, "hot-section:4");
  spec.rate = 0.8;
  SessionRunner runner(spec, golden_boxes());
  const SessionResult third = runner.run(3);
  runner.run(7);
  CHECK(runner.run(3) == third);
  CHECK(run_one(spec, 3) == third);
}

TEST_CASE("buffers counted on the links are full exactly where the model blocks", "[experiment]") {
  /// A single packet is blocked if and only if its output holds S packets.
  struct Blocked final : Observer {
    const Occupancy* occupancy;
    Cube cube{16, 4};
    std::uint64_t alone = 0, wrong = 0;
    void observe(const CycleView& view) override {
      for (std::size_t k = 0; k < view.rx.size(); ++k) {
        if (view.rx[k] == 0) continue;
        const auto stage = static_cast<unsigned>(k / 16);
        const std::uint32_t digit = cube.digit(tag_of(view.rx[k]), stage);
        unsigned baselines = 0;
        for (std::size_t p = k / 4 * 4; p < k / 4 * 4 + 4; ++p)
          baselines += view.rx[p] != 0 && cube.digit(tag_of(view.rx[p]), stage) == digit;
        if (baselines != 1) continue;
        ++alone;
        const auto box = static_cast<std::uint32_t>(k % 16 / 4);
        const unsigned held = occupancy->packets(view.cycle, stage, cube.link(stage, box, digit));
        wrong += (held < 2) != (view.rx_ready[k] != 0);
      }
    }
  } blocked;
  Spec spec = small_spec(16, 4, "isolated-hs");
  spec.box.depth = 2;
  spec.rate = 0.6;
  Occupancy occupancy(spec, 0, kNever - 1);
  blocked.occupancy = &occupancy;
  SessionRunner runner(spec, golden_boxes());
  runner.attach(occupancy);
  runner.attach(blocked);
  const auto result = runner.run(0);
  CHECK(occupancy.cycles() == result.cycles);
  CHECK(blocked.alone > 5000);
  CHECK(blocked.wrong == 0);
}
