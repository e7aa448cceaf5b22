// SPDX-License-Identifier: Apache-2.0
// How long a cycle of a Verilated switch takes that has PORTS links with VCS virtual channels,
// their numbers of VC_BITS bits, and BACK bits of credit each: packets of 8 flits to random nodes
// come in at a third of what the links carry, and all credits come back. Prints nanoseconds, the
// best of some rounds.
#include <verilated.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "models/ports.hpp"
#include HEADER
#include ROOT_HEADER

namespace {

using muster::verif::put_bits;

constexpr unsigned kLength = 8, kNodes = 64, kHead = 2, kTail = 1;

struct Input {
  unsigned left = 0, vc = 0, credits[VCS] = {};
};

void step(MODEL& m) {
  m.clk_i = 0;
  m.eval();
  m.clk_i = 1;
  m.eval();
}

}  // namespace

int main() {
  VerilatedContext context;
  context.assertOn(false);
  MODEL m{&context};
  m.reg_valid_i = 0;
  m.rst_ni = 0;
  for (int i = 0; i < 3; ++i) step(m);
  m.rst_ni = 1;
  for (int i = 0; i < 4096; ++i) step(m);
  for (unsigned node = 0; node < kNodes; ++node) {
    m.reg_valid_i = m.reg_write_i = 1;
    m.reg_addr_i = 0x800 + node;
    m.reg_wdata_i = 1u << node % PORTS;
    step(m);
  }
  m.reg_valid_i = 0;

  std::mt19937 random(1);
  Input inputs[PORTS];
  for (Input& in : inputs)
    for (unsigned& credits : in.credits) credits = 4;
  double best = 1e9;
  for (int round = 0; round < 6; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    constexpr int kCycles = 4000;
    for (int cycle = 0; cycle < kCycles; ++cycle) {
      const std::uint64_t back = m.rx_credit_o, sent = m.tx_valid_o, vcs = m.tx_vc_o;
      m.rx_valid_i = 0;
      const auto clear = [](auto&... port) { (std::memset(&port, 0, sizeof port), ...); };
      clear(m.rx_vc_i, m.rx_kind_i, m.rx_payload_i, m.tx_credit_i);
      for (unsigned p = 0; p < PORTS; ++p) {
        Input& in = inputs[p];
        for (unsigned v = 0; v < VCS; ++v) in.credits[v] += back >> (p * BACK + v) & 1;
        if (in.left == 0 && random() % (3 * kLength) == 0) {
          in.left = kLength;
          in.vc = random() % VCS;
        }
        if (sent >> p & 1)
          put_bits(m.tx_credit_i,
                   p * BACK + (VCS > 1 ? vcs >> p * VC_BITS & ((1 << VC_BITS) - 1) : 0), 1, 1);
        if (in.left == 0 || in.credits[in.vc] == 0) continue;
        --in.credits[in.vc];
        put_bits(m.rx_valid_i, p, 1, 1);
        put_bits(m.rx_vc_i, p * VC_BITS, VC_BITS, in.vc);
        put_bits(m.rx_kind_i, 3 * p, 3,
                 (in.left == kLength ? kHead : 0) | (in.left == 1 ? kTail : 0));
        put_bits(m.rx_payload_i, 16 * p, 16, random() % kNodes);
        --in.left;
      }
      step(m);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / kCycles * 1e9);
  }
  std::printf("%.1f\n", best);
}
