// SPDX-License-Identifier: Apache-2.0
// Two hosts set up a switch and two endpoints by AXI4-Lite, meet at a barrier by one store each,
// with the OR of what they bring, and send a packet. Prints what happens, by cycle; exit status 1
// if it is not what must happen.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "Vaxi_soc.h"
#include "verilated.h"

namespace {

// Byte addresses: four times the word addresses of the register maps.
constexpr std::uint32_t kRoutes = 4 * 0x800, kSwitchControl = 4 * 0x040, kChildren = 4 * 0x041;
constexpr std::uint32_t kControl = 4 * 0x040, kArrive = 4 * 0x041, kStatus = 4 * 0x042,
                        kResult = 4 * 0x043, kDrops = 4 * 0x010;
constexpr std::uint32_t kValid = 1u << 31, kTurn = 1u << 30, kMember = 1u << 31, kIrq = 1u << 30;
constexpr std::uint32_t kReleased = 2, kGroup = 5;
constexpr int kSwitch = 2;  // bus of the switch

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
  ++now;
}

/// Address and data at once, until both are accepted; then the response.
void write(int bus, std::uint32_t address, std::uint32_t word) {
  const int bit = 1 << bus;
  top.awvalid_i = top.wvalid_i = bit;
  top.awaddr_i = std::uint64_t{address} << 16 * bus;
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
  top.araddr_i = std::uint64_t{address} << 16 * bus;
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

/// Routes first, then the group: the switch is its root and turns messages round.
void bring_up() {
  top.rst_ni = 0;
  cycle();
  top.rst_ni = 1;
  for (std::uint32_t d = 0; d < 16; ++d) write(kSwitch, kRoutes + 4 * d, d < 2 ? 1u << d : 0);
  write(kSwitch, kChildren, 0b011);
  write(kSwitch, kSwitchControl, kValid | kTurn | kGroup);
  for (int n = 0; n < 2; ++n) write(n, kControl, kMember | kIrq | kGroup);
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
    write(n, kArrive, brings[n]);
    for (int i = 0; i < 10 && n == 0; ++i) cycle();  // the other host comes later
    if (n == 0) check((read(0, kStatus) & 3) == 1, "host 0 waits");
  }
  for (int i = 0; i < 10; ++i) cycle();
  for (int n = 0; n < 2; ++n) {
    check((read(n, kStatus) & 3) == kReleased, "the host is released");
    const std::uint32_t result = read(n, kResult);
    std::printf("cycle %3d: host %d reads the result 0x%02x\n", now, n, result);
    check(result == (brings[0] | brings[1]), "the OR of both");
  }
  const std::vector<std::uint16_t> beats = {0x1234, 0x5678, 0x9ABC};
  std::printf("cycle %3d: endpoint 0 sends %zu beats\n", now, beats.size());
  send(beats);
  for (int i = 0; i < 20; ++i) cycle();
  check(received == beats, "the packet");
  check(read(0, kDrops) == 0 && read(1, kDrops) == 0, "nothing is dropped");
  return wrong ? 1 : 0;
}
