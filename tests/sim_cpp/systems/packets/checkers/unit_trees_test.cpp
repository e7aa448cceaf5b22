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
struct Watched {
  Stage stage;
  UnitTrees checker{stage.subject(), {{5, {0, 1, 2}, {0, 1}, {0, 0}}}, 500};
  std::uint64_t cycle = 0;
  std::string reports;

  Watched& put(core::ChannelId channel, std::uint8_t opcode, std::uint32_t from, std::uint32_t to,
               std::uint32_t b) {
    reports += report_of([&] {
      for (const core::Flit& flit : stage.formats.barrier_packet({from, to, 5, b, opcode}, 0)) {
        checker.flit(cycle, {channel, flit});
        checker.end_cycle(cycle++);
      }
    });
    return *this;
  }
  Watched& arrives(std::uint32_t n, std::uint32_t b = 0) {
    return put(stage.layout.into_switch(n), kOpcodeUnitArrival, n, n < 2 ? 4 : 5, b);
  }
  Watched& released(std::uint32_t n, std::uint32_t b = 0) {
    return put(stage.layout.into_node(n), kOpcodeUnitRelease, n < 2 ? 4 : 5, n, b);
  }
  Watched& up(std::uint32_t b = 0) { return put(Stage::kBack, kOpcodeUnitArrival, 5, 4, b); }
  Watched& down(std::uint32_t b = 0) { return put(Stage::kOver, kOpcodeUnitRelease, 4, 5, b); }
  Watched& ack(std::uint32_t b = 0) { return put(Stage::kBack, kOpcodeUnitAck, 5, 4, b); }
  Watched& gather(std::uint32_t b = 0) { return arrives(0, b).arrives(1, b).arrives(2, b).up(b); }
  Watched& whole(std::uint32_t b = 0) {
    return gather(b).down(b).released(0, b).released(1, b).released(2, b).ack(b);
  }
  std::string end() {
    reports += report_of([&] { checker.finish(cycle, true); });
    return reports;
  }
};

TEST_CASE("barriers of units in order are right", "[checkers][unit]") {
  Watched w;
  w.whole().whole(1).whole(2);
  CHECK(w.end() == "");
  CHECK(w.checker.checks() > 50);
}

TEST_CASE("no member is released early, twice or without a release of its switch",
          "[checkers][unit]") {
  Watched early, twice, before, again;
  early.arrives(0).arrives(1).released(0);
  CHECK_THAT(early.reports, Contains("n0 is released from barrier 0 when 2 of 3 have arrived"));
  twice.gather().released(0).released(0);
  CHECK_THAT(twice.reports, Contains("n0 is released from barrier 1"));
  before.gather().released(2);
  CHECK_THAT(before.reports, Contains("n2 is released from barrier 0 before its switch"));
  again.arrives(0).arrives(0, 1);
  CHECK_THAT(again.reports, Contains("n0 arrives at barrier 1"));
}

TEST_CASE("no unit sends before what must come before it", "[checkers][unit]") {
  Watched up, down, ack, next, number;
  up.arrives(0).arrives(1).up();
  CHECK_THAT(up.reports, Contains("arrival from 5 to 4") && Contains("not come"));
  down.arrives(0).arrives(2).up().down();
  CHECK_THAT(down.reports, Contains("release from 4 to 5") && Contains("not come"));
  ack.gather().down().ack();
  CHECK_THAT(ack.reports, Contains("acknowledgement from 5 to 4") && Contains("not come"));
  next.gather().down().released(2).arrives(2, 1).up(1);
  CHECK_THAT(next.reports, Contains("arrival from 5 to 4, number 1"));
  number.arrives(0).arrives(1).arrives(2).up(1);
  CHECK_THAT(number.reports, Contains("another number is next"));
}

TEST_CASE("messages of units are whole, of a known group, along the tree, and none is owed",
          "[checkers][unit]") {
  Watched stranger, edge, owed;
  stranger.put(Stage::kFromN3, kOpcodeUnitArrival, 3, 5, 0);
  CHECK_THAT(stranger.reports, Contains("not an arrival of a member"));
  edge.gather().put(Stage::kOver, kOpcodeUnitAck, 4, 5, 0);
  CHECK_THAT(edge.reports, Contains("not an edge of its tree"));
  owed.gather().down().released(0).released(1).released(2);
  CHECK_THAT(owed.end(), Contains("1, 1, 0 arrivals, releases, acknowledgements sent"));
}

}  // namespace
}  // namespace muster::checkers
