// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/rank_message.hpp"
#include "core/shared_bank.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/engine.hpp"
#include "muster/core/error.hpp"
#include "support/thread_ranks.hpp"

namespace muster::test {

/// Two-port blocks that send what arrives at port 0 out of port 1 in the next cycle, with `lo` one
/// lower until it is 0, and a credit back. A request to register 0 starts a flit of that many hops.
class PassingBank : public core::Bank, public core::Divisible {
 public:
  explicit PassingBank(std::uint32_t blocks, std::vector<std::uint32_t> failing = {})
      : Bank(blocks, 2), failing_(std::move(failing)), hops_(blocks, 0) {
    quiescent_.assign(blocks, 1);
  }

  std::vector<std::uint32_t> order;  ///< blocks as they were clocked

  core::Divisible* divisible() override { return this; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
  }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      order.push_back(b);
      if (std::find(failing_.begin(), failing_.end(), b) != failing_.end())
        throw BlockError("block " + std::to_string(b) + " fails", cycle, "sw" + std::to_string(b));
      core::BlockWires& w = wires(b);
      w.rx_back = w.rx_valid & 1;
      w.tx_valid = 0;
      if (w.rx_valid != 0 && rx(b, 0).lo != 0) send(b, rx(b, 0).lo - 1);
      if (hops_[b] != 0) send(b, std::exchange(hops_[b], 0));
      w.rx_valid = 0;
      w.tx_back = 0;
      quiescent_[b] = w.tx_valid == 0 && w.rx_back == 0;
    }
  }
  void request(const core::RegisterRequest& request) override {
    hops_[request.block] = request.value;
  }
  void write_register(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  std::uint32_t read_register(std::uint32_t, std::uint32_t) override { return 0; }
  std::string describe(std::uint32_t) const override { return "passing"; }

 private:
  void send(std::uint32_t b, std::uint64_t hops) {
    tx(b, 1) = {.lo = hops, .hi = static_cast<std::uint16_t>(b)};
    wires(b).tx_valid = 2;
  }
  std::vector<std::uint32_t> failing_, hops_;
};

}  // namespace muster::test

namespace muster::core {
namespace {

constexpr std::uint32_t kBlocks = 12;

/// A ring of blocks: channel b goes from block b to the next. Four in a row of each of three ranks,
/// or all of one process.
struct RankedRing {
  Engine engine;
  test::PassingBank* here;
  Bank* bank;

  explicit RankedRing(Ranks* ranks, std::vector<std::uint32_t> failing = {}) {
    auto blocks = std::make_unique<test::PassingBank>(kBlocks, std::move(failing));
    here = blocks.get();
    std::unique_ptr<Bank> owned = std::move(blocks);
    if (ranks != nullptr) {
      std::vector<std::uint32_t> owners;
      for (std::uint32_t b = 0; b < kBlocks; ++b) owners.push_back(b * ranks->count() / kBlocks);
      owned = std::make_unique<SharedBank<Bank>>(ranks->rank(), std::move(owners), std::move(owned),
                                                 kBlocks, 2u);
    }
    bank = owned.get();
    engine.add_bank(std::move(owned));
    for (std::uint32_t b = 0; b < kBlocks; ++b)
      engine.connect(b, {0, b, 1}, {0, (b + 1) % kBlocks, 0}, 1);
  }
  void start(std::uint32_t block, std::uint32_t hops) {
    bank->request({block, true, 0, hops});
    engine.wake(0, block);
  }
};

/// Calls home(ring) in rank 0 of three, which the others serve.
void on_ranks(const std::function<void(RankedRing&)>& home,
              const std::vector<std::uint32_t>& failing = {}) {
  test::ThreadRanks all(3);
  all.run([&](std::shared_ptr<Ranks> ranks) {
    RankedRing ring(ranks.get(), failing);
    ring.engine.share(ranks);
    if (ranks->rank() == 0)
      home(ring);
    else
      ring.engine.serve([] { return false; });
  });
  CHECK(all.left() == 0);  // every message has been received
}

TEST_CASE("blocks that others wait for are clocked before the message to them", "[core][ranks]") {
  std::vector<std::uint32_t> order;
  test::ThreadRanks(3).run([&](std::shared_ptr<Ranks> ranks) {
    RankedRing ring(ranks.get());
    ring.engine.set_skip(false);
    ring.engine.share(ranks);
    if (ranks->rank() == 0) return ring.engine.step();
    ring.engine.serve([] { return false; });
    if (ranks->rank() == 1) order = ring.here->order;
  });
  // Block 4 hears home and tells it only with all others; block 7 has a wire to block 8.
  CHECK(order == std::vector<std::uint32_t>{7, 4, 5, 6});
}

TEST_CASE("the first block that fails is the failure at home", "[core][ranks]") {
  on_ranks(
      [](RankedRing& ring) {
        for (const std::uint32_t b : {1u, 5u, 6u, 10u}) ring.start(b, 1);
        try {
          ring.engine.step();
          FAIL("no block has failed");
        } catch (const BlockError& error) {
          CHECK(error.instance() == "sw5");
          CHECK(error.cycle() == 0);
          CHECK(std::string(error.what()) == "block 5 fails");
        }
      },
      {10, 6, 5});
}

TEST_CASE("ranks that do not do the same end at once", "[core][ranks]") {
  const bool cycle = GENERATE(true, false);
  test::ThreadRanks all(3);
  all.run([&](std::shared_ptr<Ranks> ranks) {
    RankedRing ring(ranks.get());
    if (ranks->rank() == 1) cycle ? ring.engine.step() : ring.engine.set_skip(false);
    const auto join = [&] {
      ring.engine.share(ranks);
      if (ranks->rank() == 0) ring.engine.step();
    };
    if (ranks->rank() == 0) {
      CHECK_THROWS_WITH(join(),
                        "cycle 0: rank 1 has clocked other blocks than rank 0 expects; they must "
                        "be one program");
      return;
    }
    join();
    ring.engine.serve([] { return false; });
  });
  CHECK(all.left() == 0);
}

TEST_CASE("a neighbour in another cycle is named", "[core][ranks]") {
  test::ThreadRanks(2).run([&](std::shared_ptr<Ranks> ranks) {
    if (ranks->rank() == 0) {
      HomeLine line(ranks);
      ranks->receive(1);
      line.send_cycle(7, [](std::uint32_t, RankMessage&) {});
      RankReader report(ranks->receive(1));
      CHECK_THROWS_WITH(RankFailure::get(report).raise(),
                        "rank 1 is in cycle 0 and rank 0 in cycle 7; they must be one program");
      line.begin_cycle();
      line.end();
      return;
    }
    RankedRing ring(ranks.get());
    ring.engine.share(ranks);
    ring.engine.serve([] { return false; });
  });
}

TEST_CASE("who reads a block while others run ahead can make no further step", "[core][ranks]") {
  on_ranks([](RankedRing& ring) {
    ring.start(2, 30);
    ring.engine.step();
    ring.engine.run_ahead(true);
    ring.engine.step();
    CHECK(ring.bank->read_register(11, 0) == 0);
    CHECK_THROWS_WITH(ring.engine.step(),
                      "cycle 2: a block was read or changed while other ranks had begun it");
  });
}

}  // namespace

}  // namespace muster::core
