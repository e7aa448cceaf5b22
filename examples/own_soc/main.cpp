// SPDX-License-Identifier: Apache-2.0
// The bench of own_soc.sv: the firmware runs here, and each of its accesses is one of AXI4-Lite in
// the Verilated design. Exit status 1 if its barrier is not as it must be.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vown_soc.h"
#include "verilated.h"

extern "C" int firmware(std::uint32_t* result);

namespace {

constexpr int kLongest = 10000;  // cycles; all takes a fraction of that

Vown_soc top;
int now = 0;
std::uint32_t interrupts = 0;

void cycle() {
  top.clk_i = 0;
  top.eval();
  for (int n = 0; n < 4; ++n)
    if ((top.irq_o >> n & 1) != (interrupts >> n & 1))
      std::printf("cycle %4d: node %d %s\n", now, n,
                  (top.irq_o >> n & 1) != 0 ? "is released" : "has acknowledged");
  interrupts = top.irq_o;
  top.clk_i = 1;
  top.eval();
  if (++now <= kLongest) return;
  std::printf("own_soc: still waiting in cycle %d\n", now);
  std::exit(1);
}

/// True if the signal is set before the next edge.
bool set(const CData& signal) {
  top.clk_i = 0;
  top.eval();
  const bool is = signal != 0;
  cycle();
  return is;
}

}  // namespace

extern "C" std::uint32_t soc_read(void*, std::uint32_t word) {
  top.araddr_i = 4 * word;
  top.arvalid_i = 1;
  while (!set(top.arready_o)) {
  }
  top.arvalid_i = 0;
  std::uint32_t value = 0;
  for (bool valid = false; !valid;) {
    top.clk_i = 0;
    top.eval();
    value = top.rdata_o;
    valid = set(top.rvalid_o);
  }
  return value;
}

extern "C" void soc_write(void*, std::uint32_t word, std::uint32_t value) {
  top.awaddr_i = 4 * word;
  top.wdata_i = value;
  top.wvalid_i = 1;
  while (!set(top.wready_o)) {
  }
  top.wvalid_i = 0;
  while (!set(top.bvalid_o)) {
  }
}

int main() {
  top.rst_ni = 0;
  cycle();
  cycle();
  top.rst_ni = 1;
  std::uint32_t result = 0;
  const int status = firmware(&result);
  std::printf("cycle %4d: the firmware ends with status %d, all have got 0x%02x\n", now, status,
              result);
  return status == 0 && result == 0x0f ? 0 : 1;
}
