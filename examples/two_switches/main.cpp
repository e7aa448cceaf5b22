// SPDX-License-Identifier: Apache-2.0
// Brings two switches up, runs a barrier of their four nodes and sends a packet from node 0 to
// node 3. Prints what nodes receive, by cycle; exit status 1 if it is not what it must be.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "Vtwo_switches.h"
#include "muster_registers.h"
#include "verilated.h"

namespace {

constexpr int kNodes = 4, kCycles = 60;
constexpr std::uint32_t kGroup = 5;
constexpr std::uint32_t kValid = MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_VALID, 1) |
                                 MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_GID, kGroup);
constexpr std::uint32_t kTurn = MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_TURN, 1);
constexpr std::uint32_t kParent = MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_PARENT, 2);
constexpr std::uint8_t kTail = 1, kHead = 2, kSync = 4;
// Payload of a barrier message: {type, group, data}; type 0 is a reduction, 1 a distribution.
constexpr std::uint16_t kReduction = kGroup << 6, kDistribution = 1 << 14 | kGroup << 6;

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

void write(int target, std::uint32_t address, std::uint32_t word) {
  top.reg_valid_i = 1 << target;
  top.reg_write_i = 1;
  top.reg_addr_i = address;
  top.reg_wdata_i = word;
  edge();
  top.reg_valid_i = 0;
}

/// The order matters: routes before the first packet, the child mask before the group is valid.
void bring_up() {
  top.rst_ni = 0;
  edge();
  top.rst_ni = 1;
  for (int entry = 0; entry < 32; ++entry) edge();  // they sweep their tables: at least Dests
  for (int s = 0; s < 2; ++s) {
    for (std::uint32_t d = 0; d < kNodes; ++d) {
      const bool here = static_cast<int>(d / 2) == s;
      const std::uint32_t port = here ? d % 2 : 2;
      // An entry is a mask of ports, not a number: a packet for node d may leave through these.
      write(s, MUSTER_SWITCH_ROUTES(d), 1u << port);
    }
  }
  write(0, MUSTER_SWITCH_BARRIER_CHILDREN(0), 0b011);  // the nodes of switch 0
  write(0, MUSTER_SWITCH_BARRIER_CONTROL(0), kValid | kParent);
  // The nodes of switch 1, and switch 0. It is the root, so it reflects messages.
  write(1, MUSTER_SWITCH_BARRIER_CHILDREN(0), 0b111);
  write(1, MUSTER_SWITCH_BARRIER_CONTROL(0), kValid | kTurn);
}

}  // namespace

int main() {
  bring_up();
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
  if (received == expected) return 0;
  std::puts("two_switches: this is not what nodes must receive");
  return 1;
}
