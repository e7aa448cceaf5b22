// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"
#include "fabric/configurations.hpp"
#include "models/model_library.hpp"
#include "muster/core/bank.hpp"
#include "support/all_engines.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::verif {
namespace {

core::Replayable& replayable(bench::TrafficNetwork& network) {
  return *network.network().switches().replayable();
}

/// All outputs of both banks agree.
bool same_outputs(core::Bank& a, core::Bank& b) {
  for (std::uint32_t s = 0; s < a.blocks(); ++s) {
    if (a.wires(s).tx_valid != b.wires(s).tx_valid || a.wires(s).rx_back != b.wires(s).rx_back ||
        a.quiescent(s) != b.quiescent(s))
      return false;
    for (std::uint32_t p = 0; p < a.ports(); ++p)
      if ((a.wires(s).tx_valid >> p & 1) && a.tx(s, p) != b.tx(s, p)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("bare models given recorded inputs go through the states of the run", "[rtl][bench]") {
  const std::uint64_t seed = muster_seed();
  const char* config = GENERATE("sw8", "sw8v1");
  CAPTURE(config);
  const auto rtl = make_rtl_engine();
  const bench::Scenario scenario =
      bench::at_share_of_bound(bench::irregular(12, 24, seed), 0.8, seed);
  const bench::Variant variant{.engine = rtl, .config = run::configuration(config)};

  bench::TrafficNetwork recorded(scenario, variant), run(scenario, variant),
      bare(scenario, variant);
  replayable(recorded).start_recording();
  recorded.run(600);
  const auto recording = replayable(recorded).stop_recording();
  REQUIRE(recording->cycles() == 600);

  std::uint64_t sent = 0;
  for (std::uint64_t cycle = 0; cycle < 600; cycle += 50) {
    run.run(50);
    replayable(bare).replay(*recording, cycle, cycle + 50);
    CAPTURE(cycle);
    REQUIRE(same_outputs(run.network().switches(), bare.network().switches()));
    for (std::uint32_t s = 0; s < 12; ++s) sent += run.network().switches().wires(s).tx_valid != 0;
  }
  CHECK(sent > 0);
  CHECK(same_outputs(recorded.network().switches(), run.network().switches()));
}

TEST_CASE("bare NICs given recorded inputs go through the states of the run", "[rtl][nic]") {
  namespace regs = nic::registers;
  constexpr std::uint64_t kCycles = 400;
  const auto rtl = make_rtl_engine();
  const nic::NicConfig config = listed("nic", nic::nic_config).front();
  const auto make = [&] {
    auto bank = nic::nics_of(*rtl)->make_nics(config, 1, {});
    bank->write_register(0, regs::kAddress, regs::address_word(3, 0));
    bank->write_register(0, regs::connection(0), regs::connection_word(5));
    return bank;
  };
  const auto recorded = make(), bare = make();
  auto& recorder = *recorded->replayable();
  const std::uint32_t all[] = {0};
  std::uint64_t sent = 0;
  recorder.start_recording();
  for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    nic::HostWires& host = recorded->host(0);
    host.access = host.write = cycle % 40 == 0;
    host.address = regs::kSend;
    host.data = regs::send_word(5, 1, 7, static_cast<std::uint32_t>(cycle / 40));
    host.ready = cycle % 3 == 0;
    recorded->wires(0).tx_back = recorded->wires(0).tx_valid;
    recorded->clock(cycle, all);
    sent += recorded->wires(0).tx_valid;
  }
  const auto recording = recorder.stop_recording();
  bare->replayable()->replay(*recording, 0, kCycles);
  CHECK(sent >= nic::kNicFlits);
  CHECK(same_outputs(*recorded, *bare));
  for (std::uint32_t address = 0; address < 0x0b0; ++address) {
    CAPTURE(address);
    CHECK(recorded->read_register(0, address) == bare->read_register(0, address));
  }
}

TEST_CASE("a recording refuses a cycle in which blocks sleep", "[rtl][bench]") {
  const auto rtl = make_rtl_engine();
  const bench::Scenario scenario = bench::at_load(topology::generate_mesh(2, 2), 0.1, 1);
  bench::TrafficNetwork network(scenario,
                                {.engine = rtl, .config = run::configuration("sw5"), .skip = true});
  replayable(network).start_recording();
  CHECK_THROWS_AS(network.run(1000), InternalError);
}

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
    CHECK(by_id.at(id).value > 0.0);
  }
  // Through the RTL L + 1 and L + 3 cycles: exact even in a short run.
  for (const std::string way : {"barrier", "data"})
    for (const char* latency : {"1", "2", "4"}) {
      const bench::Measure& hop = by_id.at(way + "_hop_L" + latency);
      CAPTURE(hop.id);
      CHECK(hop.met());
      CHECK(hop.note.find("rtl") == 0);
    }
}

}  // namespace muster::verif
