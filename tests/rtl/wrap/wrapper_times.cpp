// SPDX-License-Identifier: Apache-2.0
// wrapper_times: how many cycles the wrappers take with nothing in the way, measured on their
// models, for scripts/measure. A line is the wrapper, from when, until when and the cycles,
// with tabs between.
#include <cstdio>

#include "Vapb_few.h"
#include "Vaxi_lite_many.h"
#include "Vendpoint_v2.h"
#include "Vrelay_1.h"
#include "Vrelay_5.h"
#include "rtl/clocked.hpp"
#include "rtl/wrap/two_clocks.hpp"

using namespace muster::test;

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr unsigned kHead = 2, kTail = 1, kSync = 4;
constexpr unsigned kControl = 0x040, kArrive = 0x041, kMember = 1u << 31, kIrq = 1u << 30;
constexpr unsigned kGid = 7;
constexpr unsigned kRelease = 1u << 30 | kGid << 22;  // 32-bit flits

void say(const char* what, unsigned cycles) { std::printf("%s\t%u\n", what, cycles); }

[[noreturn]] void never(const char* what) {
  std::fprintf(stderr, "wrapper_times: %s: does not happen\n", what);
  std::exit(1);
}

/// From the cycle that has the inputs as they are until `seen`; `after` sets them for later cycles.
template <class Dut, class After, class Seen>
void measure(const char* what, Dut& dut, After after, Seen seen) {
  for (unsigned cycle = 0; cycle < 100; ++cycle) {
    dut.settle();
    if (seen()) return say(what, cycle);
    dut.edge();
    after(cycle);
  }
  never(what);
}

struct AxiLite : Clocked<Vaxi_lite_many> {
  AxiLite() : Clocked(kSeed) {
    auto& m = **this;
    m.awvalid_i = m.wvalid_i = m.arvalid_i = 0;
    m.bready_i = m.rready_i = 1;
    m.awaddr_i = m.araddr_i = 4 * kArrive;
    m.wdata_i = 0;
    m.wstrb_i = 15;
    reset();
  }
  void begin(bool write) { set(write, 1); }
  void end() { set(true, 0), set(false, 0); }

 private:
  void set(bool write, unsigned valid) {
    auto& m = **this;
    (write ? m.awvalid_i : m.arvalid_i) = valid;
    if (write) m.wvalid_i = valid;
  }
};

void axi_lite() {
  for (const bool write : {true, false}) {
    const std::string from = write ? "AXI4-Lite write\taccepted\t" : "AXI4-Lite read\taccepted\t";
    // Verilator 5.006 takes a model apart in the context that was made last: one model at a time.
    const auto until = [&](const char* what, bool once, auto seen) {
      AxiLite dut;
      dut.begin(write);
      bool before = true;
      measure((from + what).c_str(), dut,
              [&](unsigned) {
                before = false;
                if (once) dut.end();
              },
              [&] { return !before && seen(dut); });
    };
    until("on the register port", true, [](AxiLite& dut) { return dut->reg_valid_o; });
    until("response valid", true,
          [&](AxiLite& dut) { return write ? dut->bvalid_o : dut->rvalid_o; });
    until("next one accepted", false,
          [&](AxiLite& dut) { return write ? dut->awready_o : dut->arready_o; });
  }
}

void apb() {
  for (const bool write : {true, false}) {
    Clocked<Vapb_few> dut(kSeed);
    dut->psel_i = 0;
    dut->penable_i = 0;
    dut.reset();
    dut->psel_i = 1;
    dut->pwrite_i = write;
    dut->paddr_i = 0;
    dut->pstrb_i = 15;
    measure(
        write ? "APB write\tset up\ton the register port"
              : "APB read\tset up\ton the register port",
        dut, [&](unsigned) { dut->penable_i = 1; }, [&] { return dut->reg_valid_o; });
  }
}

struct Endpoint : Clocked<Vendpoint_v2> {
  Endpoint() : Clocked(kSeed) {
    auto& m = **this;
    m.s_axis_tvalid_i = m.reg_valid_i = m.tx_credit_i = m.rx_valid_i = 0;
    m.m_axis_tready_i = 1;
    m.s_axis_tdata_i = m.s_axis_tid_i = m.s_axis_tdest_i = m.s_axis_tuser_i = 0;
    m.s_axis_tlast_i = 1;
    reset();
    store(kControl, kMember | kIrq | kGid);
  }
  void begin(unsigned address, unsigned word) {
    auto& m = **this;
    m.reg_valid_i = m.reg_write_i = 1;
    m.reg_addr_i = address;
    m.reg_wdata_i = word;
  }
  void store(unsigned address, unsigned word) {
    begin(address, word);
    settle();
    edge();
    (*this)->reg_valid_i = 0;
  }
  void from_switch(unsigned kind, unsigned payload) {
    auto& m = **this;
    m.rx_valid_i = 1;
    m.rx_vc_i = 0;
    m.rx_kind_i = kind;
    m.rx_payload_i = payload;
  }
};

void endpoint() {
  {
    Endpoint dut;
    dut->s_axis_tvalid_i = 1;
    measure(
        "endpoint\tfirst beat waits\thead flit on the wires", dut, [](unsigned) {},
        [&] { return dut->tx_valid_o; });
  }
  {
    Endpoint dut;
    dut.from_switch(kHead, 0);
    measure(
        "endpoint\thead flit on the wires into it\tfirst beat valid", dut,
        [&](unsigned cycle) {
          dut->rx_valid_i = 0;
          if (cycle == 0) dut.from_switch(kTail, 0);
        },
        [&] { return dut->m_axis_tvalid_o; });
  }
  {
    Endpoint dut;
    dut.begin(kArrive, 0);
    measure(
        "endpoint\tstore on the register port\treduction message on the wires", dut,
        [&](unsigned) { dut->reg_valid_i = 0; }, [&] { return dut->tx_valid_o; });
  }
  Endpoint dut;
  dut.store(kArrive, 0);
  for (int i = 0; i < 5; ++i) dut.settle(), dut.edge();
  dut.from_switch(kSync, kRelease);
  measure(
      "endpoint\tdistribution message on the wires\tinterrupt", dut,
      [&](unsigned) { dut->rx_valid_i = 0; }, [&] { return dut->irq_o; });
}

/// Registers of an endpoint behind AXI4-Lite: what a store on the bus takes to the wires.
void store_over_axi() {
  AxiLite bus;
  {
    Endpoint node;
    struct Both {
      AxiLite& bus;
      Endpoint& node;
      void settle() {
        bus.settle();
        node->reg_valid_i = bus->reg_valid_o;
        node->reg_write_i = bus->reg_write_o;
        node->reg_addr_i = bus->reg_addr_o;
        node->reg_wdata_i = bus->reg_wdata_o;
        node.settle();
        bus->reg_rdata_i = node->reg_rdata_o;
        bus.settle();
      }
      void edge() { bus.edge(), node.edge(); }
    } both{bus, node};
    bus.begin(true);
    measure(
        "AXI4-Lite and endpoint\tstore accepted\treduction message on the wires", both,
        [&](unsigned) { bus.end(); }, [&] { return node->tx_valid_o; });
  }
  Verilated::threadContextp(bus->contextp());
}

template <class Model>
void relay(const char* flit, const char* credit) {
  for (const bool forward : {true, false}) {
    Clocked<Model> dut(kSeed);
    dut->rx_valid_i = dut->tx_credit_i = 0;
    dut.reset();
    (forward ? dut->rx_valid_i : dut->tx_credit_i) = 1;
    measure(
        forward ? flit : credit, dut, [&](unsigned) { dut->rx_valid_i = dut->tx_credit_i = 0; },
        [&] { return forward ? dut->tx_valid_o != 0 : dut->rx_credit_o != 0; });
  }
}

/// Clocks of one frequency, b half a period behind: edges of the receiving domain.
template <class Model>
void crossing(const char* flit, const char* credit) {
  for (const bool forward : {true, false}) {
    TwoClocks<Model> dut(kSeed, {10000, 0, 0}, {10000, 5000, 0});
    dut->a_rst_ni = dut->b_rst_ni = 0;
    dut->a_rx_valid_i = dut->b_tx_credit_i = 0;
    unsigned edges = 0;
    bool sent = false, first = false, seen = false;
    for (unsigned i = 0; i < 400 && !seen; ++i) {
      dut.edge(
          [&](bool a, bool b) {
            const bool receives = forward ? b : a, sends = forward ? a : b;
            if (sent && receives) seen = forward ? dut->b_tx_valid_o : dut->a_rx_credit_o != 0;
            if (sent && sends) first = true;
            if (first && receives && !seen) ++edges;
          },
          [&](bool a, bool b) {
            if (i == 40) dut->a_rst_ni = dut->b_rst_ni = 1;
            if (!(forward ? a : b)) return;
            const bool now = i > 200 && !sent;
            if (forward)
              dut->a_rx_valid_i = now;
            else
              dut->b_tx_credit_i = now;
            sent = sent || now;
          });
    }
    if (!seen) never(forward ? flit : credit);
    say(forward ? flit : credit, edges);
  }
}

}  // namespace

int main() {
  axi_lite();
  apb();
  endpoint();
  store_over_axi();
  relay<Vrelay_1>("relay of 1 stage\tflit comes\tit leaves",
                  "relay of 1 stage\tcredit comes\tit leaves");
  relay<Vrelay_5>("relay of 5 stages\tflit comes\tit leaves",
                  "relay of 5 stages\tcredit comes\tit leaves");
  crossing<Vcdc_v1>(
      "clock crossing, `Stages` 2\tflit taken by an edge of a\ton the wires of b, edges of b",
      "clock crossing, `Stages` 2\tcredit taken by an edge of b\ton the wires of a, edges of a");
  crossing<Vcdc_v2>(
      "clock crossing, `Stages` 3\tflit taken by an edge of a\ton the wires of b, edges of b",
      "clock crossing, `Stages` 3\tcredit taken by an edge of b\ton the wires of a, edges of a");
  return 0;
}
