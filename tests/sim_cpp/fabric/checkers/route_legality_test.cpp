// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/route_legality.hpp"

#include <catch2/catch.hpp>

#include "stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

struct Watched {
  Stage stage;
  RouteLegality checker{stage.subject()};
  std::uint64_t cycle = 0;
  void flit(core::ChannelId channel, std::uint64_t payload, std::uint8_t vc = 0,
            std::uint8_t kind = kHead) {
    checker.flit(cycle++, {channel, Stage::flit(kind, payload, vc)});
    checker.end_cycle(cycle);
  }
};

TEST_CASE("heads on their routes pass, equal ones from two ports too", "[checkers][routes]") {
  Watched w;
  w.flit(Stage::kFromN0, 3);
  w.flit(Stage::kFromN1, 3, 1);
  w.flit(Stage::kFromN1, 0);
  w.flit(Stage::kFromN1, 3);
  w.flit(Stage::kOver, 3);
  w.flit(Stage::kOver, 77, 0, kBody);
  w.flit(Stage::kOver, 3, 0, kSync);
  w.flit(Stage::kOver, 3, 1);
  w.flit(Stage::kOver, 3);
  w.flit(Stage::kToN0, 0);
  for (const std::uint8_t vc : {0, 1, 0}) w.flit(Stage::kToN3, 3, vc);
  CHECK(w.checker.checks() > 0);
}

TEST_CASE("a head by a wrong port is reported", "[checkers][routes]") {
  Watched w;
  w.flit(Stage::kFromN0, 3);
  CHECK_THAT(report_of([&] { w.flit(Stage::kToN1, 3); }),
             Contains("cycle 1, 0:2 -> n1: checker routes: head for destination 3 leaves by port "
                      "2, its routes are 0x1"));
}

TEST_CASE("a head that has not come in as it leaves is reported", "[checkers][routes]") {
  Watched w;
  w.flit(Stage::kFromN0, 3, 0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 3, 1); }),
             Contains("came in virtual channel 0 and leaves in 1"));
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 2); }), Contains("has never come in"));
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 3 | 1 << 11); }),
             Contains("opcode 1, virtual channel 0 has never come in"));
  w.flit(Stage::kOver, 3, 0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 3); }), Contains("has never come in"));
}

TEST_CASE("a head that leaves in the cycle in which it comes is reported", "[checkers][routes]") {
  Watched w;
  w.checker.flit(5, {Stage::kFromN0, Stage::flit(kHead, 3)});
  CHECK_THAT(report_of([&] {
               w.checker.flit(5, {Stage::kOver, Stage::flit(kHead, 3)});
             }),
             Contains("has never come in"));
}

TEST_CASE("a destination that does not exist is reported", "[checkers][routes]") {
  Watched w;
  w.flit(Stage::kFromN0, 5);  // switch 1
  CHECK_THAT(report_of([&] { w.flit(Stage::kFromN0, 6); }), Contains("destination 6 of 6"));
}

}  // namespace
}  // namespace muster::checkers
