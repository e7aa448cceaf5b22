// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "systems/btin/golden/barrier_switch.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/preempt/switch_kinds.hpp"

namespace muster::golden {
namespace {

TEST_CASE("identity and parameters read as the map says", "[golden][registers]") {
  SwitchBench bench({"x", 5, 3, 7, 9, 80, 11, 2048, &btin::kBarrierSwitch});
  CHECK(bench.read(0x000) == 0x4D530105);
  CHECK(bench.read(0x001) == 0x09070305);
  CHECK(bench.read(0x002) == 0x08000B50);
  CHECK(bench.read(0x003) == 0);
  CHECK(bench.read(0x004) == 0);
  bench.write(0x000, ~0u);
  bench.write(0x001, ~0u);
  bench.write(0x004, ~0u);
  CHECK(bench.read(0x000) == 0x4D530105);
  CHECK(bench.read(0x001) == 0x09070305);
  CHECK(bench.read(0x004) == 0);
}

TEST_CASE("a barrier register keeps the bits that exist", "[golden][registers]") {
  SwitchBench bench({"x", 5, 1, 1, 3, 16, 6, 16, &btin::kBarrierSwitch});
  bench.write(0x041 + 8, 0xffffffff);
  bench.write(0x040 + 8, 0xffffffff);
  CHECK(bench.read(0x041 + 8) == 0x1f);
  CHECK(bench.read(0x040 + 8) == 0xFC0F003F);
  bench.write(0x042 + 8, 0xffffffff);
  bench.write(0x043 + 8, 0xffffffff);
  CHECK(bench.read(0x042 + 8) == 0);
  CHECK(bench.read(0x043 + 8) == 0);
}

TEST_CASE("addresses without a meaning read 0 and ignore writes", "[golden][registers]") {
  fabric::SwitchConfig config = sw(5, 1, 1, 3);
  config.dests = 32;
  SwitchBench bench(config);
  for (const std::uint32_t address : {0x003u, 0x008u, 0x00fu, 0x015u, 0x03fu, 0x04cu, 0x07fu,
                                      0x7ffu, 0x025u, 0x800u, 0x820u, 0xfffu}) {
    CAPTURE(address);
    bench.write(address, 0xffffffff);
    CHECK(bench.read(address) == 0);
  }
}

TEST_CASE("writing the control word forgets the barrier under way", "[golden][registers]") {
  SwitchBench bench(sw(4, 1));
  bench.load(0, 5, 0b0011, 3);
  bench.send(0, bench.reduction(5, 0x3f));
  bench.step(4);
  REQUIRE(bench.arrived(0) == 1);
  bench.load(0, 6, 0b0011, 3);
  CHECK(bench.arrived(0) == 0);
  bench.send(0, bench.reduction(6, 1));
  bench.send(1, bench.reduction(6, 2));
  bench.step(2);
  REQUIRE(bench.valid(3));
  CHECK(bench.message(3) == fabric::BarrierMessage{fabric::MessageType::kReduction, 6, {3, 0}});
  REQUIRE(bench.sent(0));
  bench.write(0x040, bench.read(0x040));
  CHECK_FALSE(bench.sent(0));
  bench.step(3);
  CHECK(bench.quiescent());
}

TEST_CASE("a register written while nothing moves takes effect in the next cycle",
          "[golden][registers]") {
  SwitchBench bench(sw(4, 2, 1));
  bench.route(5, 0b0100);
  bench.write(0x007, 0b0100);
  bench.send(1, bench.single(5));
  bench.step(6);
  REQUIRE(bench.outputs() == 0);
  bench.write(0x007, 0);  // from now on the link is not held
  bench.step(2);
  CHECK(bench.outputs() == 0b0100);
}

TEST_CASE("routing table entries keep the bits of the ports", "[golden][registers]") {
  SwitchBench bench(sw(4, 1));
  bench.route(3, 0xfff0);  // no port of this switch
  bench.send(0, SwitchBench::single(3));
  bench.step(5);
  CHECK(bench.read(0x004) == 1);
}

TEST_CASE("parameters outside their range are refused", "[golden][registers]") {
  const auto refused = [](auto change) {
    fabric::SwitchConfig config{.name = "test", .kind = &btin::kBarrierSwitch};
    change(config);
    CHECK_THROWS_AS(SwitchBank<BarrierSwitch>(1, config), InputError);
  };
  refused([](auto& c) { c.ports = 2; });
  refused([](auto& c) { c.ports = 17; });
  refused([](auto& c) { c.vcs = 0; });
  refused([](auto& c) { c.vcs = 5; });
  refused([](auto& c) { c.depth = 0; });
  refused([](auto& c) { c.depth = 17; });
  refused([](auto& c) { c.regs = 0; });
  refused([](auto& c) { c.regs = 17; });
  refused([](auto& c) { c.flit_w = 15; });
  refused([](auto& c) { c.flit_w = 81; });
  refused([](auto& c) { c.gid_w = 3; });
  refused([](auto& c) { c.gid_w = 13; });
  refused([](auto& c) { c.dests = 15; });
  refused([](auto& c) { c.dests = 2049; });
  refused([](auto& c) {
    c.kind = &preempt::kBsr1;
    c.gid_w = 9;
  });
}

TEST_CASE("the blocks of a bank are independent", "[golden][registers]") {
  SwitchBank<BarrierSwitch> bank(3, sw(4, 1));
  for (std::uint32_t b = 0; b < 3; ++b) bank.write_register(b, 0x800 + 1, 1u << b);
  const std::uint32_t all[] = {0, 1, 2};
  for (std::uint32_t b = 0; b < 3; ++b) {
    bank.wires(b).rx_valid = 1u << 3;
    bank.rx(b, 3) = SwitchBench::single(1);
  }
  for (std::uint32_t cycle = 0; cycle < 4; ++cycle) bank.clock(cycle, all);
  for (std::uint32_t b = 0; b < 3; ++b) CHECK(bank.wires(b).tx_valid == 1u << b);
}

}  // namespace
}  // namespace muster::golden
