// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/packet_trees.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;
using fabric::kOpcodeAck;
using fabric::kOpcodeArrival;
using fabric::kOpcodeRelease;

/// Group 5: n0 the root, n1 its child, n3 the child of n1.
struct Watched {
  Stage stage;
  PacketTrees checker{stage.subject(), {{5, {0, 1, 3}, {0, 0, 1}}}};
  std::uint64_t cycle = 0;
  std::string reports;

  Watched& put(core::ChannelId channel, const fabric::BarrierPacket& packet) {
    reports += report_of([&] {
      for (const core::Flit& flit : stage.formats.barrier_packet(packet, 0))
        checker.flit(cycle++, {channel, flit});
    });
    return *this;
  }
  Watched& sent(std::uint8_t opcode, std::uint32_t from, std::uint32_t to, std::uint32_t b = 0) {
    return put(stage.layout.into_switch(from), {from, to, 5, b, opcode});
  }
  Watched& got(std::uint8_t opcode, std::uint32_t from, std::uint32_t to, std::uint32_t b = 0) {
    return put(stage.layout.into_node(to), {from, to, 5, b, opcode});
  }
  Watched& pass(std::uint8_t opcode, std::uint32_t from, std::uint32_t to, std::uint32_t b = 0) {
    return sent(opcode, from, to, b).got(opcode, from, to, b);
  }
  Watched& up(std::uint32_t b = 0) {
    return pass(kOpcodeArrival, 3, 1, b).pass(kOpcodeArrival, 1, 0, b);
  }
  Watched& down(std::uint32_t b = 0) {
    return pass(kOpcodeRelease, 0, 1, b).pass(kOpcodeRelease, 1, 3, b);
  }
  Watched& acknowledge(std::uint32_t b = 0) {
    return pass(kOpcodeAck, 3, 1, b).pass(kOpcodeAck, 1, 0, b);
  }
  std::string end() {
    reports += report_of([&] { checker.finish(cycle, true); });
    return reports;
  }
};

TEST_CASE("two barriers of a tree of packets", "[checkers][tree]") {
  Watched w;
  w.up().down().acknowledge().up(1).down(1).acknowledge(1);
  CHECK(w.end() == "");
  CHECK(w.checker.checks() > 20);
}

TEST_CASE("no packet goes before what must come before it", "[checkers][tree]") {
  Watched early, root, inner, ack, next, next_root;
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
  Watched unsent, twice, edge, unknown, lost;
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
