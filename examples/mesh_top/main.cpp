// SPDX-License-Identifier: Apache-2.0
// The hosts of a 2 x 2 mesh that `muster topo export` has written, by the driver of sw/: each joins
// the group that is in the image, they meet at two barriers, and node 0 sends node 3 a packet.
// Prints what happens, by cycle; exit status 1 if it is not what must happen.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Vmuster_mesh.h"
#include "muster.h"
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

/// The driver's access to the register port of a node, whose number is the context: address and
/// data at once, until both are accepted; then the response. The bus has addresses of bytes.
void write(void* context, std::uint32_t word, std::uint32_t value) {
  const int node = *static_cast<const int*>(context), bit = 1 << node;
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
  top.node_bready_i = bit;
  cycle();
  top.node_bready_i = 0;
}

std::uint32_t read(void* context, std::uint32_t word) {
  const int node = *static_cast<const int*>(context), bit = 1 << node;
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

/// All arrive, the last one a while after the others, and get the OR of what they bring. Each takes
/// its interrupt back, so that the next one is that of the next barrier.
void barrier(const std::vector<muster_member>& members, const std::vector<std::uint32_t>& brings) {
  std::uint32_t all = 0, result = 0;
  for (int n = 0; n < kNodes; ++n) {
    if (n == kNodes - 1) {
      for (int i = 0; i < 30; ++i) cycle();
      check(top.irq_o == 0, "no member is released before all have arrived");
    }
    std::printf("cycle %4d: host %d brings 0x%02x and arrives\n", now, n, brings[n]);
    check(muster_arrive(&members[n], brings[n]) == MUSTER_OK, "an arrival");
    all |= brings[n];
  }
  for (const muster_member& member : members) {
    check(muster_wait(&member, kLongest, &result) == MUSTER_OK, "the release");
    check(result == all && muster_acknowledge(&member) == MUSTER_OK, "the OR of all");
  }
  std::printf("cycle %4d: all have read the result 0x%02x\n", now, result);
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

  int numbers[kNodes];
  muster_endpoint endpoints[kNodes];
  muster_endpoint_group places[kNodes];
  std::vector<muster_member> members(kNodes);
  for (int n = 0; n < kNodes; ++n) {
    numbers[n] = n;
    const muster_bus bus = {read, write, &numbers[n], 0};
    check(muster_endpoint_open(&endpoints[n], &bus) == MUSTER_OK, "an endpoint");
    check(muster_endpoint_join(&places[n], &endpoints[n], 0, kGroup, &members[n]) == MUSTER_OK &&
              muster_interrupt(&members[n], true) == MUSTER_OK,
          "a member");
  }
  barrier(members, {0x01, 0x02, 0x04, 0x20});
  barrier(members, {0x08, 0x00, 0x10, 0x00});

  const std::vector<std::uint16_t> beats = {0x1234, 0x5678, 0x9ABC};
  std::printf("cycle %4d: node 0 sends %zu beats\n", now, beats.size());
  send(beats);
  for (int i = 0; i < 40; ++i) cycle();
  check(received == beats, "the packet");
  muster_endpoint_counts drops;
  for (const muster_endpoint& endpoint : endpoints)
    check(!muster_endpoint_read_counts(&endpoint, &drops), "nothing is dropped");
  return wrong ? 1 : 0;
}
