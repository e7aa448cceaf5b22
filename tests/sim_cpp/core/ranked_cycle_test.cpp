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
#include "muster/core/observer.hpp"
#include "support/thread_ranks.hpp"

namespace muster::test {

/// Two-port blocks that send what arrives at port 0 out of port 1 in the next cycle, with `lo` one
/// lower until it is 0, and a credit back. A request to register 0 starts a flit of that many hops,
/// a write asks for the host.
class PassingBank : public core::Bank, public core::Divisible {
 public:
  explicit PassingBank(std::uint32_t blocks, std::vector<std::uint32_t> failing = {})
      : Bank(blocks, 2), failing_(std::move(failing)), values_(blocks, 0), hops_(blocks, 0) {
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
      ++values_[b];
    }
  }
  void request(const core::RegisterRequest& request) override {
    hops_[request.block] = request.value;
  }
  void write_register(std::uint32_t b, std::uint32_t, std::uint32_t value) override {
    values_[b] = value;
    irq_[b] = value != 0;
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    if (address != 0) throw InternalError("no such register");
    ++compared_;
    return values_[b];
  }
  std::string describe(std::uint32_t b) const override {
    return "block " + std::to_string(b) + " has " + std::to_string(values_[b]);
  }
  void reset(std::uint32_t b) override {
    wires(b) = {};
    quiescent_[b] = 1;
    irq_[b] = 0;
    values_[b] = 0;
  }
  std::uint64_t comparisons() const override { return order.size() + compared_; }

 private:
  void send(std::uint32_t b, std::uint64_t hops) {
    tx(b, 1) = {.lo = hops, .hi = static_cast<std::uint16_t>(b)};
    wires(b).tx_valid = 2;
  }
  std::vector<std::uint32_t> failing_, values_, hops_;
  std::uint64_t compared_ = 0;
};

}  // namespace muster::test

namespace muster::core {
namespace {

constexpr std::uint32_t kBlocks = 12;

/// A ring of blocks: channel b goes from block b to the next. Four in a row of each of three ranks,
/// or all of one process.
struct RankedRing {
  Engine engine;
  Digest digest;
  test::PassingBank* here;
  Bank* bank;

  explicit RankedRing(Ranks* ranks, std::vector<std::uint32_t> failing = {},
                      std::uint32_t latency = 1) {
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
      engine.connect(b, {0, b, 1}, {0, (b + 1) % kBlocks, 0}, b % 5 == 3 ? latency : 1);
    engine.observe_with(digest);
  }
  void start(std::uint32_t block, std::uint32_t hops) {
    bank->request({block, true, 0, hops});
    engine.wake(0, block);
  }
  void run(std::uint64_t until) {
    while (engine.cycle() < until) engine.step();
  }
};

/// Calls home(ring) in rank 0 of three, which the others serve. `prepare(ring, rank)` is called in
/// all of them before they are joined.
void on_ranks(const std::function<void(RankedRing&)>& home,
              const std::function<void(RankedRing&, std::uint32_t)>& prepare = {},
              const std::vector<std::uint32_t>& failing = {}, std::uint32_t latency = 1) {
  test::ThreadRanks all(3);
  all.run([&](std::shared_ptr<Ranks> ranks) {
    RankedRing ring(ranks.get(), failing, latency);
    if (prepare) prepare(ring, ranks->rank());
    ring.engine.share(ranks);
    if (ranks->rank() == 0)
      home(ring);
    else
      ring.engine.serve([] { return false; });
  });
  CHECK(all.left() == 0);  // every message has been received
}

TEST_CASE("ranks see what one process sees, whether others run ahead or not", "[core][ranks]") {
  const std::uint32_t latency = GENERATE(1u, 3u);
  const bool skip = GENERATE(true, false);
  CAPTURE(latency, skip);
  const auto work = [&](RankedRing& ring, bool ahead) {
    ring.start(2, 30);
    ring.start(9, 7);
    ring.engine.step();
    ring.engine.run_ahead(ahead);
    ring.run(59);
    ring.engine.run_ahead(false);
    ring.engine.step();
    return std::tuple{ring.digest.value(), ring.engine.clocked(0), ring.engine.idle(),
                      ring.bank->read_register(7, 0), ring.bank->comparisons()};
  };
  RankedRing one(nullptr, {}, latency);
  one.engine.set_skip(skip);
  const auto expected = work(one, false);
  CHECK(one.digest.flits() == 39);
  for (const bool ahead : {false, true})
    on_ranks([&](RankedRing& ring) { CHECK(work(ring, ahead) == expected); },
             [&](RankedRing& ring, std::uint32_t) { ring.engine.set_skip(skip); }, {}, latency);
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

TEST_CASE("home reads and writes registers of blocks of others", "[core][ranks]") {
  on_ranks(
      [](RankedRing& ring) {
        CHECK(ring.bank->read_register(6, 0) == 11);
        CHECK(ring.bank->irq(6));
        ring.bank->write_register(8, 0, 88);
        CHECK(ring.bank->irq(8));
        CHECK(ring.bank->describe(8) == "block 8 has 88");
        ring.engine.reset(0, 8);
        CHECK_FALSE(ring.bank->irq(8));
        CHECK_THROWS_WITH(ring.bank->read_register(5, 1), "no such register");
      },
      [](RankedRing& ring, std::uint32_t) { ring.bank->write_register(6, 0, 11); });
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
      {}, {10, 6, 5});
}

TEST_CASE("a dead block of one rank is dead to the others, a reset one silent once",
          "[core][ranks]") {
  const auto work = [](RankedRing& ring) {
    ring.start(2, 40);
    ring.run(5);  // on the wires from block 6 to 7
    ring.engine.reset(0, 7);
    ring.run(6);
    ring.engine.reset(0, 7);  // it drives the wires to another rank
    ring.run(12);
    ring.start(2, 40);
    ring.run(18);
    ring.engine.kill(0, 8);
    ring.run(40);
    return std::tuple{ring.digest.value(), ring.digest.flits(), ring.engine.clocked(0)};
  };
  RankedRing one(nullptr);
  const auto expected = work(one);
  on_ranks([&](RankedRing& ring) { CHECK(work(ring) == expected); });
}

TEST_CASE("a stopped channel between two ranks loses what is put there", "[core][ranks]") {
  const bool flits = GENERATE(true, false);
  const auto work = [&](RankedRing& ring) {
    ring.start(2, 40);
    ring.run(3);
    ring.engine.stop_channel(7, flits, !flits);
    ring.run(40);
    return std::pair{ring.digest.value(), ring.engine.clocked(0)};
  };
  RankedRing one(nullptr);
  const auto expected = work(one);
  on_ranks([&](RankedRing& ring) { CHECK(work(ring) == expected); });
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

TEST_CASE("what one rank has put on cut wires is what the other gets", "[core][ranks]") {
  test::PassingBank bank(3);
  CutWires cut;
  for (const std::uint32_t b : {0u, 2u})
    cut.begins.push_back({0, b, 2, 0xf0, &bank.wires(b), &bank.tx(b, 0)});
  bank.wires(0) = {.rx_valid = 1, .tx_valid = 3, .tx_back = 1, .rx_back = 0x5f};
  bank.tx(0, 1).lo = 77;
  RankMessage message;
  cut.put(message);
  RankReader reader(message.bytes());
  std::string got;
  const auto name = [](const CutWires::Begin& begin, std::uint32_t port) {
    return std::to_string(begin.block) + ":" + std::to_string(port) + " ";
  };
  cut.get(
      reader,
      [&](const auto& begin, std::uint32_t port, const Flit& flit) {
        got += name(begin, port) + "flit " + std::to_string(flit.lo) + ", ";
      },
      [&](const auto& begin, std::uint32_t port, std::uint8_t credits) {
        got += name(begin, port) + "credits " + std::to_string(credits);
      });
  CHECK(got == "0:1 flit 77, 0:1 credits 5");
}

}  // namespace

}  // namespace muster::core
