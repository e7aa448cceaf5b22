// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/endpoints.hpp"

#include "muster/core/engine.hpp"
#include "muster/fabric/barrier_end.hpp"
#include "support/test.hpp"

namespace muster::fabric {
namespace {

/// Packets of a list by node, each with the cycle from which it waits.
struct ListedPackets : PacketClient {
  std::map<std::uint32_t, std::deque<std::pair<std::uint64_t, Packet>>> waiting;
  std::vector<std::pair<std::uint64_t, Packet>> delivered;
  std::uint64_t ready(std::uint32_t node) override {
    return waiting[node].empty() ? kNever : waiting[node].front().first;
  }
  Packet take(std::uint64_t cycle, std::uint32_t node, std::uint8_t vc) override {
    REQUIRE(waiting[node].front().first <= cycle);
    Packet packet = waiting[node].front().second;
    waiting[node].pop_front();
    packet.source = node;
    packet.vc = vc;
    return packet;
  }
  void deliver(std::uint64_t cycle, std::uint32_t node, const Packet& packet) override {
    CHECK(packet.destination == node);
    delivered.emplace_back(cycle, packet);
  }
};

struct Sync : SyncClient {
  std::vector<std::pair<std::uint64_t, core::Flit>> received;
  void receive_sync(std::uint64_t cycle, std::uint32_t, const core::Flit& flit) override {
    received.emplace_back(cycle, flit);
  }
  std::vector<std::pair<std::uint64_t, std::vector<core::Flit>>> packets;
  void receive_packet(std::uint64_t cycle, std::uint32_t,
                      std::span<const core::Flit> flits) override {
    packets.emplace_back(cycle, std::vector<core::Flit>(flits.begin(), flits.end()));
  }
  void clock(std::uint64_t) override {}
};

/// Of channel 0, from node 0.
struct FlitLog : core::Observer {
  std::vector<std::pair<std::uint64_t, core::Flit>> flits;
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> f,
               std::span<const core::CreditEvent>) override {
    for (const auto& e : f)
      if (e.channel == 0) flits.emplace_back(cycle, e.flit);
  }
};

/// Two nodes joined back to back.
struct Pair {
  core::Engine engine;
  EndpointBank* nodes;
  ListedPackets packets;
  Sync sync;
  FlitLog log;
  Pair(EndpointConfig config, std::uint32_t latency) {
    config.nodes = 2;
    auto bank = std::make_unique<EndpointBank>(config, Formats(16, 8));
    nodes = bank.get();
    engine.add_bank(std::move(bank));
    engine.connect(0, {0, 0, 0}, {0, 1, 0}, latency);
    engine.connect(1, {0, 1, 0}, {0, 0, 0}, latency);
    engine.observe_with(log);
  }
  void run(std::uint64_t cycles) {
    nodes->attach(&sync, &packets);
    while (engine.cycle() < cycles) engine.step();
  }
};

/// Of what a log has.
template <class Event>
std::vector<std::uint64_t> cycles_of(const std::vector<std::pair<std::uint64_t, Event>>& events) {
  std::vector<std::uint64_t> cycles;
  for (const auto& event : events) cycles.push_back(event.first);
  return cycles;
}

Packet to_one(std::uint32_t length, std::uint16_t sequence = 0) {
  return {.destination = 1, .length = length, .sequence = sequence};
}

TEST_CASE("a packet leaves when it is ready, a flit a cycle, and arrives whole",
          "[network][endpoints]") {
  const std::uint32_t latency = GENERATE(1u, 3u);
  const std::uint64_t ready = GENERATE(0u, 1u, 2u, 5u);
  CAPTURE(latency, ready);
  Pair pair({.vcs = 1, .depth = 8}, latency);
  pair.packets.waiting[0].emplace_back(ready, to_one(6, 77));
  pair.run(40);
  REQUIRE(pair.log.flits.size() == 6);
  CHECK(pair.log.flits.front().first == ready + 1);
  CHECK(pair.log.flits.back().first == ready + 6);
  CHECK(pair.log.flits.front().second.head());
  CHECK(pair.log.flits.back().second.tail());
  REQUIRE(pair.packets.delivered.size() == 1);
  const auto& [cycle, packet] = pair.packets.delivered[0];
  CHECK(cycle == ready + 6 + latency - 1);
  CHECK(packet.source == 0);
  CHECK(packet.sequence == 77);
  CHECK(packet.length == 6);
  CHECK(pair.engine.idle());
  CHECK(pair.nodes->drained());
}

TEST_CASE("a node never sends without a credit", "[network][endpoints]") {
  const std::uint32_t latency = GENERATE(1u, 2u, 5u);
  const std::uint32_t depth = GENERATE(1u, 2u, 16u);
  CAPTURE(latency, depth);
  Pair pair({.vcs = 1, .depth = depth}, latency);
  for (std::uint16_t i = 0; i < 10; ++i) pair.packets.waiting[0].emplace_back(0, to_one(8, i));
  pair.run(1000);
  REQUIRE(pair.log.flits.size() == 80);
  // A credit is back after 2 L cycles: the rate is the smaller of 1 and depth / 2L.
  for (std::size_t i = depth; i < 80; ++i) {
    const auto gap = pair.log.flits[i].first - pair.log.flits[i - depth].first;
    REQUIRE(gap == std::max(depth, 2 * latency));
  }
  REQUIRE(pair.packets.delivered.size() == 10);
}

TEST_CASE("a barrier message goes before data, even between two flits of a packet",
          "[network][endpoints]") {
  const bool reserved = GENERATE(false, true);
  CAPTURE(reserved);
  Pair pair({.vcs = 2, .depth = 8, .last_vc_reserved = reserved}, 1);
  pair.packets.waiting[0].emplace_back(0, to_one(8));
  const core::Flit message = Formats(16, 8).barrier_flit({MessageType::kReduction, 3, {}}, 0);
  pair.run(4);
  pair.nodes->send_sync(0, message);
  pair.run(30);
  REQUIRE(pair.log.flits.size() == 9);
  CHECK(pair.log.flits[4].first == 5);
  CHECK(pair.log.flits[4].second.sync());
  CHECK(pair.log.flits[4].second.vc == 0);
  CHECK(pair.log.flits[8].first == 9);
  REQUIRE(pair.sync.received.size() == 1);
  CHECK(pair.sync.received[0].first == 5);
  CHECK(pair.sync.received[0].second.lo == message.lo);
  CHECK(pair.packets.delivered.size() == 1);
}

TEST_CASE(
    "a barrier message needs no credit of data, and where there is a pocket that of the pocket",
    "[network][endpoints]") {
  const bool pocket = GENERATE(false, true);
  CAPTURE(pocket);
  Pair pair({.vcs = 3,
             .depth = 4,
             .last_vc_reserved = true,
             .barrier = {.credits = pocket ? SyncCredits::kPocket : SyncCredits::kNone}},
            1);
  pair.engine.stop_channel(0, false, true);  // no credit ever comes back
  for (std::uint16_t i = 0; i < 9; ++i) pair.packets.waiting[0].emplace_back(0, to_one(3, i));
  pair.run(40);
  std::array<int, 3> sent{};
  for (const auto& [cycle, flit] : pair.log.flits) ++sent[flit.vc];
  CHECK(sent == std::array{4, 4, 0});
  CHECK_FALSE(pair.nodes->drained());
  for (int i = 0; i < 3; ++i)
    pair.nodes->send_sync(0, Formats(16, 8).barrier_flit({MessageType::kReduction, 3, {}}, 0));
  pair.run(50);
  CHECK(pair.sync.received.size() == (pocket ? 1 : 3));
  CHECK(pair.nodes->describe(0).starts_with(pocket ? "node 0: 2 " : "node 0: 0 "));
}

TEST_CASE("a queued barrier message takes a credit of channel 0 and goes between its packets",
          "[network][endpoints]") {
  const bool credits = GENERATE(false, true);
  CAPTURE(credits);
  Pair pair({.vcs = 2, .depth = 4, .barrier = {.credits = SyncCredits::kQueued}}, 1);
  if (!credits) pair.engine.stop_channel(0, false, true);
  for (std::uint16_t i = 0; i < 9; ++i) pair.packets.waiting[0].emplace_back(0, to_one(6, i));
  pair.run(3);  // in a packet of each channel
  pair.nodes->send_sync(0, Formats(16, 8).barrier_flit({MessageType::kReduction, 3, {}}, 0));
  pair.run(100);
  CHECK(pair.sync.received.size() == (credits ? 1 : 0));
  bool open = false;
  int packets = 0, before = -1;  // of channel 0, when the message went
  for (const auto& [cycle, flit] : pair.log.flits) {
    if (flit.sync()) {
      CHECK_FALSE(open);
      before = packets;
    } else if (flit.vc == 0) {
      packets += flit.head();
      open = !flit.tail();
    }
  }
  CHECK(before == (credits ? 1 : -1));
}

/// A packet of the client's to node 1, `vc` its virtual channel.
std::vector<core::Flit> client_packet(std::uint32_t length, std::uint8_t vc = 0) {
  std::vector<core::Flit> flits(length);
  flits.front().lo = 1 | (30u << kDestinationWidth);
  for (std::uint32_t i = 0; i < length; ++i) {
    if (i != 0) flits[i].lo = 100 + i;
    flits[i].vc = vc;
  }
  flits.front().kind |= core::Flit::kHead;
  flits.back().kind |= core::Flit::kTail;
  return flits;
}

TEST_CASE("a packet of the client's arrives whole at the client, whatever its length",
          "[network][endpoints]") {
  const std::uint32_t length = GENERATE(1u, 2u, 70u), depth = GENERATE(1u, 4u);
  CAPTURE(length, depth);
  Pair pair({.vcs = 1, .depth = depth}, 1);
  pair.nodes->send_packet(0, client_packet(length));
  pair.nodes->send_packet(0, client_packet(3));
  CHECK_FALSE(pair.nodes->drained());
  pair.run(500);
  REQUIRE(pair.sync.packets.size() == 2);
  CHECK(pair.sync.packets[0].second == client_packet(length));
  CHECK(pair.sync.packets[1].second == client_packet(3));
  CHECK(pair.sync.packets[0].first == pair.log.flits[length - 1].first);
  CHECK(pair.packets.delivered.empty());
  CHECK(pair.nodes->drained());
}

TEST_CASE("a node discards what a cut mark ends", "[network][endpoints]") {
  Pair pair({.vcs = 1, .depth = 4}, 1);
  std::vector<core::Flit> cut = client_packet(3), data = cut;
  cut.back() = data.back() = core::Flit::cut_mark(0);
  data.front().lo = 1;
  for (const auto& packet : {cut, data, client_packet(4)}) pair.nodes->send_packet(0, packet);
  pair.run(500);
  REQUIRE(pair.sync.packets.size() == 1);
  CHECK(pair.sync.packets[0].second == client_packet(4));
  CHECK(pair.packets.delivered.empty());
}

TEST_CASE("a packet of the client's goes before data that has not begun, never into a packet",
          "[network][endpoints]") {
  const std::uint32_t vcs = GENERATE(1u, 2u);
  CAPTURE(vcs);
  Pair pair({.vcs = vcs, .depth = 16}, 1);
  for (std::uint16_t i = 0; i < 4; ++i) pair.packets.waiting[0].emplace_back(0, to_one(6, i));
  pair.run(3);
  pair.nodes->send_packet(0, client_packet(4));
  while (pair.engine.cycle() < 60) pair.engine.step();
  REQUIRE(pair.packets.delivered.size() == 4);
  REQUIRE(pair.sync.packets.size() == 1);
  std::vector<core::Flit> channel;  // virtual channel 0
  for (const auto& [cycle, flit] : pair.log.flits)
    if (flit.vc == 0) channel.push_back(flit);
  const auto first = std::ranges::find(channel, client_packet(4).front());
  REQUIRE(first - channel.begin() == 6);  // behind the packet in progress, before the next
  for (std::size_t i = 0; i < 4; ++i) CHECK(channel[6 + i] == client_packet(4)[i]);
}

TEST_CASE("a host that takes time delays what the client sends and receives, data not",
          "[network][endpoints]") {
  Pair pair({.vcs = 1, .depth = 8, .send_delay = 20, .receive_delay = 7}, 1);
  pair.packets.waiting[0].emplace_back(0, to_one(5, 1));
  core::Flit message;
  message.kind = core::Flit::kSync;
  pair.nodes->send_sync(0, message);
  pair.nodes->send_sync(0, message);
  pair.nodes->send_packet(0, client_packet(4));
  pair.run(22);
  CHECK_FALSE(pair.nodes->drained());
  while (pair.engine.cycle() < 100) pair.engine.step();
  // The data; messages side by side, not one after the other; the client's packet.
  CHECK(cycles_of(pair.log.flits) ==
        std::vector<std::uint64_t>{1, 2, 3, 4, 5, 21, 22, 23, 24, 25, 26});
  CHECK(cycles_of(pair.sync.received) == std::vector<std::uint64_t>{21 + 7, 22 + 7});
  REQUIRE(cycles_of(pair.sync.packets) == std::vector<std::uint64_t>{26 + 7});
  CHECK(pair.sync.packets[0].second == client_packet(4));
  CHECK(pair.nodes->drained());
}

TEST_CASE("virtual channels that there are not are refused", "[network][endpoints]") {
  for (const EndpointConfig& config :
       {EndpointConfig{.nodes = 1, .vcs = 1, .last_vc_reserved = true},
        {.nodes = 1, .vcs = 4, .barrier = {.credits = SyncCredits::kPocket}},
        {.nodes = 1, .vcs = 4, .barrier = {.credits = SyncCredits::kBuffer}},
        {.nodes = 1, .vcs = 5}})
    CHECK_THROWS_AS(EndpointBank(config, Formats(16, 8)), InputError);
}

using core::Flit;

/// Payload 3: three flits, else two; 9: none.
std::uint32_t flits_of(const Flit& first, const Formats&) {
  return first.lo == 9 ? 0 : first.lo == 3 ? 3 : 2;
}

Flit flit(std::uint8_t kind, std::uint64_t payload = 0) { return {.lo = payload, .kind = kind}; }

/// A node with three channels of four credits each.
struct Bench {
  BarrierLink link;
  std::array<std::uint8_t, 4> credits{4, 4, 4, 1};
  std::uint32_t under_way = 0;
  BarrierSender sender;

  explicit Bench(SyncCredits kind, std::uint8_t cuttable = 7) : link{kind, cuttable, flits_of} {}
  std::optional<Flit> send(std::optional<BarrierSender::Next> next = std::nullopt) {
    return sender.send(link, {3, credits, under_way}, next);
  }
  std::optional<Flit> first() { return send({{flit(Flit::kFirst, 2), false}}); }
  std::optional<Flit> last() { return send({{flit(Flit::kSync, 8), true}}); }
};

TEST_CASE("a message takes the lowest free channel, and the credit of the barrier buffer",
          "[endpoints][preempt]") {
  Bench bench(SyncCredits::kBuffer);
  bench.under_way = 0b001;
  const auto first = bench.first();
  REQUIRE(first);
  CHECK(first->kind == Flit::kFirst);
  CHECK(first->vc == 1);
  CHECK(first->lo == 2);
  CHECK(bench.sender.alone());
  CHECK(bench.sender.cut() == 0);
  const auto last = bench.last();
  REQUIRE(last);
  CHECK(last->vc == 1);
  CHECK(bench.sender.idle());
  CHECK(bench.credits == std::array<std::uint8_t, 4>{4, 4, 4, 0});
  CHECK_FALSE(bench.first());  // the barrier buffer is not free
}

TEST_CASE("if packets are in flight on all, the highest channel is cut and given back",
          "[endpoints][preempt]") {
  const std::uint8_t cuttable = GENERATE(0b111, 0b001);
  const std::uint8_t channel = cuttable == 0b111 ? 2 : 0;
  Bench bench(SyncCredits::kBuffer, cuttable);
  bench.under_way = 0b111;
  CHECK(bench.first() == control_flit({false, channel}));
  CHECK_FALSE(bench.sender.alone());  // data of the others go on until the message has begun
  CHECK(bench.sender.cut() == 1u << channel);
  bench.under_way = 0;  // none ends meanwhile, and it would make no difference
  CHECK(bench.first()->vc == channel);
  CHECK(bench.sender.alone());
  CHECK(bench.last()->vc == channel);
  CHECK_FALSE(bench.sender.alone());
  CHECK(bench.sender.cut() == 1u << channel);
  bench.credits[3] = 1;
  CHECK(bench.first() == control_flit({true, channel}));  // before the next message
  CHECK(bench.sender.idle());
  CHECK(bench.sender.cut() == 0);
  CHECK(bench.credits == std::array<std::uint8_t, 4>{4, 4, 4, 1});
}

TEST_CASE("a message is whole with the flit that its first one says", "[endpoints][preempt]") {
  const BarrierLink link{SyncCredits::kBuffer, 1, flits_of};
  BarrierReceiver in;
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));   // of none
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 9)));  // of none
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 3)));  // loses its last flit
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 2)));
  CHECK(in.add(link, flit(Flit::kSync, 7)));
  REQUIRE(in.flits().size() == 2);
  CHECK(in.flits()[1].lo == 7);
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 3)));
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));
  CHECK(in.add(link, flit(Flit::kSync, 5)));
  CHECK(in.flits().size() == 3);
}

}  // namespace
}  // namespace muster::fabric
