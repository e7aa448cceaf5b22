// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>

#include "bench/report.hpp"
#include "support/all_engines.hpp"

namespace muster::verif {

TEST_CASE("with all engines everything is measured", "[rtl][bench]") {
  fabric::EngineRegistry engines = test::all_engines();
  const bench::Report report =
      bench::measure_all({.engines = &engines, .quick = true, .progress = {}});
  CHECK(report.omitted.empty());
  REQUIRE(report.machine.tools.size() == 1);
  CHECK(report.machine.tools[0].find("rtl: Verilator 5") == 0);

  std::map<std::string, bench::Measure> by_id;
  for (const bench::Measure& m : report.measures) by_id[m.id] = m;
  CHECK(by_id.size() == report.measures.size());
  for (const char* id : {"rtl_sw8_time", "rtl_sw8v1_time", "golden_speedup", "lockstep_cost",
                         "quiescent_cost", "scaling", "golden_mesh_flit_hops"}) {
    CAPTURE(id);
    REQUIRE(by_id.count(id) == 1);
    CHECK(by_id[id].value > 0.0);
  }
  // What does not depend on the machine is exact even in a short run.
  for (const char* id : {"barrier_hop_L1", "barrier_hop_L2", "barrier_hop_L4", "data_hop_L1",
                         "data_hop_L2", "data_hop_L4"}) {
    CAPTURE(id);
    CHECK(by_id.at(id).met());
    CHECK(by_id.at(id).note.find("rtl") == 0);
  }
  CHECK(by_id.count("harness_cost") == 1);
  CHECK(by_id.count("checkers_cost") == 1);
  CHECK(by_id.count("golden_checkers_cost") == 1);
  CHECK(by_id.count("assertions_cost") == 1);
}

}  // namespace muster::verif
