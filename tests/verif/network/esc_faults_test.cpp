// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/fabric/engine_registry.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/systems/esc/scheme/esc_fixture.hpp"
#include "sim_cpp/systems/esc/scheme/fault_sweep.hpp"
#include "sim_cpp/systems/esc/scheme/fault_walk.hpp"
#include "systems/esc/blocks/box_factory.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

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
