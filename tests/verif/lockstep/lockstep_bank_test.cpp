// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_bank.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "fabric/golden/switch_bank.hpp"

using namespace muster;

namespace {

/// A golden bank whose outputs of one cycle can be tampered with after its edge.
class Tampered final : public core::Bank {
 public:
  Tampered(const fabric::SwitchConfig& config, void (*tamper)(Tampered&))
      : Bank(1, config.ports), inner_(1, config), tamper_(tamper) {
    quiescent_[0] = inner_.quiescent(0);
  }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    inner_.wires(0).rx_valid = wires_[0].rx_valid;
    inner_.wires(0).tx_back = wires_[0].tx_back;
    for (std::uint32_t p = 0; p < ports_; ++p) inner_.rx(0, p) = rx_[p];
    inner_.clock(cycle, awake);
    wires_[0] = inner_.wires(0);
    wires_[0].rx_valid = 0;
    wires_[0].tx_back = 0;
    for (std::uint32_t p = 0; p < ports_; ++p) tx_[p] = inner_.tx(0, p);
    quiescent_[0] = inner_.quiescent(0);
    if (cycle == 4) tamper_(*this);
  }
  void write_register(std::uint32_t b, std::uint32_t a, std::uint32_t v) override {
    inner_.write_register(b, a, v);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t a) override {
    return inner_.read_register(b, a) + (a == 0x002);
  }
  std::string describe(std::uint32_t) const override { return "tampered"; }
  void quiet(bool value) { quiescent_[0] = value; }

 private:
  golden::GoldenSwitchBank inner_;
  void (*tamper_)(Tampered&);
};

/// A head that comes in cycle 0 on port 0 stands on the wires of port 1 after the edge of cycle 3;
/// a second flit follows it, so that cycle 4 is busy as well.
std::string run_with(void (*tamper)(Tampered&)) {
  fabric::SwitchConfig config;
  verif::LockstepBank bank(std::make_unique<golden::GoldenSwitchBank>(1, config),
                           std::make_unique<Tampered>(config, tamper));
  bank.write_register(0, 0x800 + 5, 0b10);
  const std::uint32_t all[] = {0};
  try {
    for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
      if (cycle < 2) {
        core::Flit flit;
        flit.lo = 5 + cycle;
        flit.kind = cycle == 0 ? core::Flit::kHead : core::Flit::kTail;
        bank.rx(0, 0) = flit;
        bank.wires(0).rx_valid = 1;
      }
      bank.clock(cycle, all);
    }
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("lockstep accepts equal banks", "[lockstep]") {
  CHECK(run_with([](Tampered&) {}) == "");
}

TEST_CASE("lockstep names cycle, switch, port and both values", "[lockstep]") {
  const std::string text = run_with([](Tampered& t) { t.tx(0, 1).lo ^= 4; });
  CAPTURE(text);
  CHECK(text.find("cycle 4, sw0, port 1: golden sends tail vc 0 payload 0x6, RTL sends tail vc 0 "
                  "payload 0x2") != std::string::npos);
  CHECK(text.find("cycle 0 port 0: head vc 0 payload 0x5") != std::string::npos);
  CHECK(text.find("tampered") != std::string::npos);
}

TEST_CASE("lockstep sees every kind of output", "[lockstep]") {
  CHECK(run_with([](Tampered& t) { t.wires(0).tx_valid = 0; }).find("tx_valid") !=
        std::string::npos);
  CHECK(run_with([](Tampered& t) { t.wires(0).rx_back ^= 0x20; }).find("rx_credit") !=
        std::string::npos);
  CHECK(run_with([](Tampered& t) { t.quiet(true); }).find("quiescent") != std::string::npos);
  CHECK(run_with([](Tampered& t) { t.tx(0, 1).vc ^= 1; }).find("port 1") != std::string::npos);
  CHECK(run_with([](Tampered& t) { t.tx(0, 1).kind = 0; }).find("port 1") != std::string::npos);
}

TEST_CASE("lockstep compares what registers answer", "[lockstep]") {
  fabric::SwitchConfig config;
  verif::LockstepBank bank(std::make_unique<golden::GoldenSwitchBank>(1, config),
                           std::make_unique<Tampered>(config, [](Tampered&) {}));
  CHECK(bank.read_register(0, 0x001) == 0x04040208);
  CHECK_THROWS_AS(bank.read_register(0, 0x002), InternalError);
}
