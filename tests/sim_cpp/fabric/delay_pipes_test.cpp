// SPDX-License-Identifier: Apache-2.0
#include "fabric/delay_pipes.hpp"

#include <fmt/format.h>

#include "muster/core/engine.hpp"
#include "support/test.hpp"

namespace muster::fabric {
namespace {

using namespace core;

/// A block of one port without registers.
struct PlainBank : Bank {
  PlainBank() : Bank(1, 1) {}
  std::string describe(std::uint32_t) const override { return {}; }
};

/// Sends numbered flits as fast as its credits allow: of the kinds that it is given in turn.
class Source : public PlainBank {
 public:
  Source(std::uint32_t depth, std::vector<std::uint8_t> vcs, std::vector<std::uint8_t> kinds = {0})
      : vcs_(std::move(vcs)), kinds_(std::move(kinds)) {
    credits_.fill(depth);
  }
  void clock(std::uint64_t, std::span<const std::uint32_t>) override {
    BlockWires& w = wires_[0];
    for (unsigned v = 0; v < 4; ++v) credits_[v] += w.tx_back >> v & 1;
    w = {};
    if (next_ == vcs_.size() || credits_[vcs_[next_]] == 0) return;
    tx(0, 0) = {.lo = next_, .vc = vcs_[next_], .kind = kinds_[next_ % kinds_.size()]};
    --credits_[vcs_[next_++]];
    w.tx_valid = 1;
  }

 private:
  std::vector<std::uint8_t> vcs_, kinds_;
  std::size_t next_ = 0;
  std::array<std::uint32_t, 4> credits_{};
};

/// Keeps flits while it is shut; a flit of an open virtual channel returns its credit at once.
class Sink : public PlainBank {
 public:
  std::vector<std::pair<std::uint64_t, Flit>> seen;  ///< with the cycle on the wires
  unsigned shut = 0;                                 ///< mask of virtual channels
  void clock(std::uint64_t cycle, std::span<const std::uint32_t>) override {
    BlockWires& w = wires_[0];
    if (w.rx_valid != 0) {
      seen.emplace_back(cycle, rx(0, 0));
      ++held_[rx(0, 0).vc];
    }
    w = {};
    for (unsigned v = 0; v < 4; ++v) {
      if (held_[v] == 0 || (shut >> v & 1)) continue;
      --held_[v];
      w.rx_back |= std::uint64_t{1} << v;
    }
  }

 private:
  std::array<std::uint32_t, 4> held_{};
};

/// A source and a sink with a pipe between them.
struct Line {
  core::Engine engine;
  Sink* sink;
  DelayPipes* pipes;

  Line(std::uint32_t delay, std::uint32_t depth, std::vector<std::uint8_t> vcs,
       std::vector<std::uint8_t> kinds = {0}) {
    const PipeConfig config{.delay = delay, .vcs = 4, .depth = depth};
    auto pipe = std::make_unique<DelayPipes>(1, config);
    auto end = std::make_unique<Sink>();
    sink = end.get();
    pipes = pipe.get();
    engine.add_bank(std::make_unique<Source>(depth, std::move(vcs), std::move(kinds)));
    engine.add_bank(std::move(pipe));
    engine.add_bank(std::move(end));
    engine.connect(0, {0, 0, 0}, {1, 0, 0}, 1);
    engine.connect(1, {1, 0, 0}, {2, 0, 0}, 1);
    engine.set_skip(false);
  }
  void run(std::uint64_t cycles) {
    while (engine.cycle() < cycles) engine.step();
  }
};

TEST_CASE("a delay pipe adds its delay and takes no bandwidth", "[network][pipes]") {
  const std::uint32_t delay = GENERATE(1u, 2u, 29u, 100u);
  CAPTURE(delay);
  Line line(delay, 4, std::vector<std::uint8_t>(200, 2));
  line.run(500);
  REQUIRE(line.sink->seen.size() == 200);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto& [cycle, flit] = line.sink->seen[i];
    REQUIRE(flit.lo == i);
    REQUIRE(cycle == 1 + i + delay);  // flit i is on the source's wires in cycle 1 + i
  }
  CHECK(line.pipes->quiescent(0));
}

TEST_CASE("a delay pipe whose receiver is shut holds its delay's flits and the sender's credits",
          "[network][pipes]") {
  const std::uint32_t delay = GENERATE(1u, 5u, 29u), depth = GENERATE(1u, 4u);
  CAPTURE(delay, depth);
  Line line(delay, depth, std::vector<std::uint8_t>(300, 0));
  line.sink->shut = 1;
  line.run(400);
  CHECK(line.sink->seen.size() == depth);
  CHECK(line.pipes->describe(0).find(fmt::format("credits {},0", delay + depth)) !=
        std::string::npos);
  line.sink->shut = 0;
  line.run(2000);
  REQUIRE(line.sink->seen.size() == 300);
  for (std::uint64_t i = 0; i < 300; ++i) REQUIRE(line.sink->seen[i].second.lo == i);
  CHECK(line.pipes->quiescent(0));
}

TEST_CASE("a virtual channel that is shut does not hold up the others in a delay pipe",
          "[network][pipes]") {
  std::vector<std::uint8_t> vcs;
  for (unsigned i = 0; i < 40; ++i) vcs.push_back(i < 8 ? i % 2 : 1);
  Line line(10, 4, vcs);
  line.sink->shut = 1;
  line.run(300);
  unsigned passed = 0;
  for (const auto& [cycle, flit] : line.sink->seen) passed += flit.vc == 1;
  CHECK(passed == 36);
  line.sink->shut = 0;
  line.run(600);
  CHECK(line.sink->seen.size() == 40);
}

TEST_CASE("an occupied input takes a header every so many cycles, and its packet behind it",
          "[network][pipes]") {
  const std::uint32_t occupancy = GENERATE(3u, 4u, 32u), delay = GENERATE(1u, 30u);
  CAPTURE(occupancy, delay);
  Line line(delay, 4, std::vector<std::uint8_t>(60, 1), {Flit::kHead, 0, Flit::kTail});
  line.pipes->occupy(0, occupancy);
  line.run(1000);
  REQUIRE(line.sink->seen.size() == 60);
  for (std::uint64_t i = 0; i < 60; ++i) {
    REQUIRE(line.sink->seen[i].second.lo == i);
    REQUIRE(line.sink->seen[i].first == 1 + delay + i / 3 * occupancy + i % 3);
  }
  CHECK(line.pipes->quiescent(0));
}

TEST_CASE("a header that waits for an occupied input lets other packets' flits by",
          "[network][pipes]") {
  // Two packets at once: the head of the second waits, the first one's flits go on.
  Line line(5, 4, {0, 1, 0, 1, 0, 1}, {Flit::kHead, Flit::kHead, 0, 0, Flit::kTail, Flit::kTail});
  line.pipes->occupy(0, 20);
  line.run(200);
  std::vector<std::uint64_t> order, cycles;
  for (const auto& [cycle, flit] : line.sink->seen) {
    order.push_back(flit.lo);
    cycles.push_back(cycle);
  }
  CHECK(order == std::vector<std::uint64_t>{0, 2, 4, 1, 3, 5});
  CHECK(cycles == std::vector<std::uint64_t>{6, 8, 10, 26, 27, 28});
}

TEST_CASE("a delay pipe whose receiver frees no barrier buffer holds its delay's messages",
          "[network][pipes]") {
  constexpr std::uint32_t kDelay = 10, kAll[] = {0};
  DelayPipes pipe(1, {.delay = kDelay, .vcs = 1, .sync_credits = SyncCredits::kBuffer});
  bool room = true, begun = false;
  std::uint32_t sent = 0, came = 0, owed = 0;  // messages of two flits
  std::uint64_t cycle = 0;
  const auto run = [&](bool frees) {
    for (const std::uint64_t end = cycle + 300; cycle < end; ++cycle) {
      BlockWires& w = pipe.wires(0);
      room |= (w.rx_back & 2) != 0;
      const bool whole = w.tx_valid != 0 && pipe.tx(0, 0).kind == Flit::kSync;
      came += whole;
      owed += whole;
      if (frees && owed > 0) {
        --owed;
        w.tx_back = 2;
      }
      if (begun || room) {
        pipe.rx(0, 0) = {.kind = begun ? Flit::kSync : Flit::kFirst};
        w.rx_valid = 1;
        sent += begun;
        room &= begun;
        begun = !begun;
      }
      pipe.clock(cycle, kAll);
    }
  };
  run(false);
  CHECK(came == 1);
  CHECK(sent >= kDelay / 2);
  CHECK(sent <= kDelay / 2 + 3);
  const std::uint32_t held = sent;
  run(true);
  CHECK(sent > 60);
  CHECK(sent - came <= held);
}

}  // namespace
}  // namespace muster::fabric
