// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_nic_bank.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "systems/nic/blocks/nic_registers.hpp"
#include "systems/nic/golden/nic_bank.hpp"

using namespace muster;
namespace regs = nic::registers;

namespace {

constexpr nic::NicConfig kConfig{.contexts = 1, .steps = 2, .conns = 1, .records = 1};

/// A golden bank whose outputs of one cycle can be tampered with after its edge.
class TamperedNics final : public golden::GoldenNicBank {
 public:
  explicit TamperedNics(void (*tamper)(TamperedNics&))
      : GoldenNicBank(kConfig, 1), tamper_(tamper) {}
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    GoldenNicBank::clock(cycle, awake);
    if (cycle == 4) tamper_(*this);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t a) override {
    return GoldenNicBank::read_register(b, a) + (a == regs::kDrops);
  }
  std::string describe(std::uint32_t) const override { return "tampered"; }
  void quiet(bool value) { quiescent_[0] = value; }

 private:
  void (*tamper_)(TamperedNics&);
};

/// The host gives a token in cycle 0; after the edge of cycle 3 the head is on the wires, after
/// that of cycle 4 the second flit. A flit that is nobody's comes in cycle 4.
std::string run_with(void (*tamper)(TamperedNics&)) {
  verif::LockstepNicBank bank(std::make_unique<golden::GoldenNicBank>(kConfig, 1),
                              std::make_unique<TamperedNics>(tamper));
  bank.write_register(0, regs::kAddress, regs::address_word(3, 0));
  bank.write_register(0, regs::connection(0), regs::connection_word(5));
  const std::uint32_t all[] = {0};
  try {
    for (std::uint64_t cycle = 0; cycle < 8; ++cycle) {
      nic::HostWires& host = bank.host(0);
      host.access = host.write = cycle == 0;
      host.address = regs::kSend;
      host.data = regs::send_word(5, 1, 7, 0);
      bank.rx(0, 0) = {};
      bank.wires(0).rx_valid = cycle == 4;
      bank.clock(cycle, all);
    }
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("lockstep of NICs accepts equal banks", "[lockstep][nic]") {
  CHECK(run_with([](TamperedNics&) {}) == "");
}

TEST_CASE("lockstep of NICs names cycle, NIC, both values and the last flits and requests",
          "[lockstep][nic]") {
  const std::string text = run_with([](TamperedNics& t) { t.tx(0, 0).lo ^= 4; });
  CAPTURE(text);
  CHECK(text.find("cycle 4, nic0, golden sends body vc 0 payload 0x3, RTL body vc 0 payload 0x7") !=
        std::string::npos);
  CHECK(text.find("cycle 0: write 0x006 0x00a10700") != std::string::npos);
  CHECK(text.find("cycle 4: body vc 0 payload 0x0") != std::string::npos);
  CHECK(text.find("RTL:    tampered") != std::string::npos);
}

TEST_CASE("lockstep of NICs sees every kind of output", "[lockstep][nic]") {
  const auto sees = [](const char* what, void (*tamper)(TamperedNics&)) {
    const std::string text = run_with(tamper);
    CAPTURE(what, text);
    CHECK(text.find(std::string("nic0, ") + what) != std::string::npos);
  };
  sees("tx_valid", [](TamperedNics& t) { t.wires(0).tx_valid = 0; });
  sees("rx_credit", [](TamperedNics& t) { t.wires(0).rx_back = 0; });
  sees("event_valid", [](TamperedNics& t) { t.host(0).event = true; });
  sees("quiescent", [](TamperedNics& t) { t.quiet(true); });
  sees("golden sends", [](TamperedNics& t) { t.tx(0, 0).vc ^= 1; });
}

TEST_CASE("lockstep of NICs compares what registers answer", "[lockstep][nic]") {
  verif::LockstepNicBank bank(std::make_unique<golden::GoldenNicBank>(kConfig, 1),
                              std::make_unique<TamperedNics>([](TamperedNics&) {}));
  CHECK(bank.read_register(0, 0x001) == 0x01020101);
  CHECK_THROWS_AS(bank.read_register(0, regs::kDrops), InternalError);
}
