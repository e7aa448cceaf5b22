// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/bounded_waits.hpp"

#include <catch2/catch.hpp>

#include "stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

struct Watched {
  Stage stage;
  Delivery delivery{stage.subject()};
  BarrierSafety barriers{stage.subject(), {{7, {0, 1}, 0, true, {}}}};
  BoundedWaits checker{stage.subject(), {20, 10}, delivery, barriers};
  std::uint64_t cycle = 0;
  void end_cycle() {
    barriers.end_cycle(cycle);
    checker.end_cycle(cycle++);
  }
  void idle_until(std::uint64_t end) {
    while (cycle < end) end_cycle();
  }
  void data(core::ChannelId channel) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      delivery.flit(cycle, {channel, stage.formats.packet_flit({0, 3, 3, 0, 0, 0}, i)});
      end_cycle();
    }
  }
  void message(core::ChannelId channel, fabric::MessageType type) {
    barriers.flit(cycle, {channel, stage.message(type, 7, 0)});
    end_cycle();
  }
};

TEST_CASE("a packet under way for longer than the bound is reported", "[checkers][bounded_waits]") {
  Watched w;
  w.idle_until(100);
  w.data(Stage::kFromN0);
  w.idle_until(121);
  CHECK(w.checker.longest_packet() == 20);
  SECTION("in time") {
    Watched in_time;
    in_time.data(Stage::kFromN0);
    in_time.idle_until(18);
    in_time.data(Stage::kToN3);
    in_time.idle_until(200);
    CHECK(in_time.checker.longest_packet() == 19);
  }
  SECTION("too late") {
    CHECK_THAT(report_of([&] { w.idle_until(122); }),
               Contains("cycle 121, n0 -> 0:1: checker bounded waits: packet 0 to n3 in virtual "
                        "channel 0 under way for 21 cycles, at most 20"));
  }
}

TEST_CASE("a barrier message that a switch keeps is reported, a late member is not",
          "[checkers][bounded_waits]") {
  Watched w;
  w.message(Stage::kFromN0, fabric::MessageType::kReduction);
  w.idle_until(500);
  w.message(Stage::kFromN1, fabric::MessageType::kReduction);
  w.message(Stage::kToN0, fabric::MessageType::kDistribution);
  w.idle_until(511);
  CHECK_THAT(report_of([&] { w.idle_until(512); }),
             Contains("cycle 511, switch 0: checker bounded waits: group 7, barrier 0: switch 0 "
                      "owes 1 of 2 children the distribution message for 11 cycles, at most 10"));
}

}  // namespace
}  // namespace muster::checkers
