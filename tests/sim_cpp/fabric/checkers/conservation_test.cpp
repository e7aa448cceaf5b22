// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/conservation.hpp"

#include <catch2/catch.hpp>

#include "stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

struct Watched {
  Stage stage;
  Conservation checker{stage.subject()};
  std::uint64_t cycle = 0;
  void flit(core::ChannelId channel, std::uint8_t kind = kBody, std::uint8_t vc = 0) {
    checker.flit(cycle, {channel, Stage::flit(kind, 0, vc)});
    checker.end_cycle(cycle++);
  }
};

TEST_CASE("what goes in and comes out again passes", "[checkers][conservation]") {
  Watched w;
  for (const auto channel : {Stage::kFromN0, Stage::kOver, Stage::kToN2}) w.flit(channel);
  w.flit(Stage::kToN1, kSync);  // made in the switch
  w.flit(Stage::kFromN1, kSync);
  w.checker.finish(w.cycle, true);
  CHECK(w.checker.checks() > 0);
}

TEST_CASE("the order of events within a cycle does not matter", "[checkers][conservation]") {
  Watched w;
  w.flit(Stage::kFromN0);
  w.checker.flit(1, {Stage::kToN2, Stage::flit(kBody)});  // of switch 1, before its entry
  w.checker.flit(1, {Stage::kOver, Stage::flit(kBody)});
  w.checker.end_cycle(1);
  w.checker.finish(2, true);
}

TEST_CASE("more out than in is reported, for each virtual channel", "[checkers][conservation]") {
  Watched w;
  w.flit(Stage::kFromN0, kBody, 0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, kBody, 1); }),
             Contains("cycle 1, switch 0: checker conservation: 1 more flits of virtual channel 1 "
                      "have left than have entered"));
}

TEST_CASE("more inside than the buffers hold is reported", "[checkers][conservation]") {
  Watched w;  // three ports of depth 2, a crossbar register each: 9 flits of a virtual channel
  for (int i = 0; i < 9; ++i) w.flit(Stage::kFromN0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kFromN0); }), Contains("10 flits of virtual channel 0"));
}

TEST_CASE("flits that stay in an empty network are reported", "[checkers][conservation]") {
  Watched w;
  w.flit(Stage::kFromN3, kBody, 1);
  w.checker.finish(9, false);
  CHECK_THAT(report_of([&] { w.checker.finish(9, true); }),
             Contains("switch 1: checker conservation: 1 flits of virtual channel 1 were "
                      "lost inside"));
}

}  // namespace
}  // namespace muster::checkers
