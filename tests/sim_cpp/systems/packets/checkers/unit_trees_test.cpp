// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/unit_trees.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;
using fabric::kOpcodeUnitAck;
using fabric::kOpcodeUnitArrival;
using fabric::kOpcodeUnitRelease;

/// Group 5 of n0, n1 on switch 0, the root, and n2 on switch 1. Addresses of the switches: 4, 5.
struct WatchedUnits : Watched<WatchedUnits, UnitTrees> {
  WatchedUnits() : Watched(std::vector<UnitGroup>{{5, {0, 1, 2}, {0, 1}, {0, 0}}}, 500) {}

  WatchedUnits& put(core::ChannelId channel, std::uint8_t opcode, std::uint32_t from,
                    std::uint32_t to, std::uint32_t b) {
    return packet(channel, {from, to, 5, b, opcode});
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
             Contains("n0 is released from barrier 0 when 2 of 3 have arrived"));
  CHECK_THAT(twice.gather().released(0).released(0).reports,
             Contains("n0 is released from barrier 1"));
  CHECK_THAT(before.gather().released(2).reports,
             Contains("n2 is released from barrier 0 before its switch"));
  CHECK_THAT(again.arrives(0).arrives(0, 1).reports, Contains("n0 arrives at barrier 1"));
}

TEST_CASE("no unit sends before what must come before it", "[checkers][unit]") {
  WatchedUnits up, down, ack, next, number;
  CHECK_THAT(up.arrives(0).arrives(1).up().reports,
             Contains("arrival from 5 to 4") && Contains("not come"));
  CHECK_THAT(down.arrives(0).arrives(2).up().down().reports,
             Contains("release from 4 to 5") && Contains("not come"));
  CHECK_THAT(ack.gather().down().ack().reports,
             Contains("acknowledgement from 5 to 4") && Contains("not come"));
  CHECK_THAT(next.gather().down().released(2).arrives(2, 1).up(1).reports,
             Contains("arrival from 5 to 4, number 1"));
  CHECK_THAT(number.arrives(0).arrives(1).arrives(2).up(1).reports,
             Contains("another number is next"));
}

TEST_CASE("messages of units are whole, of a known group, along the tree, and none is owed",
          "[checkers][unit]") {
  WatchedUnits stranger, edge, owed;
  CHECK_THAT(stranger.put(Stage::kFromN3, kOpcodeUnitArrival, 3, 5, 0).reports,
             Contains("not an arrival of a member"));
  CHECK_THAT(edge.gather().put(Stage::kOver, kOpcodeUnitAck, 4, 5, 0).reports,
             Contains("not an edge of its tree"));
  CHECK_THAT(owed.gather().down().released(0).released(1).released(2).finish().reports,
             Contains("1, 1, 0 arrivals, releases, acknowledgements sent"));
}

}  // namespace
}  // namespace muster::checkers
