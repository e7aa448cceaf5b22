// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/packet_barriers.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;
using fabric::kOpcodeArrival;
using fabric::kOpcodeRelease;

/// Reports in the order in which they were made, which that of the operands of + is not.
std::string joined(std::initializer_list<std::string> reports) {
  std::string all;
  for (const std::string& report : reports) all += report;
  return all;
}

/// Group 5: n0 the root node, n1 and n3.
struct Watched {
  Stage stage;
  PacketBarriers checker{stage.subject(), {{5, {0, 1, 3}, 0}}};
  std::uint64_t cycle = 0;

  std::string put(core::ChannelId channel, const fabric::BarrierPacket& packet) {
    return report_of([&] {
      for (const core::Flit& flit : stage.formats.barrier_packet(packet, 0))
        checker.flit(cycle++, {channel, flit});
    });
  }
  std::string arrives(std::uint32_t n, std::uint32_t number = 0, std::uint32_t root = 0) {
    return put(stage.layout.into_switch(n), {n, root, 5, number, kOpcodeArrival});
  }
  std::string announced(std::uint32_t n, std::uint32_t number = 0) {
    return put(Stage::kToN0, {n, 0, 5, number, kOpcodeArrival});
  }
  std::string sends(std::uint32_t n, std::uint32_t number = 0) {
    return put(Stage::kFromN0, {0, n, 5, number, kOpcodeRelease});
  }
  std::string released(std::uint32_t n, std::uint32_t number = 0) {
    return put(stage.layout.into_node(n), {0, n, 5, number, kOpcodeRelease});
  }
  std::string all_arrive(std::uint32_t number = 0) {
    return joined(
        {arrives(1, number), arrives(3, number), announced(1, number), announced(3, number)});
  }
};

TEST_CASE("barriers of packets in their order pass", "[checkers][packet-barriers]") {
  Watched w;
  for (std::uint32_t b = 0; b < 300; ++b) {  // the number in a packet has 8 bits
    REQUIRE(w.all_arrive(b) == "");
    REQUIRE(joined({w.sends(3, b), w.released(3, b)}) == "");
    ++b;
    REQUIRE(joined({w.arrives(3, b), w.announced(3, b)}) == "");  // while n1 still waits
    REQUIRE(joined({w.sends(1, b - 1), w.released(1, b - 1)}) == "");
    REQUIRE(joined({w.arrives(1, b), w.announced(1, b)}) == "");
    REQUIRE(joined({w.sends(1, b), w.released(1, b), w.sends(3, b), w.released(3, b)}) == "");
  }
  CHECK(report_of([&] { w.checker.finish(w.cycle, true); }) == "");
}

TEST_CASE("data are none of its business", "[checkers][packet-barriers]") {
  Watched w;
  const fabric::Packet packet{.source = 0, .destination = 3, .length = 5};
  for (std::uint32_t i = 0; i < packet.length; ++i)
    w.checker.flit(w.cycle++, {Stage::kFromN0, w.stage.formats.packet_flit(packet, i)});
  CHECK(w.checker.checks() == 0);
}

TEST_CASE("a release before all have arrived is a breach", "[checkers][packet-barriers]") {
  Watched w;
  REQUIRE(joined({w.arrives(1), w.announced(1)}) == "");
  SECTION("sent by the root node") {
    CHECK_THAT(w.sends(1), Contains("release sent after 1 arrivals") && Contains("n0 -> 0:1"));
  }
  SECTION("come to a member from nowhere") {
    CHECK_THAT(w.released(1), Contains("released before all have arrived"));
  }
  SECTION("although all have sent theirs") {
    REQUIRE(w.arrives(3) == "");
    CHECK_THAT(w.sends(1), Contains("release sent after 1 arrivals"));
  }
  SECTION("come to a member that was sent none") {
    REQUIRE(joined({w.arrives(3), w.announced(3)}) == "");
    REQUIRE(w.sends(3) == "");
    CHECK_THAT(w.released(1), Contains("a release that the root node did not send"));
  }
}

TEST_CASE("packets come once and of the barrier that is due", "[checkers][packet-barriers]") {
  Watched w;
  SECTION("second arrival") {
    REQUIRE(w.arrives(1) == "");
    CHECK_THAT(w.arrives(1, 1), Contains("second arrival at barrier 0"));
  }
  SECTION("an arrival of the next barrier") {
    CHECK_THAT(w.arrives(1, 1), Contains("has number 1, the next barrier is 0"));
  }
  SECTION("an arrival that was not sent") {
    CHECK_THAT(w.announced(1), Contains("an arrival that was not sent"));
  }
  SECTION("a release twice") {
    REQUIRE(joined({w.all_arrive(), w.sends(1), w.released(1)}) == "");
    CHECK_THAT(w.sends(1), Contains("has number 0, the next barrier is 1"));
    CHECK_THAT(w.released(1), Contains("has number 0, the next barrier is 1"));
  }
}

TEST_CASE("packets go between a member and the root node of a known group",
          "[checkers][packet-barriers]") {
  Watched w;
  CHECK_THAT(w.arrives(2), Contains("arrival packet from n2 to n0"));
  CHECK_THAT(w.arrives(1, 0, 3), Contains("arrival packet from n1 to n3, its root node is n0"));
  CHECK_THAT(w.put(Stage::kFromN1, {3, 0, 5, 0, kOpcodeArrival}), Contains("from n3 to n0"));
  CHECK_THAT(w.put(Stage::kFromN1, {1, 0, 6, 0, kOpcodeArrival}),
             Contains("packet of the unknown group 6"));
}

TEST_CASE("an empty network owes no packet", "[checkers][packet-barriers]") {
  Watched w;
  REQUIRE(w.all_arrive() == "");
  SECTION("an arrival is lost") { REQUIRE(joined({w.sends(1), w.sends(3), w.released(1)}) == ""); }
  SECTION("only some are released") { REQUIRE(joined({w.sends(1), w.released(1)}) == ""); }
  CHECK_THAT(report_of([&] { w.checker.finish(w.cycle, true); }), Contains("is empty"));
  CHECK(report_of([&] { w.checker.finish(w.cycle, false); }) == "");
}

TEST_CASE("a root node outside its group and an identifier used twice are refused",
          "[checkers][packet-barriers]") {
  Stage stage;
  CHECK_THROWS_AS(PacketBarriers(stage.subject(), {{5, {0, 1}, 3}}), InternalError);
  CHECK_THROWS_AS(PacketBarriers(stage.subject(), {{5, {0, 1}, 0}, {5, {2, 3}, 2}}), InternalError);
  CHECK_THROWS_AS(PacketBarriers(stage.subject(), {{256, {0, 1}, 0}}), InternalError);
}

using fabric::kOpcodeAck;

/// Group 5: n0 the root, n1 its child, n3 the child of n1.
struct WatchedTree {
  Stage stage;
  PacketTrees checker{stage.subject(), {{5, {0, 1, 3}, {0, 0, 1}}}};
  std::uint64_t cycle = 0;
  std::string reports;

  WatchedTree& put(core::ChannelId channel, const fabric::BarrierPacket& packet) {
    reports += report_of([&] {
      for (const core::Flit& flit : stage.formats.barrier_packet(packet, 0))
        checker.flit(cycle++, {channel, flit});
    });
    return *this;
  }
  WatchedTree& sent(std::uint8_t opcode, std::uint32_t from, std::uint32_t to,
                    std::uint32_t b = 0) {
    return put(stage.layout.into_switch(from), {from, to, 5, b, opcode});
  }
  WatchedTree& got(std::uint8_t opcode, std::uint32_t from, std::uint32_t to, std::uint32_t b = 0) {
    return put(stage.layout.into_node(to), {from, to, 5, b, opcode});
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
  std::string end() {
    reports += report_of([&] { checker.finish(cycle, true); });
    return reports;
  }
};

TEST_CASE("two barriers of a tree of packets", "[checkers][tree]") {
  WatchedTree w;
  w.up().down().acknowledge().up(1).down(1).acknowledge(1);
  CHECK(w.end() == "");
  CHECK(w.checker.checks() > 20);
}

TEST_CASE("no packet goes before what must come before it", "[checkers][tree]") {
  WatchedTree early, root, inner, ack, next, next_root;
  early.sent(kOpcodeArrival, 1, 0);
  CHECK_THAT(early.reports, Contains("arrival packet from n1 to n0") && Contains("not come"));
  root.pass(kOpcodeArrival, 3, 1).sent(kOpcodeRelease, 0, 1);
  CHECK_THAT(root.reports, Contains("release packet from n0"));
  inner.up().sent(kOpcodeRelease, 1, 3);
  CHECK_THAT(inner.reports, Contains("release packet from n1"));
  ack.up().down().sent(kOpcodeAck, 1, 0);
  CHECK_THAT(ack.reports, Contains("acknowledgement packet from n1"));
  next.up().down().sent(kOpcodeArrival, 3, 1, 1);
  CHECK_THAT(next.reports, Contains("arrival packet from n3"));
  next_root.up().down().pass(kOpcodeAck, 3, 1).sent(kOpcodeAck, 1, 0);
  next_root.pass(kOpcodeArrival, 3, 1, 1).pass(kOpcodeArrival, 1, 0, 1);
  REQUIRE(next_root.reports == "");
  next_root.sent(kOpcodeRelease, 0, 1, 1);
  CHECK_THAT(next_root.reports, Contains("release packet from n0"));
}

TEST_CASE("packets come once, from a sender, along the tree, and none is owed",
          "[checkers][tree]") {
  WatchedTree unsent, twice, edge, unknown, lost;
  unsent.got(kOpcodeArrival, 3, 1);
  CHECK_THAT(unsent.reports, Contains("it was not sent"));
  twice.pass(kOpcodeArrival, 3, 1).sent(kOpcodeArrival, 3, 1);
  CHECK_THAT(twice.reports, Contains("another number is next"));
  edge.sent(kOpcodeArrival, 3, 0);
  CHECK_THAT(edge.reports, Contains("not an edge of its tree"));
  unknown.put(Stage::kFromN3, {3, 1, 6, 0, kOpcodeArrival});
  CHECK_THAT(unknown.reports, Contains("unknown group 6"));
  lost.up().down().pass(kOpcodeAck, 3, 1);
  CHECK_THAT(lost.end(), Contains("the network is empty"));
}

}  // namespace

}  // namespace muster::checkers
