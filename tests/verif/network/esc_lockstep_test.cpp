// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/run/run.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/session.hpp"

using namespace muster;
using namespace muster::test;

namespace {

/// A batch must not depend on the engine, and lockstep has to have compared something.
void same_on_all_engines(esc::Spec spec) {
  CAPTURE(spec.pes, spec.box.size, spec.box.depth, spec.rate, esc::policy_name(spec), spec.seed);
  const esc::BatchResult golden = run_golden(spec);
  const esc::BatchResult rtl = esc::run_batch(spec, *verif::make_rtl_engine());
  const esc::BatchResult both = esc::run_batch(spec, *verif::make_lockstep_engine());
  CHECK(rtl.digest == golden.digest);
  CHECK(both.digest == golden.digest);
  CHECK(rtl.mu_syn.mean == golden.mu_syn.mean);
  CHECK(both.violations == 0);
  CHECK(rtl.comparisons == 0);
  CHECK(both.comparisons >= both.box_cycles * (2 * spec.box.size + 1));
}

/// The most packets that a buffer of the output stage held.
struct Fullest final : esc::Observer {
  explicit Fullest(const esc::Spec& spec)
      : pes(spec.pes), counts(esc::Cube(spec.pes, spec.box.size), spec.stages(), 0) {}
  void start(const esc::SessionPlan&) override { counts.start(); }
  void observe(const esc::CycleView& view) override {
    for (std::uint32_t link = 0; link < pes; ++link) packets = std::max(packets, counts.fill(link));
    counts.clock(view);
  }
  std::uint32_t pes;
  esc::BufferCounts counts;
  std::uint32_t packets = 0;
};

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

TEST_CASE("buffers of 64 packets fill and drain in lockstep", "[lockstep][esc]") {
  esc::Spec spec = small_spec(256, 4, "bypass");
  spec.box.depth = 64;
  spec.mean = 150;
  spec.rate = 0.6;
  const auto engine = verif::make_lockstep_engine();
  esc::SessionRunner both(spec, *esc::boxes_of(*engine));
  const auto reference = run::make_golden_engine();
  esc::SessionRunner golden(spec, *esc::boxes_of(*reference));
  Fullest fullest(spec);
  both.attach(fullest);
  CHECK(both.run(0) == golden.run(0));
  CHECK(both.comparisons() > 0);
  // Full: one leaves in every cycle, and what leaves makes room from the next cycle on.
  CHECK(fullest.packets == 63);
}

TEST_CASE("every box size and policy gives the same on all engines", "[lockstep][esc]") {
  for (const auto& [pes, n, depth] :
       {std::tuple{16u, 2u, 4u}, {64u, 4u, 12u}, {64u, 8u, 12u}, {8u, 8u, 12u}}) {
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"})
      for (const double rate : {0.2, 0.8}) {
        esc::Spec spec = small_spec(pes, n, policy);
        spec.box.depth = depth;
        spec.rate = rate;
        spec.release = rate > 0.5 ? esc::Release::kNetwork : esc::Release::kDirect;
        same_on_all_engines(spec);
      }
  }
}

TEST_CASE("schemes of others give the same on all engines", "[lockstep][esc]") {
  for (const auto& [pes, n, depth] : {std::tuple{16u, 2u, 4u}, {16u, 4u, 4u}, {64u, 4u, 12u}}) {
    for (const char* policy : {"throttle:2", "adaptive", "combining"}) {
      esc::Spec spec = small_spec(pes, n, policy);
      spec.box.depth = depth;
      spec.rate = 0.6;
      spec.hot_spots = n == 2 ? 2 : 1;
      same_on_all_engines(spec);
    }
  }
}

TEST_CASE("what PEs inject is compared at every PE, in every cycle", "[lockstep][esc]") {
  for (const auto& [pes, n, depth] : {std::tuple{16u, 2u, 4u}, {64u, 4u, 12u}, {8u, 8u, 12u}}) {
    for (const char* policy : {"throttle:2", "adaptive", "hot-section:auto"}) {
      esc::Spec spec = small_spec(pes, n, policy);
      spec.box.depth = depth;
      spec.rate = 0.9;
      spec.rate_change = {.cycle = 210, .rate = 0.5};
      spec.release = esc::Release::kNetwork;
      same_on_all_engines(spec);
      const esc::BatchResult both = esc::run_batch(spec, *verif::make_lockstep_engine());
      // Boxes: two outputs a port and one more. PEs: at least the offer, whether the head leaves,
      // the sections. Nothing is offered or compared at PEs while the network is drained.
      const std::uint64_t boxes = both.box_cycles * (2 * n + 1);
      CHECK(both.comparisons > boxes + 3 * pes * both.cycles / 2);
    }
  }
}

TEST_CASE("a box that is not built is an error that names those that are", "[lockstep][esc]") {
  esc::Spec spec = small_spec(16, 4, "bypass");
  spec.box.depth = 63;
  CHECK_THROWS_WITH(esc::run_batch(spec, *verif::make_rtl_engine()),
                    Catch::Contains("--box 4 --buffer 12") && Catch::Contains("golden"));
}

using namespace muster::esc;

namespace {

void sweep_rtl(std::uint32_t pes, std::uint32_t n, std::size_t at_most) {
  Rng rng(muster_seed());
  const auto engine = verif::make_rtl_engine();
  sweep_faults(*esc::boxes_of(*engine), {.size = n, .depth = 4}, pes,
               some_faults(esc::Cube(pes, n), at_most, rng));
}

}  // namespace

TEST_CASE("packets pass Verilated boxes of which any one part is dead", "[rtl][esc][faults]") {
  sweep_rtl(8, 2, 10000);
  sweep_rtl(16, 2, 10000);
  sweep_rtl(64, 2, 60);
  sweep_rtl(64, 4, 60);
}

TEST_CASE("packets pass 64 PEs of Verilated boxes with any one part dead",
          "[rtl][esc][faults][soak]") {
  sweep_rtl(64, 2, 10000);
  sweep_rtl(64, 4, 10000);
}

TEST_CASE("packets pass 256 PEs of Verilated boxes with any one part dead",
          "[rtl][esc][faults][soak]") {
  sweep_rtl(256, 4, 10000);
}

TEST_CASE("sessions around a fault are the same on all engines", "[lockstep][esc][faults]") {
  for (const char* fault : {"box:2:1", "box:0:3", "link:4:5", "link:2:9", "bypass:3:7"}) {
    esc::Spec spec = small_spec(64, 4, "hot-section:4");
    spec.box.depth = 12;
    spec.sessions = 1;
    spec.release = esc::Release::kNetwork;
    spec.faults = {esc::fault_named(fault)};
    CAPTURE(fault);
    const esc::BatchResult both = esc::run_batch(spec, *verif::make_lockstep_engine());
    CHECK(both.digest == run_golden(spec).digest);
    CHECK(both.violations == 0);
    CHECK(both.comparisons > 0);
  }
}
