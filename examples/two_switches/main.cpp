// SPDX-License-Identifier: Apache-2.0
// Brings two switches up by the driver of sw/, runs a barrier of their four nodes and sends a
// packet from node 0 to node 3. Prints what nodes receive, by cycle; exit status 1 if it is not
// what it must be.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "Vtwo_switches.h"
#include "muster.h"
#include "verilated.h"

namespace {

constexpr int kNodes = 4, kCycles = 60;
constexpr std::uint16_t kGroup = 5;
constexpr std::uint8_t kTail = 1, kHead = 2, kSync = 4;
// Payload of a barrier message: {type, group, data}; type 0 is a reduction, 1 a distribution.
constexpr std::uint16_t kReduction = kGroup << 6, kDistribution = 1 << 14 | kGroup << 6;
// What each switch is told of the group: its children, its parent port. Switch 1, which is the
// root, reflects messages; its children are nodes 2 and 3, and switch 0.
constexpr muster_group kGroups[] = {{kGroup, 0b011, 2, MUSTER_OPERATION_OR, false},
                                    {kGroup, 0b111, 0, MUSTER_OPERATION_OR, true}};

struct Flit {
  int cycle, node;
  std::uint8_t kind;
  std::uint16_t payload;
  bool operator==(const Flit&) const = default;
};

Vtwo_switches top;

void edge() {
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

/// An access to the register port of a switch, whose number is the context. Takes a cycle, in which
/// a read is answered; a write is done in the one after.
std::uint32_t access(const void* sw, bool write, std::uint32_t address, std::uint32_t word) {
  const int number = *static_cast<const int*>(sw);
  top.reg_valid_i = 1 << number;
  top.reg_write_i = write;
  top.reg_addr_i = address;
  top.reg_wdata_i = word;
  top.clk_i = 0;
  top.eval();
  const auto answer = static_cast<std::uint32_t>(top.reg_rdata_o >> 32 * number);
  edge();
  top.reg_valid_i = 0;
  if (write) edge();
  return answer;
}
std::uint32_t read(void* sw, std::uint32_t address) { return access(sw, false, address, 0); }
void write(void* sw, std::uint32_t address, std::uint32_t word) { access(sw, true, address, word); }

/// The order matters: docs/how-to/driver.md.
muster_status bring_up(muster_switch (&switches)[2]) {
  static int numbers[] = {0, 1};
  top.rst_ni = 0;
  edge();
  top.rst_ni = 1;
  muster_status status = MUSTER_OK;
  for (int s = 0; s < 2 && status == MUSTER_OK; ++s) {
    muster_switch* const sw = &switches[s];
    const muster_bus bus = {read, write, &numbers[s], 0};
    // An entry is a mask of ports, not a number: a packet for node d may leave through these.
    muster_route routes[kNodes];
    for (int d = 0; d < kNodes; ++d)
      routes[d] = {static_cast<std::uint32_t>(d), muster_port(d / 2 == s ? d % 2 : 2)};
    status = muster_switch_open(sw, &bus);
    if (status == MUSTER_OK) status = muster_switch_wait_ready(sw, 100);
    if (status == MUSTER_OK) status = muster_switch_write_routes(sw, routes, kNodes);
    if (status == MUSTER_OK) status = muster_group_create(sw, 0, &kGroups[s]);
  }
  return status;
}

}  // namespace

int main() {
  muster_switch switches[2];
  if (const muster_status status = bring_up(switches); status != MUSTER_OK) {
    std::printf("two_switches: %s\n", muster_status_text(status));
    return 1;
  }
  const std::vector<Flit> sent = {
      {1, 0, kSync, kReduction},  {4, 1, kSync, kReduction}, {5, 2, kSync, kReduction},
      {20, 3, kSync, kReduction}, {30, 0, kHead, 3},         {31, 0, 0, 0x1234},
      {32, 0, kTail, 0x5678},
  };
  const std::vector<Flit> expected = {
      {22, 2, kSync, kDistribution},
      {22, 3, kSync, kDistribution},
      {24, 0, kSync, kDistribution},
      {24, 1, kSync, kDistribution},
      {38, 3, kHead, 3},
      {39, 3, 0, 0x1234},
      {40, 3, kTail, 0x5678},
  };
  std::vector<Flit> received;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    top.node_valid_i = 0;
    top.node_credit_i = 0;
    for (const Flit& flit : sent) {
      if (flit.cycle != cycle) continue;
      top.node_valid_i |= 1 << flit.node;
      top.node_kind_i = flit.kind << 3 * flit.node;  // 3 bits a node
      top.node_payload_i = std::uint64_t{flit.payload} << 16 * flit.node;
    }
    for (int n = 0; n < kNodes; ++n) {
      if ((top.node_valid_o >> n & 1) == 0) continue;
      const Flit flit{cycle, n, static_cast<std::uint8_t>(top.node_kind_o >> 3 * n & 7),
                      static_cast<std::uint16_t>(top.node_payload_o >> 16 * n)};
      std::printf("cycle %2d: node %d receives kind %d, payload 0x%04x\n", cycle, n, flit.kind,
                  flit.payload);
      received.push_back(flit);
      // A node takes each flit at once. A barrier message has taken no credit.
      if ((flit.kind & kSync) == 0) top.node_credit_i |= 1 << n;
    }
    edge();
  }
  bool dropped = false;
  muster_switch_counts counts;
  for (const muster_switch& sw : switches) dropped |= muster_switch_read_counts(&sw, &counts);
  if (received == expected && !dropped) return 0;
  std::puts("two_switches: this is not what nodes must receive, or something was dropped");
  return 1;
}
