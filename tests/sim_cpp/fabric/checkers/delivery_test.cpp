// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/delivery.hpp"

#include <array>
#include <deque>
#include <map>

#include "stage.hpp"
#include "support/random.hpp"

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
  const auto after = [](std::initializer_list<std::uint16_t> came, auto&& last) {
    WatchedFlows w;
    for (const std::uint16_t sequence : {0, 1}) REQUIRE(w.send(w.packet(sequence)) == "");
    for (const std::uint16_t sequence : came) CHECK(w.receive(w.packet(sequence)) == "");
    return last(w);
  };
  const auto again = [](std::uint16_t sequence) {
    return [=](WatchedFlows& w) { return w.receive(w.packet(sequence)); };
  };
  CHECK_THAT(after({}, again(1)),
             Contains("1:2 -> n3: checker delivery: packet 1 of n0 to n3 in virtual channel 1 out "
                      "of order or packet 0 lost"));
  CHECK_THAT(after({0}, again(0)), Contains("ejected again"));
  CHECK_THAT(after({0, 1}, again(1)), Contains("is not in flight"));
  CHECK_THAT(after({0},
                   [](auto& w) {
                     w.checker.finish(99, false);
                     return report_of([&] { w.checker.finish(99, true); });
                   }),
             Contains("1 packets lost, the oldest is 1 of n0 to n3 in virtual channel 1, injected "
                      "in cycle 6"));
  CHECK_THAT(after({}, [](auto& w) { return w.receive(w.packet(0, 3, 0)); }),
             Contains("is not in flight"));
  CHECK_THAT(after({}, [](auto& w) { return w.put(Stage::kToN2, w.packet(0)); }),
             Contains("destination 3 ejected at n2"));
  CHECK_THAT(after({},
                   [](auto& w) {
                     const Flits flits = w.packet(0, 3, 0);
                     REQUIRE(w.send({flits[0], flits[1], flits[2]}) == "");
                     return w.receive(flits);
                   }),
             Contains("before all of it was sent"));
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
  const auto sent = [](std::size_t flit, std::uint64_t bits) {
    WatchedFlows w;
    Flits flits = w.packet(0);
    flits[flit].lo ^= bits;
    return w.send(flits);
  };
  CHECK_THAT(sent(1, 1), Contains("names source n1 and stream 1, sent by n0 in 1"));
  CHECK_THAT(sent(1, 1 << 11), Contains("stream 0"));
  CHECK_THAT(sent(2, 1), Contains("numbered 1, the next is 0"));
  CHECK_THAT(sent(0, 3 ^ 4), Contains("destination 4, which is not a node"));
  CHECK_THAT(sent(0, 30 << 11), Contains("reserved opcode 30"));
  WatchedFlows w;
  CHECK_THAT(w.send({w.packet(0)[0], Stage::flit(kTail, 1 << 11, 1)}), Contains("of 2 flits"));
}

}  // namespace

}  // namespace muster::checkers
