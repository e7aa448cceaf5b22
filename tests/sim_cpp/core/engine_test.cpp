// SPDX-License-Identifier: Apache-2.0
#include "muster/core/engine.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/bits.hpp"
#include "muster/core/error.hpp"
#include "muster/core/observer.hpp"
#include "support/random.hpp"

namespace muster::test {

/// Two-port blocks that send what arrives on one port out of the other in the next cycle, with
/// `lo` one lower, until it is 0; a credit goes back for every flit. It starts by itself what is in
/// `starts`: in cycle c a flit of that many hops leaves port 1.
class EchoBank : public core::Bank, public core::Divisible {
 public:
  explicit EchoBank(std::uint32_t blocks, bool divided = false)
      : Bank(blocks, 2), credits(blocks, 0), ended(blocks, 0), divided_(divided) {
    quiescent_.assign(blocks, 1);
  }

  std::multimap<std::uint64_t, std::pair<std::uint32_t, std::uint64_t>> starts;
  std::set<std::uint32_t> failing, failing_late;
  std::vector<std::uint32_t> credits, ended;  ///< received, and flits that came at 0, by block

  core::Divisible* divisible() override { return divided_ ? this : nullptr; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
    clock_rest(cycle, 0, blocks());
  }
  bool has_rest() const override { return true; }
  void clock_some(std::uint64_t, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      if (failing.contains(b)) throw InternalError("block {} fails", b);
      core::BlockWires& w = wires(b);
      w.tx_valid = 0;
      w.rx_back = 0;
      credits[b] += static_cast<std::uint32_t>(std::popcount(w.tx_back));
      for (std::uint32_t p = 0; p < 2; ++p) {
        if (!(w.rx_valid >> p & 1)) continue;
        w.rx_back |= std::uint64_t{1} << (4 * p + rx(b, p).vc);
        if (rx(b, p).lo == 0) {
          ++ended[b];
          continue;
        }
        tx(b, 1 - p) = rx(b, p);
        --tx(b, 1 - p).lo;
        w.tx_valid |= 2u >> p;
      }
      w.rx_valid = 0;
      w.tx_back = 0;
      quiescent_[b] = w.tx_valid == 0 && w.rx_back == 0;
    }
  }
  void clock_rest(std::uint64_t cycle, std::uint32_t first, std::uint32_t last) override {
    for (std::uint32_t b = first; b < last; ++b)
      if (failing_late.contains(b)) throw InternalError("block {} fails", b);
    for (auto [at, end] = starts.equal_range(cycle); at != end; ++at) {
      const auto [block, hops] = at->second;
      if (block < first || block >= last) continue;
      tx(block, 1) = {.lo = hops, .hi = static_cast<std::uint16_t>(block)};
      wires(block).tx_valid |= 2;
      quiescent_[block] = 0;
    }
  }
  void write_register(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  std::uint32_t read_register(std::uint32_t, std::uint32_t) override { return 0; }
  std::string describe(std::uint32_t) const override { return "echo"; }

 private:
  bool divided_;
};

}  // namespace muster::test

namespace muster::core {
namespace {

TEST_CASE("PortWords: all ports of all blocks of a word have places of their own, and are found",
          "[core]") {
  for (std::uint32_t ports = 1; ports <= 16; ++ports) {
    with_port_width(ports, [&](auto width) {
      using Words = PortWords<width>;
      std::uint64_t together = 0, apart = 0;
      for (std::uint32_t block = 0; block < Words::kBlocks; ++block) {
        for (std::uint32_t port = 0; port < ports; ++port) {
          const std::uint32_t t = Words::together(block) + port;
          const std::uint32_t a = Words::apart(block) + 4 * port;
          REQUIRE(t < 64);
          REQUIRE(a < 64);
          REQUIRE(((together >> t | apart >> a) & 1) == 0);
          together |= std::uint64_t{1} << t;
          apart |= std::uint64_t{1} << a;
          CHECK(Words::together_block(t) == block);
          CHECK(Words::together_port(t) == port);
          CHECK(Words::apart_block(a) == block);
          CHECK(Words::apart_port(a) == port);
          // Words are numbered through.
          CHECK(Words::together_block(t + 64) == block + Words::kBlocks);
          CHECK(Words::apart_block(a + 64) == block + Words::kBlocks);
        }
      }
    });
  }
}

TEST_CASE("the digest depends on every field of an event and on no order", "[network][digest]") {
  const auto of = [](std::uint64_t cycle, std::vector<FlitEvent> flits,
                     std::vector<CreditEvent> credits) {
    Digest digest;
    digest.observe(cycle, flits, credits);
    return digest.value();
  };
  const Flit a{.lo = 1, .hi = 2, .vc = 1, .kind = Flit::kHead}, b{.lo = 5};
  CHECK(of(3, {{1, a}, {2, b}}, {{4, 1}, {5, 2}}) == of(3, {{2, b}, {1, a}}, {{5, 2}, {4, 1}}));

  Flit lo = a, hi = a, vc = a, kind = a;
  lo.lo ^= 1, hi.hi ^= 1, vc.vc ^= 1, kind.kind ^= 1;
  const std::set<std::uint64_t> digests{
      of(3, {{1, a}}, {}),        of(4, {{1, a}}, {}),  of(3, {{2, a}}, {}),
      of(3, {{1, lo}}, {}),       of(3, {{1, hi}}, {}), of(3, {{1, vc}}, {}),
      of(3, {{1, kind}}, {}),     of(3, {}, {}),        of(3, {}, {{1, 1}}),
      of(3, {}, {{1, 2}}),        of(3, {}, {{2, 1}}),  of(4, {}, {{1, 1}}),
      of(3, {{1, a}, {1, a}}, {})};
  CHECK(digests.size() == 13);
}

/// Cycles in which channels carried something.
using Carried = std::vector<std::pair<std::uint64_t, ChannelId>>;

struct Log : Observer {
  Carried flits, credits;
  std::uint64_t cycles = 0;
  bool drained = false;
  void observe(std::uint64_t cycle, std::span<const FlitEvent> f,
               std::span<const CreditEvent> c) override {
    REQUIRE(cycle == cycles);
    ++cycles;
    for (const auto& e : f) flits.emplace_back(cycle, e.channel);
    for (const auto& e : c) credits.emplace_back(cycle, e.channel);
  }
  void finish(std::uint64_t, bool d) override { drained = d; }
};

/// A ring of echo blocks: channel b goes from port 1 of block b to port 0 of the next.
struct Ring {
  Engine engine;
  test::EchoBank* bank;
  Ring(std::uint32_t blocks, const std::vector<std::uint32_t>& latencies, bool divided = false) {
    auto owned = std::make_unique<test::EchoBank>(blocks, divided);
    bank = owned.get();
    engine.add_bank(std::move(owned));
    for (std::uint32_t b = 0; b < blocks; ++b) {
      engine.connect(b, {0, b, 1}, {0, (b + 1) % blocks, 0}, latencies[b % latencies.size()]);
    }
  }
  void run(std::uint64_t cycles) {
    while (engine.cycle() < cycles) engine.step();
  }
};

TEST_CASE("a flit is on the next wires one cycle after the link latency", "[network][engine]") {
  const std::uint32_t latency = GENERATE(1u, 2u, 3u, 255u);
  CAPTURE(latency);
  Ring ring(3, {latency});
  Log log;
  ring.engine.observe_with(log);
  ring.bank->starts.emplace(4, std::pair{0u, 2u});  // clocked in 4, on the wires in 5
  ring.run(1100);
  REQUIRE(log.flits == Carried{{5, 0}, {5 + latency, 1}, {5 + 2 * latency, 2}});
  // The flit arrives in cycle 5 + L - 1, its credit is on the wires in the next cycle.
  REQUIRE(log.credits == Carried{{5 + latency, 0}, {5 + 2 * latency, 1}, {5 + 3 * latency, 2}});
  REQUIRE(ring.bank->ended == std::vector<std::uint32_t>{1, 0, 0});
  REQUIRE(ring.bank->credits == std::vector<std::uint32_t>{1, 1, 1});
  REQUIRE(ring.engine.idle());
}

/// Blocks of 40 ports, so of three rows: each answers a flit with a credit, and sends what is in
/// `starts` by port.
class RowBank : public Bank {
 public:
  RowBank() : Bank(2, 40) {}
  std::multimap<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> starts;  ///< block, port
  std::vector<std::array<std::uint64_t, 3>> flits, credits;  ///< cycle, block and port

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake)
      for (std::uint32_t p = 0; p < 40; ++p) {
        BlockWires& w = wires(b, p / kRowPorts);
        const std::uint32_t at = p % kRowPorts;
        if (at == 0) w.tx_valid = 0, w.rx_back = 0;
        if ((w.tx_back >> 4 * at & 15) != 0) credits.push_back({cycle, b, p});
        if ((w.rx_valid >> at & 1) == 0) continue;
        REQUIRE(rx(b, p).lo == p);
        flits.push_back({cycle, b, p});
        w.rx_back |= std::uint64_t{2} << 4 * at;
      }
    for (std::uint32_t b = 0; b < 2; ++b) {
      quiescent_[b] = 0;
      for (std::uint32_t row = 0; row < rows(); ++row)
        wires(b, row).rx_valid = 0, wires(b, row).tx_back = 0;
    }
    for (auto [at, end] = starts.equal_range(cycle); at != end; ++at) {
      const auto [b, p] = at->second;
      tx(b, p).lo = p == 33 ? 17 : 39;
      wires(b, p / kRowPorts).tx_valid |= 1u << p % kRowPorts;
    }
  }
  std::string describe(std::uint32_t) const override { return "rows"; }
};

TEST_CASE("ports of all rows of a block are joined as others", "[network][engine]") {
  using Seen = std::vector<std::array<std::uint64_t, 3>>;
  Engine engine;
  auto owned = std::make_unique<RowBank>();
  RowBank& bank = *owned;
  engine.add_bank(std::move(owned));
  engine.set_skip(false);
  engine.connect(0, {0, 0, 33}, {0, 1, 17}, 1);
  engine.connect(1, {0, 1, 0}, {0, 0, 39}, 3);
  bank.starts.emplace(2, std::pair{0u, 33u});
  bank.starts.emplace(2, std::pair{1u, 0u});
  bank.starts.emplace(9, std::pair{0u, 33u});
  while (engine.cycle() < 8) engine.step();
  CHECK(bank.flits == Seen{{3, 1, 17}, {5, 0, 39}});
  CHECK(bank.credits == Seen{{4, 0, 33}});
  engine.kill(0, 1);
  while (engine.cycle() < 20) engine.step();
  CHECK(bank.flits.size() == 2);
  CHECK(bank.credits.size() == 1);
}

TEST_CASE("the network is not idle while a flit or a credit is on a long wire",
          "[network][engine]") {
  Ring ring(2, {20});
  ring.bank->starts.emplace(0, std::pair{0u, 0u});
  ring.run(1);
  CHECK_FALSE(ring.engine.idle());
  ring.run(2 + 19);  // arrives in cycle 20, the credit leaves in 21
  CHECK_FALSE(ring.engine.idle());
  ring.run(40);
  CHECK_FALSE(ring.engine.idle());
  ring.run(42);
  CHECK(ring.engine.idle());
  CHECK(ring.bank->credits[0] == 1);
}

TEST_CASE("a dead block is clocked no more, sends nothing and gets nothing",
          "[network][engine][death]") {
  const bool skip = GENERATE(true, false);
  const std::uint32_t latency = GENERATE(1u, 4u);
  CAPTURE(skip, latency);
  Ring ring(3, {latency});
  Log log;
  ring.engine.observe_with(log);
  ring.engine.set_skip(skip);
  ring.bank->starts.emplace(0, std::pair{0u, 100u});  // on the wires of channel 0 in cycle 1
  SECTION("what it has on its outputs is gone") {
    ring.run(1);
    ring.engine.kill(0, 0);
    ring.run(20);
    CHECK(log.flits.empty());
    CHECK(ring.engine.clocked(0) == (skip ? 0 : 1 + 2 * 20));
  }
  SECTION("what is on the way to it is lost, and seen") {
    ring.run(2);
    ring.engine.kill(0, 1);
    ring.run(30);
    // Over one cycle it had arrived, and was on its outputs.
    CHECK(log.flits == Carried{{1, 0}});
    CHECK(log.credits.empty());
  }
  SECTION("it does not wake by itself or by others") {
    ring.engine.kill(0, 0);
    ring.engine.wake(0, 0);
    ring.bank->starts.emplace(3, std::pair{1u, 100u});  // through 2, to 0
    ring.run(30);
    CHECK(log.flits.size() == 2);
    CHECK(ring.bank->credits == std::vector<std::uint32_t>{0, 1, 0});
  }
  CHECK(ring.engine.idle());
}

/// Every third flit is lost, every fifth comes twice.
struct Losses : Disturbance {
  Arriving pass(std::uint32_t wire, std::uint64_t cycle, const Flit& flit) override {
    ++asked;
    return {.count = cycle % 3 == wire % 3 ? 0u : cycle % 5 == 0 ? 2u : 1u, .flits = {flit, flit}};
  }
  std::uint64_t asked = 0;
};

TEST_CASE("threads change nothing, with banks of all kinds, any latency, losses and deaths",
          "[network][engine][threads]") {
  const bool skip = GENERATE(true, false), lossy = GENERATE(false, true);
  const std::uint32_t blocks = GENERATE(5u, 90u, 1000u);  // of each of three banks
  const std::uint64_t seed = muster_seed();
  CAPTURE(skip, lossy, blocks, seed);
  struct Outcome {
    Carried flits, credits;
    std::vector<std::uint32_t> returned, ended;
    std::uint64_t clocked = 0, asked = 0;
    bool idle = false;
    bool operator==(const Outcome&) const = default;
  };
  const auto run = [&](std::vector<unsigned> threads) {
    Random rng(seed);
    Engine engine;
    std::vector<test::EchoBank*> banks;
    for (const bool divided : {true, false, true}) {
      auto owned = std::make_unique<test::EchoBank>(blocks, divided);
      banks.push_back(owned.get());
      engine.add_bank(std::move(owned));
    }
    const std::uint32_t all = 3 * blocks;
    for (std::uint32_t b = 0; b < all; ++b) {
      const std::uint32_t to = (b + 1) % all;
      engine.connect(b, {b % 3, b / 3, 1}, {to % 3, to / 3, 0}, 1 + b % 4);
    }
    Log log;
    Losses losses;
    engine.observe_with(log);
    engine.set_skip(skip);
    for (int i = 0; i < 100; ++i)
      banks[rng.below(3u)]->starts.emplace(rng.below(100), std::pair{rng.below(blocks), 40});
    for (std::uint32_t wire = 0; lossy && wire < all; wire += 4)
      engine.disturb({wire % 3, wire / 3, 1}, wire, losses);
    for (std::size_t part = 0; part < threads.size(); ++part) {
      engine.use_threads(threads[part]);
      while (engine.cycle() < 40 * (part + 1)) engine.step();
      if (part == 1) engine.kill(0, blocks / 2);
    }
    std::ranges::sort(log.credits);
    Outcome outcome{log.flits, log.credits, {}, {}, 0, losses.asked, engine.idle()};
    for (std::uint32_t bank = 0; bank < 3; ++bank) {
      const test::EchoBank& of = *banks[bank];
      outcome.returned.insert(outcome.returned.end(), of.credits.begin(), of.credits.end());
      outcome.ended.insert(outcome.ended.end(), of.ended.begin(), of.ended.end());
      outcome.clocked += engine.clocked(bank);
    }
    return outcome;
  };
  const Outcome one = run({1, 1, 1, 1, 1, 1});
  CHECK(one.flits.size() > 500);
  CHECK(run({2, 2, 2, 2, 2, 2}) == one);
  CHECK(run({3, 8, 1, 2, 5, 250}) == one);
}

/// Compares what partitions are shown in a cycle with what there is in all of it.
struct Parts : Observer, DividedObserver {
  struct Shown {
    std::vector<std::pair<ChannelId, std::uint64_t>> sent, entering;  ///< `lo` of the flit
    std::vector<ChannelId> credits;
  };
  DividedObserver* divided() override { return this; }
  bool divide(std::size_t partitions, std::span<const EndPartitions> of) override {
    shown.resize(partitions);
    ends.assign(of.begin(), of.end());
    return true;
  }
  void observe_partition(std::size_t partition, std::uint64_t cycle,
                         std::span<const FlitEvent> sent, std::span<const FlitEvent> entering,
                         std::span<const CreditEvent> credits) override {
    Shown& here = shown[partition] = {};
    for (const FlitEvent& e : sent) here.sent.emplace_back(e.channel, e.flit.lo);
    for (const FlitEvent& e : entering) here.entering.emplace_back(e.channel, e.flit.lo);
    for (const CreditEvent& e : credits) here.credits.push_back(e.channel);
    looked += cycle + 1;
  }
  void observe(std::uint64_t cycle, std::span<const FlitEvent> flits,
               std::span<const CreditEvent> credits) override {
    CHECK(looked.exchange(0) == shown.size() * (cycle + 1));
    std::vector<Shown> wanted(shown.size());
    for (const FlitEvent& e : flits) {
      const auto [sender, receiver] = ends.at(e.channel);
      wanted[sender].sent.emplace_back(e.channel, e.flit.lo);
      if (sender == receiver) continue;
      wanted[receiver].entering.emplace_back(e.channel, e.flit.lo);
      ++crossing;
    }
    for (const CreditEvent& e : credits)
      wanted[ends.at(e.channel).receiver].credits.push_back(e.channel);
    for (std::size_t p = 0; p < shown.size(); ++p) {
      std::ranges::sort(shown[p].entering);
      std::ranges::sort(wanted[p].entering);
      CHECK(shown[p].sent == wanted[p].sent);
      CHECK(shown[p].entering == wanted[p].entering);
      CHECK(shown[p].credits == wanted[p].credits);
    }
  }
  std::vector<Shown> shown;
  std::vector<EndPartitions> ends;
  std::atomic<std::uint64_t> looked = 0;
  std::uint64_t crossing = 0;
};

TEST_CASE("a divided observer is shown each partition, and flits that come to it from others",
          "[network][engine][threads]") {
  const unsigned threads = GENERATE(2u, 7u);
  Ring ring(1000, {1, 2, 4}, true);
  Parts parts;
  ring.engine.observe_with(parts);
  ring.engine.use_threads(threads);
  for (std::uint32_t b = 0; b < 1000; b += 3) ring.bank->starts.emplace(b % 7, std::pair{b, 200});
  ring.run(60);
  ring.engine.kill(0, 500);
  ring.run(120);
  CHECK(parts.shown.size() == threads);
  CHECK(parts.crossing > 10);
  ring.engine.use_threads(threads + 1);
  CHECK_THROWS_WITH(ring.engine.step(), Catch::Contains("divided after the first cycle"));
}

TEST_CASE("of several blocks that fail in a cycle the first is reported, whatever the threads",
          "[engine][threads]") {
  const unsigned threads = GENERATE(1u, 2u, 5u);
  CAPTURE(threads);
  Ring ring(300, {1}, true);
  ring.engine.use_threads(threads);
  ring.engine.set_skip(false);
  ring.run(20);
  const std::string where = GENERATE("first", "rest");
  (where == "first" ? ring.bank->failing : ring.bank->failing_late) = {299, 40, 45, 200};
  CHECK_THROWS_WITH(ring.engine.step(), "block 40 fails");
}

TEST_CASE("an end takes one channel of a direction, of a latency in range", "[network][engine]") {
  Ring ring(2, {1});
  CHECK_THROWS_AS(ring.engine.connect(9, {0, 0, 1}, {0, 1, 1}, 1), InternalError);
  CHECK_THROWS_AS(ring.engine.connect(9, {0, 0, 0}, {0, 1, 0}, 1), InternalError);
  CHECK_THROWS_AS(ring.engine.connect(9, {0, 0, 0}, {0, 1, 1}, 0), InternalError);
  CHECK_THROWS_AS(ring.engine.connect(9, {0, 0, 0}, {0, 1, 1}, 256), InternalError);
}

}  // namespace

}  // namespace muster::core
