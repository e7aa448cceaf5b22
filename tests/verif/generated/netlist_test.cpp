// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstring>
#include <deque>

#include "Vmuster_pair.h"
#include "Vmuster_pair_netlist.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"
#include "verif/generated/traffic.hpp"

using namespace muster;
using namespace muster::test;

namespace {

#define MUSTER_INPUTS(with)                                                                       \
  with(node_awvalid_i) with(node_awaddr_i) with(node_wvalid_i) with(node_wdata_i)                 \
      with(node_wstrb_i) with(node_bready_i) with(node_arvalid_i) with(node_araddr_i)             \
          with(node_rready_i) with(s_axis_tvalid_i) with(s_axis_tdata_i) with(s_axis_tlast_i)     \
              with(s_axis_tid_i) with(s_axis_tdest_i) with(s_axis_tuser_i) with(m_axis_tready_i)  \
                  with(ctl_awvalid_i) with(ctl_awaddr_i) with(ctl_wvalid_i) with(ctl_wdata_i)     \
                      with(ctl_wstrb_i) with(ctl_bready_i) with(ctl_arvalid_i) with(ctl_araddr_i) \
                          with(ctl_rready_i)

void copy_inputs(const Vmuster_pair& from, Vmuster_pair_netlist& to) {
#define MUSTER_COPY(port) std::memcpy(&to.port, &from.port, sizeof(to.port));
  MUSTER_INPUTS(MUSTER_COPY)
#undef MUSTER_COPY
}

/// What is valid, and all handshakes.
void compare_outputs(const Vmuster_pair& a, const Vmuster_pair_netlist& b) {
  REQUIRE(a.ready_o == b.ready_o);
  REQUIRE(a.irq_o == b.irq_o);
  REQUIRE(a.ctl_arready_o == b.ctl_arready_o);
  REQUIRE(a.ctl_rvalid_o == b.ctl_rvalid_o);
  if (a.ctl_rvalid_o) {
    REQUIRE(a.ctl_rdata_o == b.ctl_rdata_o);
    REQUIRE(a.ctl_rresp_o == b.ctl_rresp_o);
  }
  REQUIRE(a.node_awready_o == b.node_awready_o);
  REQUIRE(a.node_wready_o == b.node_wready_o);
  REQUIRE(a.node_bvalid_o == b.node_bvalid_o);
  REQUIRE(a.node_arready_o == b.node_arready_o);
  REQUIRE(a.node_rvalid_o == b.node_rvalid_o);
  REQUIRE(a.s_axis_tready_o == b.s_axis_tready_o);
  REQUIRE(a.m_axis_tvalid_o == b.m_axis_tvalid_o);
  for (unsigned n = 0; n < 4; ++n) {
    if (element(a.node_rvalid_o, n, 1) != 0)
      REQUIRE(element(a.node_rdata_o, n, 32) == element(b.node_rdata_o, n, 32));
    if (element(a.m_axis_tvalid_o, n, 1) == 0) continue;
    REQUIRE(element(a.m_axis_tdata_o, n, 16) == element(b.m_axis_tdata_o, n, 16));
    REQUIRE(element(a.m_axis_tdest_o, n, 16) == element(b.m_axis_tdest_o, n, 16));
    REQUIRE(element(a.m_axis_tlast_o, n, 1) == element(b.m_axis_tlast_o, n, 1));
  }
}

}  // namespace

TEST_CASE("the netlist of a generated network does what the network does", "[generated][soak]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  // In this order: Verilator 5.006 takes the scopes of a model, which the netlist has none of, from
  // the context that was made last.
  Clocked<Vmuster_pair_netlist> netlist(seed + 1);
  Clocked<Vmuster_pair> rtl(seed);
  const std::vector<run::RunGroup> groups = {{"all", {0, 1, 2, 3}}};
  PacketLog log;
  std::deque<Program<Vmuster_pair>> programs;
  std::deque<Traffic<Vmuster_pair>> traffic;
  for (unsigned n = 0; n < 4; ++n) {
    programs.emplace_back(*rtl, n, groups, 100, seed);
    traffic.emplace_back(*rtl, n, 4, 1, log, seed);
  }
  rtl->ctl_awvalid_i = rtl->ctl_wvalid_i = 0;
  copy_inputs(*rtl, *netlist);
  rtl.reset();
  netlist.reset();
  Rng rng(seed);
  bool done = false;
  int cycle = 0;
  for (; !done && cycle < 100'000; ++cycle) {
    CAPTURE(cycle);
    done = true;
    for (auto& program : programs) {
      program.step();
      program.host.drive();
      done = done && program.done();
    }
    for (auto& each : traffic) each.drive();
    // Words of switches, routes not among them: a table cannot be read.
    rtl->ctl_arvalid_i = rng.below(4) == 0;
    rtl->ctl_araddr_i = static_cast<std::uint16_t>(rng.below(2) << 14 | rng.below(0x60) << 2);
    rtl->ctl_rready_i = rng.below(2) != 0;
    copy_inputs(*rtl, *netlist);
    rtl.settle();
    netlist.settle();
    compare_outputs(*rtl, *netlist);
    for (auto& program : programs) program.host.see();
    for (auto& each : traffic) each.see();
    rtl.edge();
    netlist.edge();
  }
  CHECK(done);
  CHECK(log.received.size() == 12);
}
