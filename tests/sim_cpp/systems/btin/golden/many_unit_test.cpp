// SPDX-License-Identifier: Apache-2.0
#include "fabric/register_map.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

/// docs/systems/many-groups.md by hand.
namespace muster::golden {
namespace {
namespace regs = fabric::registers;

void select(SwitchBench& bench, std::uint32_t gid) {
  bench.write(fabric::window_registers::kSelect, gid);
}

void load(SwitchBench& bench, std::uint32_t gid, std::uint32_t children, std::uint32_t parent,
          std::uint32_t op = 0) {
  select(bench, gid);
  bench.write(regs::children(0), children);
  bench.write(regs::control(0), regs::control_word(0, parent, false, op));
}

std::uint32_t arrived(SwitchBench& bench, std::uint32_t gid) {
  select(bench, gid);
  return bench.read(regs::arrived(0));
}

/// Cycle and ports of all messages that go out until nothing moves; pockets are freed at once.
using Out = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
Out outputs(SwitchBench& bench) {
  Out out;
  for (int i = 0; i < 60; ++i) {
    bench.step();
    if (bench.outputs() == 0) continue;
    out.emplace_back(bench.now(), bench.outputs());
    for_each_bit(bench.outputs(), [&](std::uint32_t port) { bench.free_pocket(port); });
  }
  CHECK(bench.quiescent());
  return out;
}

TEST_CASE("n arrivals of a group in block RAM leave as one n + 2 cycles later, whatever they bring",
          "[golden][many]") {
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    for (std::uint32_t n = 1; n <= 4; ++n) {
      CAPTURE(named.name, n);
      SwitchBench bench(sw(5, 1, {.groups = 256}));
      load(bench, 200, ((1u << n) - 1) << 1, 0, static_cast<std::uint32_t>(named.op));
      bench.step();
      for (std::uint32_t p = 1; p <= n; ++p) bench.send(p, bench.reduction(200, 5 * p));
      const std::uint64_t sent = bench.now();
      while (!bench.valid(0)) {
        bench.step();
        REQUIRE(bench.now() < sent + 20);
      }
      CHECK(bench.now() == sent + 2 + n);
      fabric::Payload expected{5, 0};
      for (std::uint64_t p = 2; p <= n; ++p)
        expected = fabric::reduce(named.op, expected, {5 * p, 0}, 6);
      CHECK(bench.message(0) ==
            fabric::BarrierMessage{fabric::MessageType::kReduction, 200, expected});
      select(bench, 200);
      CHECK(bench.read(regs::serve(0)) == 0);
      CHECK(bench.read(regs::state(0)) == 1);
    }
  }
}

TEST_CASE("the first and the last identifier have places, the next one has none",
          "[golden][many]") {
  SwitchBench bench(sw(4, 1, {.groups = 16}));
  for (std::uint32_t gid = 0; gid < 16; ++gid) load(bench, gid, 0b0001, 3);
  bench.step();
  for (std::uint32_t gid = 0; gid < 17; ++gid) {
    bench.send(0, bench.reduction(gid));
    const Out out = outputs(bench);
    CHECK(out.size() == (gid < 16 ? 1 : 0));
  }
  CHECK(bench.read(regs::kDrops) == (1u << 24 | 16));  // one, at port 0: no group has 16
  CHECK(bench.read(0x001) >> 24 == 0);
  CHECK(bench.read(fabric::window_registers::kGroups) == 16);
}

TEST_CASE("messages leave in the order in which they are made, one held up holds up the others",
          "[golden][many]") {
  SwitchBench bench(sw(5, 1, {.groups = 256}));
  load(bench, 1, 0b00001, 4);
  load(bench, 2, 0b00010, 4);
  load(bench, 3, 0b00100, 3);
  bench.step();
  for (const std::uint32_t p : {0u, 1u, 2u}) bench.send(p, bench.reduction(p + 1));
  bench.step(12);  // pocket 4 is not freed
  CHECK(arrived(bench, 2) == 0b00010);
  CHECK(bench.read(regs::state(0)) == 2);
  CHECK(arrived(bench, 3) == 0b00100);
  CHECK(bench.read(regs::state(0)) == 2);  // its output is free
  bench.free_pocket(4);
  const std::uint64_t freed = bench.now();
  const Out out = outputs(bench);
  REQUIRE(out.size() == 2);
  CHECK(out[0] == std::pair<std::uint64_t, std::uint32_t>{freed + 2, 0b10000});
  CHECK(out[1] == std::pair<std::uint64_t, std::uint32_t>{freed + 3, 0b01000});
}

TEST_CASE("a group that is written while its message waits completes nothing until it has left",
          "[golden][many]") {
  SwitchBench bench(sw(4, 1, {.groups = 256}));
  load(bench, 8, 0b0001, 3);
  load(bench, 9, 0b0001, 3);
  bench.step();
  for (const std::uint32_t gid : {8u, 9u}) {
    bench.take(0, bench.reduction(gid), 8);
  }
  load(bench, 9, 0b0110, 3);  // its message waits for the pocket of port 3
  CHECK(bench.read(regs::state(0)) == 2);
  bench.step();
  bench.send(1, bench.reduction(9));
  bench.take(2, bench.reduction(9), 4);
  CHECK(arrived(bench, 9) == 0b0010);
  CHECK(bench.read(regs::serve(0)) == 0b1000);
  CHECK(bench.read(regs::kDrops) == (1u << 24 | 2u << 16 | 1u << 14 | 9));  // not yet
  bench.free_pocket(3);
  CHECK(outputs(bench).size() == 1);
  CHECK(arrived(bench, 9) == 0b0010);
  bench.step();
  bench.send(2, bench.reduction(9));
  CHECK(outputs(bench).size() == 1);
}

}  // namespace
}  // namespace muster::golden
