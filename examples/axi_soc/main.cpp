// SPDX-License-Identifier: Apache-2.0
// Two hosts set up a switch and two endpoints by AXI4-Lite, meet at a barrier by one store each,
// with the OR of what they bring, and send a packet. Prints what happens, by cycle; exit status 1
// if it is not what must happen.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Vaxi_soc.h"
#include "muster_registers.h"
#include "verilated.h"

namespace {

constexpr std::uint32_t kGroup = 5, kReleased = MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED_MASK,
                        kWaiting = MUSTER_ENDPOINT_GROUPS_STATUS_WAITING_MASK;
constexpr int kSwitch = 2;      // bus of the switch
constexpr int kLongest = 2000;  // cycles; all takes a fraction of that

Vaxi_soc top;
int now = 0;
bool wrong = false;
std::vector<std::uint16_t> received;
bool released[2];

void check(bool right, const char* what) {
  if (right) return;
  std::printf("axi_soc: wrong: %s\n", what);
  wrong = true;
}

/// One clock cycle; what comes out is looked at before the edge.
void cycle() {
  top.clk_i = 0;
  top.eval();
  if ((top.m_axis_tvalid_o & 2) != 0) {
    received.push_back(static_cast<std::uint16_t>(top.m_axis_tdata_o >> 16));
    std::printf("cycle %3d: endpoint 1 receives 0x%04x%s\n", now, received.back(),
                (top.m_axis_tlast_o & 2) != 0 ? ", the last beat" : "");
  }
  for (int n = 0; n < 2; ++n) {
    if ((top.irq_o >> n & 1) != 0 && !released[n]) {
      released[n] = true;
      std::printf("cycle %3d: host %d is interrupted, the barrier is complete\n", now, n);
    }
  }
  top.clk_i = 1;
  top.eval();
  if (++now > kLongest) {
    std::printf("axi_soc: still waiting in cycle %d\n", now);
    std::exit(1);
  }
}

/// Address and data at once, until both are accepted; then the response. `address` is that of a
/// word in the register map; the bus has addresses of bytes.
void write(int bus, std::uint32_t address, std::uint32_t word) {
  const int bit = 1 << bus;
  top.awvalid_i = top.wvalid_i = bit;
  top.awaddr_i = std::uint64_t{4 * address} << 16 * bus;
  top.wdata_i[bus] = word;
  while (top.awvalid_i != 0 || top.wvalid_i != 0) {
    top.eval();
    const bool aw = (top.awready_o & bit) != 0, w = (top.wready_o & bit) != 0;
    cycle();
    if (aw) top.awvalid_i = 0;
    if (w) top.wvalid_i = 0;
  }
  while ((top.bvalid_o & bit) == 0) cycle();
  check((top.bresp_o >> 2 * bus & 3) == 0, "response to a write");
  top.bready_i = bit;
  cycle();
  top.bready_i = 0;
}

std::uint32_t read(int bus, std::uint32_t address) {
  const int bit = 1 << bus;
  top.arvalid_i = bit;
  top.araddr_i = std::uint64_t{4 * address} << 16 * bus;
  cycle();  // nothing is under way, so it is accepted at once
  top.arvalid_i = 0;
  while ((top.rvalid_o & bit) == 0) cycle();
  check((top.rresp_o >> 2 * bus & 3) == 0, "response to a read");
  const std::uint32_t word = top.rdata_o[bus];
  top.rready_i = bit;
  cycle();
  top.rready_i = 0;
  return word;
}

/// If the group of an endpoint waits or is released.
std::uint32_t state(int n) {
  return read(n, MUSTER_ENDPOINT_GROUPS_STATUS(0)) & (kWaiting | kReleased);
}

/// Routes first, then the group: the switch is its root and turns messages round.
void bring_up() {
  top.rst_ni = 0;
  cycle();
  top.rst_ni = 1;
  // The switch sweeps its routing table: 16 entries, a cycle each.
  while (MUSTER_GET(MUSTER_SWITCH_NO_ROUTE_DROPS_SWEEPING,
                    read(kSwitch, MUSTER_SWITCH_NO_ROUTE_DROPS)) != 0) {
  }
  for (std::uint32_t d = 0; d < 2; ++d) write(kSwitch, MUSTER_SWITCH_ROUTES(d), 1u << d);
  write(kSwitch, MUSTER_SWITCH_BARRIER_CHILDREN(0), 0b011);
  write(kSwitch, MUSTER_SWITCH_BARRIER_CONTROL(0),
        MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_VALID, 1) |
            MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_TURN, 1) |
            MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_GID, kGroup));
  for (int n = 0; n < 2; ++n)
    write(n, MUSTER_ENDPOINT_GROUPS_CONTROL(0),
          MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER, 1) |
              MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ, 1) |
              MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_GID, kGroup));
}

/// A packet from endpoint 0 to endpoint 1.
void send(const std::vector<std::uint16_t>& beats) {
  for (std::size_t i = 0; i < beats.size(); ++i) {
    top.s_axis_tvalid_i = 1;
    top.s_axis_tdata_i = beats[i];
    top.s_axis_tlast_i = i + 1 == beats.size();
    top.s_axis_tdest_i = 1;
    bool taken = false;
    while (!taken) {
      top.eval();
      taken = (top.s_axis_tready_o & 1) != 0;
      cycle();
    }
  }
  top.s_axis_tvalid_i = 0;
}

}  // namespace

int main() {
  bring_up();
  const std::uint32_t brings[] = {0x21, 0x0C};
  for (int n = 0; n < 2; ++n) {
    std::printf("cycle %3d: host %d stores 0x%02x and arrives\n", now, n, brings[n]);
    write(n, MUSTER_ENDPOINT_GROUPS_ARRIVE(0), brings[n]);
    for (int i = 0; i < 10 && n == 0; ++i) cycle();  // the other host comes later
    if (n == 0) check(state(0) == kWaiting, "host 0 waits");
  }
  for (int i = 0; i < 10; ++i) cycle();
  for (int n = 0; n < 2; ++n) {
    check(state(n) == kReleased, "the host is released");
    const std::uint32_t result = read(n, MUSTER_ENDPOINT_GROUPS_RESULT(0));
    std::printf("cycle %3d: host %d reads the result 0x%02x\n", now, n, result);
    check(result == (brings[0] | brings[1]), "the OR of both");
  }
  const std::vector<std::uint16_t> beats = {0x1234, 0x5678, 0x9ABC};
  std::printf("cycle %3d: endpoint 0 sends %zu beats\n", now, beats.size());
  send(beats);
  for (int i = 0; i < 20; ++i) cycle();
  check(received == beats, "the packet");
  for (int n = 0; n < 2; ++n) check(read(n, MUSTER_ENDPOINT_DROPS) == 0, "nothing is dropped");
  return wrong ? 1 : 0;
}
