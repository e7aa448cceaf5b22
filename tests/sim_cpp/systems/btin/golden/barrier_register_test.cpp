// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_message.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {
using fabric::ReduceOp;

constexpr std::uint32_t kUp = 0, kGid = 9;

/// Loads register 1 with children on all ports but 0, which is the parent's.
void load(SwitchBench& bench, std::uint32_t ports, ReduceOp op) {
  bench.write(0x112, ((1u << ports) - 1) & ~1u);
  bench.write(0x110, 1u << 31 | static_cast<std::uint32_t>(op) << 26 | kUp << 16 | kGid);
}

bool folds(ReduceOp op) { return op != ReduceOp::kOr && op != ReduceOp::kAnd; }

TEST_CASE("data that fold cost a cycle, and one for each port that waits after the last arrival",
          "[golden][barrier][data]") {
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    for (std::uint32_t together = 1; together <= 4; ++together) {
      CAPTURE(named.name, together);
      SwitchBench bench(sw(5, 1));
      load(bench, 5, named.op);
      for (std::uint32_t p = 1; p + together <= 4; ++p) {  // early ones, long ago
        bench.take(p, bench.reduction(kGid, p), 8);
      }
      for (std::uint32_t p = 5 - together; p < 5; ++p) bench.send(p, bench.reduction(kGid, p));
      const std::uint64_t last = bench.now();
      while (!bench.valid(kUp)) {
        if (bench.now() > last) CHECK_FALSE(bench.quiescent());
        bench.step();
        REQUIRE(bench.now() < last + 20);
      }
      CHECK(bench.now() == last + 2 + (folds(named.op) ? together + 1 : 0));
    }
  }
}

TEST_CASE("data of any width are what the operation makes of them, barrier after barrier",
          "[golden][barrier][data][random]") {
  Random rng(muster_seed(), 5);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t ports = 3 + rng.below(14);
    const std::uint32_t flit = 16 + rng.below(65);
    const std::uint32_t gid_w = 4 + rng.below(9);
    const ReduceOp op = fabric::kReduceOps[rng.below(6)].op;
    CAPTURE(trial, ports, flit, gid_w, static_cast<int>(op));
    SwitchBench bench({"x", ports, 1, 4, 4, flit, gid_w, 16, &btin::kBarrierSwitch});
    const unsigned width = bench.formats.data_width();
    load(bench, ports, op);
    for (int barrier = 0; barrier < 3; ++barrier) {
      fabric::Payload expected = fabric::neutral(op, width);
      std::vector<std::uint32_t> order;
      for (std::uint32_t p = 1; p < ports; ++p) order.push_back(p);
      while (!order.empty()) {
        const std::size_t at = rng.below(order.size());
        fabric::Payload data = fabric::Formats::low_bits(rng.payload(), width);
        if (op == ReduceOp::kSum && rng.below(2) == 0) data = {data.lo >> 58, 0};
        expected = fabric::reduce(op, expected, data, width);
        bench.send(order[at],
                   bench.formats.barrier_flit({fabric::MessageType::kReduction, kGid, data}, 0));
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(at));
        if (rng.below(2) == 0) bench.step(rng.below(3));
      }
      for (int i = 0; i < 40 && !bench.valid(kUp); ++i) bench.step();
      REQUIRE(bench.valid(kUp));
      CHECK(bench.message(kUp).data == expected);
      bench.take(kUp, bench.distribution(kGid, 1), 6);
    }
  }
}

// docs/systems/many-groups.md by hand.

TEST_CASE("n arrivals in one cycle are taken in n, whatever the operation", "[golden][serial]") {
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    for (std::uint32_t n = 1; n <= 4; ++n) {
      CAPTURE(named.name, n);
      SwitchBench bench(sw(5, 1, {.serial = true}));
      bench.write(0x102, ((1u << n) - 1) << 1);
      bench.write(0x100, 1u << 31 | static_cast<std::uint32_t>(named.op) << 26 | 9);
      for (std::uint32_t p = 1; p <= n; ++p) bench.send(p, bench.reduction(9, 5 * p));
      const std::uint64_t sent = bench.now();
      while (!bench.valid(0)) {
        bench.step();
        REQUIRE(bench.now() < sent + 20);
        CHECK(bench.read(0x108) == 0);  // nothing waits to be folded
      }
      CHECK(bench.now() == sent + 1 + n);
      fabric::Payload expected{5, 0};
      for (std::uint64_t p = 2; p <= n; ++p)
        expected = fabric::reduce(named.op, expected, {5 * p, 0}, 6);
      CHECK(bench.message(0).data == expected);
    }
  }
}

}  // namespace
}  // namespace muster::golden
