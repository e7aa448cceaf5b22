// SPDX-License-Identifier: Apache-2.0
// The hosts of a 2 x 2 mesh that `muster topo export` has written: each joins the group that is in
// the image, they meet at two barriers, and node 0 sends node 3 a packet. Prints what happens, by
// cycle; exit status 1 if it is not what must happen.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Vmuster_mesh.h"
#include "muster_registers.h"
#include "verilated.h"

namespace {

constexpr int kNodes = 4, kGroup = 0;  // the first --group has identifier 0
constexpr int kNodeAddressBits = 14;   // of node_awaddr_i
constexpr int kLongest = 3000;         // cycles; all takes a fraction of that

Vmuster_mesh top;
int now = 0;
bool wrong = false;
std::vector<std::uint16_t> received;
std::uint32_t interrupts = 0;

void check(bool right, const char* what) {
  if (right) return;
  std::printf("mesh_top: wrong: %s\n", what);
  wrong = true;
}

/// One clock cycle; what comes out is looked at before the edge.
void cycle() {
  top.clk_i = 0;
  top.eval();
  if ((top.m_axis_tvalid_o >> 3 & 1) != 0) {
    received.push_back(static_cast<std::uint16_t>(top.m_axis_tdata_o >> 48));
    std::printf("cycle %4d: node 3 receives 0x%04x%s\n", now, received.back(),
                (top.m_axis_tlast_o >> 3 & 1) != 0 ? ", the last beat" : "");
  }
  for (int n = 0; n < kNodes; ++n)
    if ((top.irq_o >> n & 1) != 0 && (interrupts >> n & 1) == 0)
      std::printf("cycle %4d: host %d is interrupted, the barrier is complete\n", now, n);
  interrupts = top.irq_o;
  top.clk_i = 1;
  top.eval();
  if (++now > kLongest) {
    std::printf("mesh_top: still waiting in cycle %d\n", now);
    std::exit(1);
  }
}

/// Address and data at once, until both are accepted; then the response. `word` is an address of
/// the register map; the bus has addresses of bytes.
void write(int node, std::uint32_t word, std::uint32_t value) {
  const int bit = 1 << node;
  top.node_awvalid_i = top.node_wvalid_i = bit;
  top.node_awaddr_i = std::uint64_t{4 * word} << kNodeAddressBits * node;
  top.node_wdata_i[node] = value;
  top.node_wstrb_i = 15 << 4 * node;
  while (top.node_awvalid_i != 0 || top.node_wvalid_i != 0) {
    top.eval();
    const bool aw = (top.node_awready_o & bit) != 0, w = (top.node_wready_o & bit) != 0;
    cycle();
    if (aw) top.node_awvalid_i = 0;
    if (w) top.node_wvalid_i = 0;
  }
  while ((top.node_bvalid_o & bit) == 0) cycle();
  check((top.node_bresp_o >> 2 * node & 3) == 0, "response to a write");
  top.node_bready_i = bit;
  cycle();
  top.node_bready_i = 0;
}

std::uint32_t read(int node, std::uint32_t word) {
  const int bit = 1 << node;
  top.node_arvalid_i = bit;
  top.node_araddr_i = std::uint64_t{4 * word} << kNodeAddressBits * node;
  cycle();  // nothing is under way, so it is accepted at once
  top.node_arvalid_i = 0;
  while ((top.node_rvalid_o & bit) == 0) cycle();
  const std::uint32_t value = top.node_rdata_o[node];
  top.node_rready_i = bit;
  cycle();
  top.node_rready_i = 0;
  return value;
}

/// A word of a switch, whose window begins at `s` times 4096 words.
std::uint32_t read_switch(std::uint32_t s, std::uint32_t word) {
  top.ctl_arvalid_i = 1;
  top.ctl_araddr_i = 4 * (4096 * s + word);
  cycle();
  top.ctl_arvalid_i = 0;
  while (top.ctl_rvalid_o == 0) cycle();
  const std::uint32_t value = top.ctl_rdata_o;
  top.ctl_rready_i = 1;
  cycle();
  top.ctl_rready_i = 0;
  return value;
}

/// All arrive, the last one a while after the others, and get the OR of what they bring. Each takes
/// its interrupt back, so that the next one is that of the next barrier.
void barrier(const std::uint32_t (&brings)[kNodes]) {
  std::uint32_t all = 0;
  for (int n = 0; n < kNodes; ++n) {
    if (n == kNodes - 1) {
      for (int i = 0; i < 30; ++i) cycle();
      check(top.irq_o == 0, "no member is released before all have arrived");
    }
    std::printf("cycle %4d: host %d stores 0x%02x and arrives\n", now, n, brings[n]);
    write(n, MUSTER_ENDPOINT_GROUPS_ARRIVE(0), brings[n]);
    all |= brings[n];
  }
  while (top.irq_o != (1 << kNodes) - 1) cycle();
  for (int n = 0; n < kNodes; ++n) {
    const std::uint32_t result = read(n, MUSTER_ENDPOINT_GROUPS_RESULT(0));
    std::printf("cycle %4d: host %d reads the result 0x%02x\n", now, n, result);
    check(result == all, "the OR of all");
    write(n, MUSTER_ENDPOINT_GROUPS_STATUS(0), MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED_MASK);
  }
}

void send(const std::vector<std::uint16_t>& beats) {
  for (std::size_t i = 0; i < beats.size(); ++i) {
    top.s_axis_tvalid_i = 1;
    top.s_axis_tdata_i = beats[i];
    top.s_axis_tlast_i = i + 1 == beats.size();
    top.s_axis_tdest_i = 3;
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
  top.m_axis_tready_i = (1 << kNodes) - 1;
  top.rst_ni = 0;
  cycle();
  top.rst_ni = 1;
  while (top.ready_o == 0) cycle();
  std::printf("cycle %4d: the switches have routes and group\n", now);

  // What the image has put there, seen by a host: the root switch reflects messages.
  const std::uint32_t control = read_switch(0, MUSTER_SWITCH_BARRIER_CONTROL(0));
  check((control & MUSTER_SWITCH_BARRIER_CONTROL_VALID_MASK) != 0, "switch 0 has the group");
  check((control & MUSTER_SWITCH_BARRIER_CONTROL_TURN_MASK) != 0, "switch 0 is its root");

  for (int n = 0; n < kNodes; ++n)
    write(n, MUSTER_ENDPOINT_GROUPS_CONTROL(0),
          MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER, 1) |
              MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ, 1) |
              MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_GID, kGroup));
  barrier({0x01, 0x02, 0x04, 0x20});
  barrier({0x08, 0x00, 0x10, 0x00});

  const std::vector<std::uint16_t> beats = {0x1234, 0x5678, 0x9ABC};
  std::printf("cycle %4d: node 0 sends %zu beats\n", now, beats.size());
  send(beats);
  for (int i = 0; i < 40; ++i) cycle();
  check(received == beats, "the packet");
  for (int n = 0; n < kNodes; ++n) check(read(n, MUSTER_ENDPOINT_DROPS) == 0, "nothing is dropped");
  return wrong ? 1 : 0;
}
