// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

constexpr std::uint32_t kParent = 3, kMembers = 0b0011, kAbove = 5, kDrops = 0x010, kKnown = 14;

/// Register 2 with label 2 for nodes and kAbove for the parent.
struct SwitchA : SwitchBench {
  SwitchA() : SwitchBench(sw(4, 1, {.labels = true})) {
    write(0x10C + 16 * 2, kAbove << 12 | 0x222);
    load(2, 77, kMembers, kParent);
  }
};

TEST_CASE("messages name the register that they enter, here and behind the port",
          "[golden][barrier][labels]") {
  SwitchA bench;
  bench.send(0, bench.reduction(2, 0b000101));
  bench.step();
  bench.send(1, bench.reduction(2, 0b110000));
  bench.step(2);
  REQUIRE(bench.outputs() == 1u << kParent);
  CHECK(bench.out(kParent) == bench.reduction(kAbove, 0b110101));
  bench.send(kParent, bench.distribution(2, 9));
  bench.step(2);
  REQUIRE(bench.outputs() == kMembers);
  CHECK(bench.out(0) == bench.distribution(2, 9));
  CHECK(bench.out(1) == bench.distribution(2, 9));
  CHECK((bench.read(0x120) & 0xfff) == 77);  // for software
  CHECK(bench.read(0x12C) == 0);
  CHECK(bench.read(kDrops) == 0);
}

TEST_CASE("a label of no valid register, or of another group, changes nothing",
          "[golden][barrier][labels]") {
  SwitchA bench;
  bench.load(1, 77, 0b1000, 0);  // the same identifier, other ports
  const auto drops = [&](std::uint32_t name, bool known) {
    bench.write(kDrops, 0);
    bench.send(0, bench.reduction(name));
    bench.step(2);
    const std::uint32_t word = bench.read(kDrops);
    CHECK((word & 0xfff) == name);
    CHECK((word >> kKnown & 1) == known);
    CHECK(word >> 24 == 1);
    CHECK(bench.arrived(1) == 0);
    CHECK(bench.arrived(2) == 0);
    CHECK(bench.outputs() == 0);
  };
  drops(77, false);      // an identifier is no label
  drops(0, false);       // not valid
  drops(4, false);       // no such register
  drops(2 | 16, false);  // all bits count
  drops(1, true);        // the port is no child of that group
  bench.send(0, bench.reduction(2));
  bench.step();
  CHECK(bench.arrived(2) == 0b0001);
}

TEST_CASE("labels are of sixteen ports, clear nothing, and hold from the next cycle on",
          "[golden][barrier][labels]") {
  SwitchBench bench(sw(16, 1, {.labels = true}, 4, 16));
  bench.write(0x1FC, 0x76543210);
  bench.write(0x1FD, 0xfedcba98);
  bench.load(15, 1, 0xffff, 16, true);
  for (std::uint32_t p = 0; p < 15; ++p) bench.send(p, bench.reduction(15));
  bench.step();
  bench.write(0x1FD, 0x0edcba98);
  CHECK(bench.arrived(15) == 0x7fff);
  bench.send(15, bench.reduction(15));
  bench.step(2);
  REQUIRE(bench.outputs() == 0xffff);
  for (std::uint32_t p = 0; p < 16; ++p) CHECK(bench.message(p).gid == (p == 15 ? 0 : p));
}

TEST_CASE("variants that know groups by identifier refuse labels, and others have none",
          "[golden][barrier][labels]") {
  for (const btin::Variant& variant :
       {btin::Variant{.serial = true, .labels = true}, btin::Variant{.spill = true, .labels = true},
        btin::Variant{.retry = true, .labels = true}, btin::Variant{.groups = 64, .labels = true}})
    CHECK_THROWS_WITH(fabric::validate(sw(4, 1, variant)),
                      Catch::Matchers::Contains("labels = 1 is not in 0..0"));
  SwitchBench plain(sw(4, 1));
  plain.write(0x10C, ~0u);
  plain.load(0, 9, 1, kParent);
  plain.send(0, plain.reduction(9));
  plain.step(2);
  CHECK(plain.message(kParent).gid == 9);
}

}  // namespace
}  // namespace muster::golden
