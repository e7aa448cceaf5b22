// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/delivery.hpp"

#include "stage.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("the table of travelling packets behaves like a queue for each flow",
          "[checkers][packet_table]") {
  Random rng(muster_seed());
  PacketTable table(3, 2);
  using Flow = std::array<std::uint32_t, 3>;
  std::map<Flow, std::deque<std::uint64_t>> model;
  std::map<Flow, std::uint16_t> sent;
  std::size_t count = 0;
  for (std::uint64_t cycle = 0; cycle < 20000; ++cycle) {
    const Flow flow{rng.below(3), rng.below(3), rng.below(2)};
    const auto vc = static_cast<std::uint8_t>(flow[2]);
    auto& queue = model[flow];
    // Fills for a while, then empties for a while.
    if (rng.below(3) < (cycle / 1000 % 2 ? 1u : 2u)) {
      const auto h = table.add(flow[0], flow[1], vc, cycle);
      REQUIRE(table[h].sequence == sent[flow]++);
      queue.push_back(cycle);
      ++count;
    } else if (!queue.empty()) {
      table.remove_oldest(flow[0], flow[1], vc);
      queue.pop_front();
      --count;
    }
    const auto h = table.oldest_of(flow[0], flow[1], vc);
    REQUIRE((h == PacketTable::kNone) == queue.empty());
    if (!queue.empty()) REQUIRE(table[h].injected == queue.front());
    REQUIRE(table.size() == count);
    std::uint64_t oldest = ~std::uint64_t{0};
    for (const auto& [key, cycles] : model)
      if (!cycles.empty()) oldest = std::min(oldest, cycles.front());
    REQUIRE((table.oldest() == PacketTable::kNone) == (count == 0));
    if (count) REQUIRE(table[table.oldest()].injected == oldest);
  }
}

using Flits = std::vector<core::Flit>;

struct WatchedFlows {
  Stage stage;
  Delivery checker{stage.subject()};
  std::uint64_t cycle = 0;

  /// A packet from n0.
  Flits packet(std::uint16_t sequence, std::uint32_t destination = 3, std::uint8_t vc = 1,
               std::uint32_t length = 6) const {
    const fabric::Packet packet{0, destination, length, sequence, vc, 0};
    Flits flits;
    for (std::uint32_t i = 0; i < length; ++i)
      flits.push_back(stage.formats.packet_flit(packet, i));
    return flits;
  }
  std::string put(core::ChannelId channel, const Flits& flits) {
    return report_of([&] {
      for (const auto& flit : flits) checker.flit(cycle++, {channel, flit});
    });
  }
  std::string send(const Flits& flits) { return put(Stage::kFromN0, flits); }
  std::string receive(const Flits& flits) { return put(Stage::kToN3, flits); }
};

TEST_CASE("sequence numbers wrap", "[checkers][delivery]") {
  WatchedFlows w;
  for (std::uint32_t i = 0; i < 65540; ++i) {
    REQUIRE(w.send(w.packet(static_cast<std::uint16_t>(i), 3, 0, 3)) == "");
    if (i == 0) continue;  // one always under way
    REQUIRE(w.receive(w.packet(static_cast<std::uint16_t>(i - 1), 3, 0, 3)) == "");
  }
}

TEST_CASE("loss, disorder, repetition and invention are reported", "[checkers][delivery]") {
  const auto after = [](std::initializer_list<std::uint16_t> came, const char* token, auto&& last) {
    WatchedFlows w;
    for (const std::uint16_t sequence : {0, 1}) REQUIRE(w.send(w.packet(sequence)) == "");
    for (const std::uint16_t sequence : came) CHECK(w.receive(w.packet(sequence)) == "");
    CHECK_THAT(last(w), Contains(token));
  };
  const auto again = [](std::uint16_t sequence) {
    return [=](WatchedFlows& w) { return w.receive(w.packet(sequence)); };
  };
  after({},
        "1:2 -> n3: checker delivery: packet 1 of n0 to n3 in virtual channel 1 out of order or "
        "packet 0 lost",
        again(1));
  after({0}, "ejected again", again(0));
  after({0, 1}, "is not in flight", again(1));
  after({0},
        "1 packets lost, the oldest is 1 of n0 to n3 in virtual channel 1, injected in cycle 6",
        [](auto& w) {
          w.checker.finish(99, false);
          return report_of([&] { w.checker.finish(99, true); });
        });
  after({}, "is not in flight", [](auto& w) { return w.receive(w.packet(0, 3, 0)); });
  after({}, "destination 3 ejected at n2",
        [](auto& w) { return w.put(Stage::kToN2, w.packet(0)); });
  after({}, "before all of it was sent", [](auto& w) {
    const Flits flits = w.packet(0, 3, 0);
    REQUIRE(w.send({flits[0], flits[1], flits[2]}) == "");
    return w.receive(flits);
  });
}

TEST_CASE("any change of a packet on its way is reported", "[checkers][delivery]") {
  Random rng(muster_seed());
  for (int trial = 0; trial < 2000; ++trial) {
    WatchedFlows w;
    Flits flits = w.packet(0, 3, 1, 3 + rng.below(6));
    REQUIRE(w.send(flits) == "");
    const auto i = rng.below(flits.size());
    switch (rng.below(4)) {
      case 0:
        flits[i].lo ^= std::uint64_t{1} << rng.below(16);
        break;
      case 1:
        flits.erase(flits.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      case 2:
        flits.insert(flits.begin() + static_cast<std::ptrdiff_t>(i), flits[i]);
        break;
      default:
        if (i + 1 == flits.size() || flits[i] == flits[i + 1]) continue;
        std::swap(flits[i], flits[i + 1]);
    }
    // What has lost its tail, or hides behind one, shows when the network is empty.
    CHECK(w.receive(flits) + report_of([&] { w.checker.finish(99, true); }) != "");
  }
}

TEST_CASE("a source that does not keep to the format is reported", "[checkers][delivery]") {
  const auto sent = [](std::size_t flit, std::uint64_t bits, const char* token) {
    WatchedFlows w;
    Flits flits = w.packet(0);
    flits[flit].lo ^= bits;
    CHECK_THAT(w.send(flits), Contains(token));
  };
  sent(1, 1, "names source n1 and stream 1, sent by n0 in 1");
  sent(1, 1 << 11, "stream 0");
  sent(2, 1, "numbered 1, the next is 0");
  sent(0, 3 ^ 4, "destination 4, which is not a node");
  sent(0, 30 << 11, "reserved opcode 30");
  WatchedFlows w;
  CHECK_THAT(w.send({w.packet(0)[0], Stage::flit(kTail, 1 << 11, 1)}), Contains("of 2 flits"));
}

/// Owes what it is told to.
struct Debtor : OwedMessages {
  std::optional<OwedMessage> owed;
  std::optional<OwedMessage> oldest_owed() override { return owed; }
  std::string describe_oldest() const override { return "switch 1 owes a reduction message"; }
};

struct WatchedWaits {
  Stage stage;
  Delivery delivery{stage.subject()};
  Debtor none, one;
  BoundedWaits checker{stage.subject(), {20, 10}, delivery};
  std::uint64_t cycle = 0;
  WatchedWaits() {
    checker.watch(none);
    checker.watch(one);
  }
  void idle_until(std::uint64_t end) {
    while (cycle < end) checker.end_cycle(cycle++);
  }
  void data(core::ChannelId channel) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      delivery.flit(cycle, {channel, stage.formats.packet_flit({0, 3, 3, 0, 0, 0}, i)});
      checker.end_cycle(cycle++);
    }
  }
};

TEST_CASE("a packet under way for longer than the bound is reported", "[checkers][bounded_waits]") {
  WatchedWaits w;
  w.idle_until(100);
  w.data(Stage::kFromN0);
  w.idle_until(121);
  CHECK(w.checker.longest_packet() == 20);
  CHECK_THAT(report_of([&] { w.idle_until(122); }),
             Contains("cycle 121, n0 -> 0:1: checker bounded waits: packet 0 to n3 in virtual "
                      "channel 0 in flight for 21 cycles, at most 20"));
}

TEST_CASE("a barrier message that a switch owes for longer than the bound is reported",
          "[checkers][bounded_waits]") {
  WatchedWaits w;
  w.idle_until(501);
  CHECK_FALSE(w.checker.longest_barrier());
  w.one.owed = {500, 1};
  w.idle_until(511);
  CHECK(w.checker.longest_barrier() == 10);
  CHECK_THAT(report_of([&] { w.idle_until(512); }),
             Contains("cycle 511, switch 1: checker bounded waits: switch 1 owes a reduction "
                      "message for 11 cycles, at most 10"));
}

}  // namespace
}  // namespace muster::checkers
