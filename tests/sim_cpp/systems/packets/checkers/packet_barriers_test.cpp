// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/packet_barriers.hpp"

#include "sim_cpp/fabric/checkers/stage.hpp"
#include "systems/packets/checkers/worms.hpp"

namespace muster::checkers {
namespace {

using fabric::kOpcodeAck;
using fabric::kOpcodeArrival;
using fabric::kOpcodeRelease;
using fabric::kOpcodeUnitAck;
using fabric::kOpcodeUnitArrival;
using fabric::kOpcodeUnitRelease;

/// Group 0: n0 the root node, n1 and n3.
struct WatchedStar : Watched<WatchedStar, PacketBarriers> {
  WatchedStar() : Watched(PacketKind::kStars, std::vector<PacketTree>{{{0, 1, 3}, {0, 0, 0}}}) {}

  WatchedStar& arrives(std::uint32_t n, std::uint32_t number = 0, std::uint32_t root = 0) {
    return packet(stage.layout.into_switch(n), {n, root, 0, number, kOpcodeArrival});
  }
  WatchedStar& announced(std::uint32_t n, std::uint32_t number = 0) {
    return packet(Stage::kToN0, {n, 0, 0, number, kOpcodeArrival});
  }
  WatchedStar& sends(std::uint32_t n, std::uint32_t number = 0) {
    return packet(Stage::kFromN0, {0, n, 0, number, kOpcodeRelease});
  }
  WatchedStar& released(std::uint32_t n, std::uint32_t number = 0) {
    return packet(stage.layout.into_node(n), {0, n, 0, number, kOpcodeRelease});
  }
  WatchedStar& all_arrive(std::uint32_t number = 0) {
    return arrives(1, number).arrives(3, number).announced(1, number).announced(3, number);
  }
};

TEST_CASE("barriers of packets in their order pass", "[checkers][packet-barriers]") {
  WatchedStar w;
  for (std::uint32_t b = 0; b < 300; ++b) {  // the number in a packet has 8 bits
    w.all_arrive(b).sends(3, b).released(3, b);
    ++b;
    w.arrives(3, b).announced(3, b);  // while n1 still waits
    w.sends(1, b - 1).released(1, b - 1);
    w.arrives(1, b).announced(1, b).sends(1, b).released(1, b).sends(3, b).released(3, b);
  }
  CHECK(w.finish().reports == "");
}

TEST_CASE("a release before all have arrived is a breach", "[checkers][packet-barriers]") {
  WatchedStar sent, nowhere, on_way, unsent;
  CHECK_THAT(sent.arrives(1).announced(1).sends(1).reports,
             Contains("the message before it has not come") && Contains("n0 -> 0:1"));
  CHECK_THAT(nowhere.arrives(1).announced(1).released(1).reports,
             Contains("released before all have arrived"));
  // All have sent their arrivals.
  CHECK_THAT(on_way.arrives(1).announced(1).arrives(3).sends(1).reports,
             Contains("the message before it has not come"));
  CHECK(unsent.all_arrive().sends(3).reports == "");
  CHECK_THAT(unsent.released(1).reports, Contains("it was not sent"));
}

TEST_CASE("packets come once and of the barrier that is due", "[checkers][packet-barriers]") {
  WatchedStar twice, next, unsent, again, released;
  CHECK_THAT(twice.arrives(1).arrives(1, 1).reports,
             Contains("the message before it has not come"));
  CHECK_THAT(next.arrives(1, 1).reports,
             Contains("number 1, of barrier 0: another number is next"));
  CHECK_THAT(unsent.announced(1).reports, Contains("it was not sent"));
  CHECK_THAT(again.all_arrive().sends(1).released(1).sends(1).reports,
             Contains("number 0, of barrier 1: another number is next"));
  CHECK_THAT(released.all_arrive().sends(1).released(1).released(1).reports,
             Contains("number 0, of barrier 1: another number is next"));
}

TEST_CASE("packets go between a member and the root node of a known group",
          "[checkers][packet-barriers]") {
  WatchedStar stranger, root, source, group;
  CHECK_THAT(stranger.arrives(2).reports, Contains("arrival packet from n2 to n0"));
  CHECK_THAT(root.arrives(1, 0, 3).reports,
             Contains("arrival packet from n1 to n3") && Contains("not an edge"));
  CHECK_THAT(source.packet(Stage::kFromN1, {3, 0, 0, 0, kOpcodeArrival}).reports,
             Contains("from n3 to n0"));
  CHECK_THAT(group.packet(Stage::kFromN1, {1, 0, 6, 0, kOpcodeArrival}).reports,
             Contains("packet of the unknown group 6"));
}

TEST_CASE("an empty network owes no packet", "[checkers][packet-barriers]") {
  WatchedStar w;
  w.all_arrive().sends(1).released(1);
  const bool lost = GENERATE(false, true);  // or not yet sent
  if (lost) w.sends(3);
  CHECK(w.finish(false).reports == "");
  CHECK_THAT(w.finish().reports, Contains("is empty"));
}

/// Group 0: n0 the root, n1 its child, n3 the child of n1.
struct WatchedTree : Watched<WatchedTree, PacketBarriers> {
  WatchedTree() : Watched(PacketKind::kTrees, std::vector<PacketTree>{{{0, 1, 3}, {0, 0, 1}, 3}}) {}

  WatchedTree& sent(std::uint8_t opcode, std::uint32_t from, std::uint32_t to,
                    std::uint32_t b = 0) {
    return packet(stage.layout.into_switch(from), {from, to, 0, b, opcode});
  }
  WatchedTree& got(std::uint8_t opcode, std::uint32_t from, std::uint32_t to, std::uint32_t b = 0) {
    return packet(stage.layout.into_node(to), {from, to, 0, b, opcode});
  }
  WatchedTree& pass(std::uint8_t opcode, std::uint32_t from, std::uint32_t to,
                    std::uint32_t b = 0) {
    return sent(opcode, from, to, b).got(opcode, from, to, b);
  }
  WatchedTree& up(std::uint32_t b = 0) {
    return pass(kOpcodeArrival, 3, 1, b).pass(kOpcodeArrival, 1, 0, b);
  }
  WatchedTree& down(std::uint32_t b = 0) {
    return pass(kOpcodeRelease, 0, 1, b).pass(kOpcodeRelease, 1, 3, b);
  }
  WatchedTree& acknowledge(std::uint32_t b = 0) {
    return pass(kOpcodeAck, 3, 1, b).pass(kOpcodeAck, 1, 0, b);
  }
};

TEST_CASE("two barriers of a tree of packets", "[checkers][tree]") {
  WatchedTree w;
  w.up().down().acknowledge().up(1).down(1).acknowledge(1);
  CHECK(w.finish().reports == "");
  CHECK(w.checker.checks() > 20);
}

TEST_CASE("no packet goes before what must come before it", "[checkers][tree]") {
  WatchedTree early, root, inner, ack, next, next_root;
  CHECK_THAT(early.sent(kOpcodeArrival, 1, 0).reports,
             Contains("arrival packet from n1 to n0") && Contains("not come"));
  CHECK_THAT(root.pass(kOpcodeArrival, 3, 1).sent(kOpcodeRelease, 0, 1).reports,
             Contains("release packet from n0"));
  CHECK_THAT(inner.up().sent(kOpcodeRelease, 1, 3).reports, Contains("release packet from n1"));
  CHECK_THAT(ack.up().down().sent(kOpcodeAck, 1, 0).reports,
             Contains("acknowledgement packet from n1"));
  CHECK_THAT(next.up().down().sent(kOpcodeArrival, 3, 1, 1).reports,
             Contains("arrival packet from n3"));
  next_root.up().down().pass(kOpcodeAck, 3, 1).sent(kOpcodeAck, 1, 0);
  REQUIRE(next_root.up(1).reports == "");
  CHECK_THAT(next_root.sent(kOpcodeRelease, 0, 1, 1).reports, Contains("release packet from n0"));
}

TEST_CASE("packets come once, from a sender, along the tree, and none is owed",
          "[checkers][tree]") {
  WatchedTree unsent, twice, edge, unknown, lost;
  CHECK_THAT(unsent.got(kOpcodeArrival, 3, 1).reports, Contains("it was not sent"));
  CHECK_THAT(twice.pass(kOpcodeArrival, 3, 1).sent(kOpcodeArrival, 3, 1).reports,
             Contains("another number is next"));
  CHECK_THAT(edge.sent(kOpcodeArrival, 3, 0).reports, Contains("not an edge of its tree"));
  CHECK_THAT(unknown.packet(Stage::kFromN3, {3, 1, 6, 0, kOpcodeArrival}).reports,
             Contains("unknown group 6"));
  CHECK_THAT(lost.up().down().pass(kOpcodeAck, 3, 1).finish().reports,
             Contains("the network is empty"));
}

/// Group 0 of n0, n1 on switch 0, the root, and n2 on switch 1. Addresses of the switches: 4, 5.
struct WatchedUnits : Watched<WatchedUnits, PacketBarriers> {
  WatchedUnits()
      : Watched(PacketKind::kUnits, std::vector<PacketTree>{{{4, 5, 0, 1, 2}, {0, 0, 0, 0, 1}, 2}},
                500) {}

  WatchedUnits& put(core::ChannelId channel, std::uint8_t opcode, std::uint32_t from,
                    std::uint32_t to, std::uint32_t b) {
    return packet(channel, {from, to, 0, b, opcode});
  }
  WatchedUnits& arrives(std::uint32_t n, std::uint32_t b = 0) {
    return put(stage.layout.into_switch(n), kOpcodeUnitArrival, n, n < 2 ? 4 : 5, b);
  }
  WatchedUnits& released(std::uint32_t n, std::uint32_t b = 0) {
    return put(stage.layout.into_node(n), kOpcodeUnitRelease, n < 2 ? 4 : 5, n, b);
  }
  WatchedUnits& up(std::uint32_t b = 0) { return put(Stage::kBack, kOpcodeUnitArrival, 5, 4, b); }
  WatchedUnits& down(std::uint32_t b = 0) { return put(Stage::kOver, kOpcodeUnitRelease, 4, 5, b); }
  WatchedUnits& ack(std::uint32_t b = 0) { return put(Stage::kBack, kOpcodeUnitAck, 5, 4, b); }
  WatchedUnits& gather(std::uint32_t b = 0) {
    return arrives(0, b).arrives(1, b).arrives(2, b).up(b);
  }
  WatchedUnits& whole(std::uint32_t b = 0) {
    return gather(b).down(b).released(0, b).released(1, b).released(2, b).ack(b);
  }
};

TEST_CASE("barriers of units in order are right", "[checkers][unit]") {
  WatchedUnits w;
  w.whole().whole(1).whole(2);
  CHECK(w.finish().reports == "");
  CHECK(w.checker.checks() > 50);
}

TEST_CASE("no member is released early, twice or without a release of its switch",
          "[checkers][unit]") {
  WatchedUnits early, twice, before, again;
  CHECK_THAT(early.arrives(0).arrives(1).released(0).reports,
             Contains("to n0") && Contains("barrier 0: released before all have arrived"));
  CHECK_THAT(twice.gather().released(0).released(0).reports,
             Contains("to n0, number 0, of barrier 1: another number"));
  CHECK_THAT(before.gather().released(2).reports,
             Contains("from switch 1 to n2") && Contains("the message before it has not come"));
  CHECK_THAT(again.arrives(0).arrives(0, 1).reports,
             Contains("from n0") && Contains("the message before it has not come"));
}

TEST_CASE("no unit sends before what must come before it", "[checkers][unit]") {
  WatchedUnits up, down, ack, next, number;
  CHECK_THAT(up.arrives(0).arrives(1).up().reports,
             Contains("arrival packet from switch 1 to switch 0") && Contains("not come"));
  CHECK_THAT(down.arrives(0).arrives(2).up().down().reports,
             Contains("release packet from switch 0 to switch 1") && Contains("not come"));
  CHECK_THAT(ack.gather().down().ack().reports,
             Contains("acknowledgement packet from switch 1 to switch 0") && Contains("not come"));
  CHECK_THAT(next.gather().down().released(2).arrives(2, 1).up(1).reports,
             Contains("arrival packet from switch 1 to switch 0, number 1"));
  CHECK_THAT(number.arrives(0).arrives(1).arrives(2).up(1).reports,
             Contains("another number is next"));
}

TEST_CASE("messages of units are whole, of a known group, along the tree, and none is owed",
          "[checkers][unit]") {
  WatchedUnits stranger, edge, owed;
  CHECK_THAT(stranger.put(Stage::kFromN3, kOpcodeUnitArrival, 3, 5, 0).reports,
             Contains("not an edge of its tree"));
  CHECK_THAT(edge.gather().put(Stage::kOver, kOpcodeUnitAck, 4, 5, 0).reports,
             Contains("not an edge of its tree"));
  CHECK_THAT(owed.gather().down().released(0).released(1).released(2).finish().reports,
             Contains("1, 1, 0 arrivals, releases, acknowledgements of switch 1 sent"));
}

/// A worm of n0, in virtual channel 1: to n1 on its own switch, to n2 and n3 beyond.
struct WatchedWorms : Watched<WatchedWorms, Worms> {
  WatchedWorms() : Watched(100) {}

  std::vector<core::Flit> flits(const std::vector<std::uint32_t>& to, std::uint32_t number) const {
    return stage.formats.worm(to, {0, 0, 5, number}, 1);
  }
  WatchedWorms& worm(core::ChannelId channel, const std::vector<std::uint32_t>& to,
                     std::uint32_t number = 0) {
    return put(channel, flits(to, number));
  }
};

TEST_CASE("a worm that splits at each switch passes", "[checkers][worms]") {
  WatchedWorms w;
  for (std::uint32_t number = 0; number < 3; ++number)
    w.worm(Stage::kFromN0, {1, 2, 3}, number)
        .worm(Stage::kToN1, {1}, number)
        .worm(Stage::kOver, {2, 3}, number)
        .worm(Stage::kToN3, {3}, number)
        .worm(Stage::kToN2, {2}, number);
  CHECK(w.finish().reports == "");
}

TEST_CASE("an address goes where its route names and nowhere else", "[checkers][worms]") {
  WatchedWorms wrong, twice, invented, other;
  for (WatchedWorms* w : {&wrong, &twice, &invented, &other})
    REQUIRE(w->worm(Stage::kFromN0, {1, 2}).reports == "");
  CHECK_THAT(wrong.worm(Stage::kOver, {2, 1}).reports,
             Contains("worm address n1 leaves by port 0"));
  REQUIRE(twice.worm(Stage::kOver, {2}).reports == "");
  CHECK_THAT(twice.worm(Stage::kOver, {2}).reports, Contains("n2 leaves without having come in"));
  CHECK_THAT(invented.worm(Stage::kOver, {2, 3}).reports,
             Contains("n3 leaves without having come in"));
  // To another node, with its own address.
  CHECK_THAT(other.worm(Stage::kToN1, {2}).reports, Contains("leaves by port"));
}

TEST_CASE("every node gets the payload once, as it was sent", "[checkers][worms]") {
  WatchedWorms changed, lost, late, cut;
  for (WatchedWorms* w : {&changed, &lost, &late, &cut})
    REQUIRE(w->worm(Stage::kFromN0, {1, 2}, 7).reports == "");
  CHECK_THAT(changed.worm(Stage::kToN1, {1}, 8).reports, Contains("out of order or changed"));
  CHECK(lost.worm(Stage::kToN1, {1}, 7).finish(false).reports == "");
  CHECK_THAT(lost.finish().reports, Contains("1 worms of n0 to n2 have not reached it"));
  late.cycle += 100;
  CHECK_THAT(late.worm(Stage::kToN1, {1}, 7).reports, Contains("in flight for"));
  auto flits = cut.flits({1}, 7);
  flits[1].kind = kTail;
  CHECK_THAT(cut.put(Stage::kToN1, flits).reports,
             Contains("flit 1 of a worm's payload is its tail"));
}

TEST_CASE("a worm has at most 64 addresses and names its source", "[checkers][worms]") {
  WatchedWorms many, source, node;
  CHECK_THAT(many.worm(Stage::kFromN0, std::vector<std::uint32_t>(65, 1)).reports,
             Contains("more than 64 addresses"));
  CHECK_THAT(source.worm(Stage::kFromN1, {2}).reports, Contains("names source n0, sent by n1"));
  CHECK_THAT(node.worm(Stage::kFromN0, {4}).reports,
             Contains("destination 4, which is not a node"));
}

}  // namespace
}  // namespace muster::checkers
