// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using fabric::MessageType;

TEST_CASE("a reduction takes two cycles from wire to wire and combines all children",
          "[golden][barrier]") {
  SwitchBench bench(sw(5, 2));
  bench.load(2, 77, 0b01110, 0);
  bench.take(1, bench.reduction(77, 0b000001));
  bench.send(2, bench.reduction(77, 0b001000));
  bench.send(3, bench.reduction(77, 0b100000));  // fan-in costs nothing
  const std::uint64_t sent_at = bench.now();
  CHECK(bench.arrived(2) == 0b00010);
  CHECK_FALSE(bench.sent(2));
  bench.step();
  CHECK(bench.arrived(2) == 0b01110);
  CHECK(bench.credits() == 0);
  CHECK(bench.outputs() == 0);
  bench.step();
  CHECK(bench.now() == sent_at + 2);  // L + 1
  CHECK(bench.outputs() == 0b00001);
  CHECK(bench.out(0).kind == core::Flit::kSync);
  CHECK(bench.message(0) == fabric::BarrierMessage{MessageType::kReduction, 77, {0b101001, 0}});
  CHECK(bench.sent(2));
  bench.step();
  CHECK(bench.outputs() == 0);  // once
}

TEST_CASE("a distribution leaves through all children two cycles later", "[golden][barrier]") {
  SwitchBench bench(sw(5, 1));
  bench.load(0, 3, 0b11010, 2);
  for (const std::uint32_t p : {1u, 3u, 4u}) bench.send(p, bench.reduction(3, 1u << p));
  bench.step(6);
  bench.take(2, bench.distribution(3, 0x2a));
  CHECK(bench.to_serve(0) == 0b11010);
  CHECK(bench.arrived(0) == 0);
  CHECK_FALSE(bench.sent(0));
  CHECK(bench.outputs() == 0);
  bench.step();
  CHECK(bench.outputs() == 0b11010);
  for (const std::uint32_t p : {1u, 3u, 4u})
    CHECK(bench.message(p) == fabric::BarrierMessage{MessageType::kDistribution, 3, {0x2a, 0}});
  CHECK(bench.to_serve(0) == 0);
}

TEST_CASE("a register that reflects answers in the time of a hop", "[golden][barrier]") {
  SwitchBench bench(sw(4, 2));
  bench.load(1, 9, 0b1011, 2, true);
  bench.take(0, bench.reduction(9, 0b01));
  bench.send(1, bench.reduction(9, 0b10));
  bench.take(3, bench.reduction(9, 0b1000), 2);
  CHECK(bench.outputs() == 0b1011);
  CHECK(bench.message(3) == fabric::BarrierMessage{MessageType::kDistribution, 9, {0b1011, 0}});
  // The data of one barrier does not leak into the next.
  bench.step();
  for (const std::uint32_t p : {0u, 1u, 3u}) bench.send(p, bench.reduction(9, 0b100));
  bench.step(2);
  CHECK(bench.message(0).data.lo == 0b100);
}

TEST_CASE("groups that want one output leave one a cycle, round robin over the registers",
          "[golden][barrier]") {
  SwitchBench bench(sw(6, 1, 16, 5));
  for (std::uint32_t r = 0; r < 5; ++r) bench.load(r, 20 + r, 1u << r, 5);
  const auto gids = [&](std::uint32_t cycles) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t t = 0; t < cycles; ++t, bench.step())
      if (bench.valid(5)) order.push_back(bench.message(5).gid);
    return order;
  };
  bench.send(1, bench.reduction(21));
  CHECK(gids(5) == std::vector<std::uint32_t>{21});  // the pointer stands behind register 1
  for (const std::uint32_t r : {0u, 2u, 3u, 4u}) bench.send(r, bench.reduction(20 + r));
  CHECK(gids(2).empty());
  CHECK(gids(4) == std::vector<std::uint32_t>{22, 23, 24, 20});
}

TEST_CASE("a message at the wrong port, in the wrong phase or of no register is dropped",
          "[golden][barrier][drop]") {
  enum : std::uint32_t { kTaken = 0, kUnknown = 1u << 24, kRefused = kUnknown | 1u << 14 };
  SwitchBench bench(sw(4, 1, 1));
  bench.load(0, 7, 0b0011, 3);
  bench.load(1, 8, 0b0011, 3, true);
  /// The outcome of a message that is taken at once, as the record of drops has it: it names port,
  /// type and group as well.
  const auto outcome = [&](std::uint32_t port, const core::Flit& flit) {
    bench.write(0x010, 0);
    bench.take(port, flit);
    CHECK(bench.credits() == 0);
    CHECK(bench.read(0x010) == 0);  // it is counted at the edge of the next cycle
    bench.step(3);
    const std::uint32_t word = bench.read(0x010);
    const fabric::BarrierMessage message = bench.formats.barrier_message(flit);
    const std::uint32_t what =
        port << 16 | static_cast<std::uint32_t>(message.type) << 12 | message.gid;
    return word == 0 ? 0 : word - what;
  };
  CHECK(outcome(1, bench.reduction(0)) == kUnknown);  // empty registers are not group 0
  CHECK(outcome(2, bench.reduction(7)) == kRefused);
  CHECK(outcome(3, bench.reduction(7)) == kRefused);
  CHECK(outcome(2, bench.distribution(7)) == kRefused);
  CHECK(outcome(0, bench.distribution(7)) == kRefused);
  CHECK(outcome(3, bench.distribution(8)) == kRefused);  // that which reflects has no parent
  CHECK(outcome(3, bench.distribution(7)) == kRefused);  // nothing sent yet
  CHECK(outcome(0, bench.reduction(7)) == kTaken);
  CHECK(outcome(0, bench.reduction(7)) == kRefused);  // twice
  CHECK(outcome(3, bench.distribution(7)) == kRefused);
  bench.take(1, bench.reduction(7), 5);
  REQUIRE(bench.sent(0));
  CHECK(outcome(1, bench.reduction(7)) == kRefused);
}

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
  bench.take(0, bench.reduction(2, 0b000101));
  bench.take(1, bench.reduction(2, 0b110000), 2);
  REQUIRE(bench.outputs() == 1u << kParent);
  CHECK(bench.out(kParent) == bench.reduction(kAbove, 0b110101));
  bench.take(kParent, bench.distribution(2, 9), 2);
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
    bench.take(0, bench.reduction(name), 2);
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
  bench.take(0, bench.reduction(2));
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
  bench.take(15, bench.reduction(15), 2);
  REQUIRE(bench.outputs() == 0xffff);
  for (std::uint32_t p = 0; p < 16; ++p) CHECK(bench.message(p).gid == (p == 15 ? 0 : p));
}

TEST_CASE("variants that know groups by identifier refuse labels, and others have none",
          "[golden][barrier][labels]") {
  for (const btin::Variant& variant :
       {btin::Variant{.serial = true, .labels = true}, btin::Variant{.spill = true, .labels = true},
        btin::Variant{.retry = true, .labels = true}, btin::Variant{.groups = 64, .labels = true}})
    CHECK_THROWS_WITH(fabric::validate(sw(4, 1, variant)), Contains("labels = 1 is not in 0..0"));
  SwitchBench plain(sw(4, 1));
  plain.write(0x10C, ~0u);
  plain.load(0, 9, 1, kParent);
  plain.take(0, plain.reduction(9), 2);
  CHECK(plain.message(kParent).gid == 9);
}

constexpr std::uint32_t kStatus = 0x004;

/// Register 0 with members on ports 0 and 1; node 9 is behind the parent's port, node 8 at port 2.
struct Queued : SwitchBench {
  explicit Queued(std::uint32_t vcs = 1, std::uint32_t depth = 4)
      : SwitchBench(sw(4, vcs, {.queued = true}, depth)) {
    load(0, 7, kMembers, kParent);
    route(8, 1u << 2);
    route(9, 1u << kParent);
  }
  /// Both members arrive, the second in the present cycle; then `cycles` more.
  void arrive(std::uint32_t cycles) {
    send(0, reduction(7, 1));
    send(1, reduction(7, 2));
    step(cycles);
  }
};

TEST_CASE("a queued message takes L + 4 cycles a hop and the credit of channel 0",
          "[golden][barrier][queued]") {
  Queued bench(2);
  bench.arrive(3);
  CHECK(bench.credits() == (bit(lane_of(0, 0)) | bit(lane_of(1, 0))));
  CHECK(bench.arrived(0) == 0);
  bench.step();
  CHECK(bench.arrived(0) == kMembers);
  bench.step();
  REQUIRE(bench.outputs() == 1u << kParent);
  CHECK(bench.out(kParent) == bench.reduction(7, 3));
  CHECK(bench.read(kDrops) == 0);
}

TEST_CASE("a queued message waits for the packet before it, and for a credit",
          "[golden][barrier][queued]") {
  Queued bench(1, 4);
  bench.write(0x006, 1u << 2);                   // the packet's link is held
  bench.send_all(SwitchBench::packet(8, 2), 0);  // in the queue of port 0
  bench.arrive(20);
  CHECK(bench.arrived(0) == 0b10);
  bench.write(0x006, 0);
  bench.step(4);
  CHECK(bench.arrived(0) == 0b10);
  bench.step(2);
  CHECK(bench.arrived(0) == kMembers);

  Queued full(1, 1);
  full.take(2, SwitchBench::single(9), 10);  // the only credit of the parent's port is gone
  full.arrive(20);
  CHECK_FALSE(full.sent(0));
  full.give_credit(kParent);
  full.step();
  CHECK(full.outputs() == 1u << kParent);
  CHECK(full.sent(0));
}

TEST_CASE("at an output it goes behind the packet that has channel 0 and before those that wait",
          "[golden][barrier][queued]") {
  Queued bench(1, 4);
  bench.take(2, SwitchBench::head(9));
  bench.arrive(1);
  bench.take(1, SwitchBench::single(9), 8);
  CHECK_FALSE(bench.sent(0));
  bench.send(2, SwitchBench::tail(1));
  std::vector<bool> sync;
  for (int i = 0; i < 8; ++i) {
    bench.step();
    if (bench.valid(kParent)) sync.push_back(bench.out(kParent).sync());
  }
  CHECK(sync == std::vector{false, true, false});
}

TEST_CASE("inside a packet of channel 0 it is headless, and ends the packet",
          "[golden][barrier][queued]") {
  Queued bench;
  bench.take(0, SwitchBench::head(9));
  bench.take(0, bench.reduction(7));
  bench.take(0, bench.reduction(7), 12);
  CHECK((bench.read(kStatus) >> 16 & 0xff) == 1);
  CHECK(bench.arrived(0) == 1);
}

TEST_CASE("variants whose messages wait elsewhere exclude it", "[golden][barrier][queued]") {
  const btin::Variant others[] = {
      {.serial = true, .queued = true}, {.guard = true, .queued = true},
      {.spill = true, .queued = true},  {.retry = true, .queued = true},
      {.groups = 2, .queued = true},    {.labels = true, .queued = true}};
  for (const btin::Variant& variant : others)
    CHECK_THROWS_AS(fabric::validate(sw(4, 2, variant)), InputError);
  CHECK_NOTHROW(fabric::validate(
      sw(4, 2, {.straggler = true, .counters = true, .ops = 1, .parity = true, .queued = true})));
}

}  // namespace
}  // namespace muster::golden
