// SPDX-License-Identifier: Apache-2.0
/// Runs of the ring use few of a switch's registers and messages; here are the others, by the
/// header of rtl/ring_switch.sv. Ends with status 1 and the line of the first that is wrong.
#include "golden/ring_switch.hpp"

#include <cstdio>
#include <cstdlib>
#include <muster/fabric/formats.hpp>

using namespace muster;
using namespace token_ring;

namespace {

void check(bool holds, int line) {
  if (holds) return;
  std::printf("ring_switch_test.cpp:%d\n", line);
  std::exit(1);
}

struct Bench {
  fabric::SwitchConfig config{
      .name = "bench", .ports = 5, .vcs = 1, .regs = 1, .kind = &kRingSwitch};
  std::unique_ptr<core::Bank> bank = kRingSwitch.golden(1, config);
  std::uint64_t cycle = 0;

  void step() {
    static constexpr std::uint32_t kAwake[] = {0};
    bank->clock(cycle++, kAwake);
  }
  /// A message at a port; what the switch sends because of it, as a mask of ports.
  std::uint32_t after(std::uint32_t port, fabric::MessageType type) {
    bank->wires(0).rx_valid = 1u << port;
    bank->rx(0, port) = fabric::Formats(config.flit_w, config.gid_w).barrier_flit({type, 0, {}}, 0);
    step();
    check(bank->wires(0).rx_back == 0, __LINE__);  // no message takes a credit
    step();
    return bank->wires(0).tx_valid;
  }
};

}  // namespace

int main() {
  using enum fabric::MessageType;
  {
    Bench b;  // of 5 ports, whose numbers have 3 bits
    b.bank->write_register(0, kControl, control_word(false, 0xf, 0xd));
    check(b.bank->read_register(0, kControl) == control_word(false, 7, 5), __LINE__);
    check(b.after(0, kDistribution) == 0, __LINE__);  // no port is port 7
  }
  {
    Bench b;
    b.bank->write_register(0, kMembers, 1);
    b.bank->write_register(0, kControl, control_word(false, 3, 2));
    check(b.after(1, kReduction) == 0, __LINE__);  // of no member and not from the previous switch
    check(b.after(2, kDistribution) == 0, __LINE__);
    check(b.after(3, kSpillPlace) == 0, __LINE__);
    check(b.bank->read_register(0, kProgress) == 0, __LINE__);
    check(b.after(3, kReduction) == 0, __LINE__);  // the token waits
    check(b.after(0, kReduction) == 1u << 2, __LINE__);
    check(b.after(3, kDistribution) == (1u << 2 | 1), __LINE__);
  }
  {
    Bench b;  // not in use
    b.bank->write_register(0, kMembers, 1);
    check(b.after(0, kReduction) == 0, __LINE__);
    check(b.after(0, kDistribution) == 0, __LINE__);
    b.bank->write_register(0, kControl, control_word(false, 3, 2) & ~(1u << 31));
    check(b.after(3, kReduction) == 0 && b.after(3, kDistribution) == 0, __LINE__);
    check(b.bank->read_register(0, kProgress) == 1, __LINE__);  // the arrival alone
  }
}
