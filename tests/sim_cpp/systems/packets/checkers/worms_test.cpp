// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/worms.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

/// A worm of n0, in virtual channel 1: to n1 on its own switch, to n2 and n3 beyond.
struct Watched {
  Stage stage;
  Worms checker{stage.subject(), 100};
  std::uint64_t cycle = 0;

  std::vector<core::Flit> worm(const std::vector<std::uint32_t>& to,
                               std::uint32_t number = 0) const {
    return stage.formats.worm(to, {0, 0, 5, number}, 1);
  }
  std::string put(core::ChannelId channel, const std::vector<core::Flit>& flits) {
    return report_of([&] {
      for (const core::Flit& flit : flits) {
        checker.flit(cycle, {channel, flit});
        checker.end_cycle(cycle++);
      }
    });
  }
};

TEST_CASE("a worm that splits at each switch passes", "[checkers][worms]") {
  Watched w;
  for (std::uint32_t number = 0; number < 3; ++number) {
    REQUIRE(w.put(Stage::kFromN0, w.worm({1, 2, 3}, number)) == "");
    REQUIRE(w.put(Stage::kToN1, w.worm({1}, number)) == "");
    REQUIRE(w.put(Stage::kOver, w.worm({2, 3}, number)) == "");
    REQUIRE(w.put(Stage::kToN3, w.worm({3}, number)) == "");
    REQUIRE(w.put(Stage::kToN2, w.worm({2}, number)) == "");
  }
  CHECK(report_of([&] { w.checker.finish(w.cycle, true); }) == "");
}

TEST_CASE("an address goes where its route names and nowhere else", "[checkers][worms]") {
  Watched w;
  REQUIRE(w.put(Stage::kFromN0, w.worm({1, 2})) == "");
  SECTION("to the wrong output") {
    CHECK_THAT(w.put(Stage::kOver, w.worm({2, 1})), Contains("worm address n1 leaves by port 0"));
  }
  SECTION("twice") {
    REQUIRE(w.put(Stage::kOver, w.worm({2})) == "");
    CHECK_THAT(w.put(Stage::kOver, w.worm({2})), Contains("n2 leaves without having come in"));
  }
  SECTION("invented") {
    CHECK_THAT(w.put(Stage::kOver, w.worm({2, 3})), Contains("n3 leaves without having come in"));
  }
  SECTION("to another node, with its own address") {
    CHECK_THAT(w.put(Stage::kToN1, w.worm({2})), Contains("leaves by port"));
  }
}

TEST_CASE("every node gets the payload once, as it was sent", "[checkers][worms]") {
  Watched w;
  REQUIRE(w.put(Stage::kFromN0, w.worm({1, 2}, 7)) == "");
  SECTION("changed") {
    CHECK_THAT(w.put(Stage::kToN1, w.worm({1}, 8)), Contains("out of order or changed"));
  }
  SECTION("lost") {
    REQUIRE(w.put(Stage::kToN1, w.worm({1}, 7)) == "");
    CHECK_THAT(report_of([&] { w.checker.finish(w.cycle, true); }),
               Contains("1 worms of n0 to n2 have not reached it"));
    CHECK(report_of([&] { w.checker.finish(w.cycle, false); }) == "");
  }
  SECTION("late") {
    w.cycle += 100;
    CHECK_THAT(w.put(Stage::kToN1, w.worm({1}, 7)), Contains("in flight for"));
  }
  SECTION("without its last flit") {
    auto flits = w.worm({1}, 7);
    flits[1].kind = kTail;
    CHECK_THAT(w.put(Stage::kToN1, flits), Contains("flit 1 of a worm's payload is its tail"));
  }
}

TEST_CASE("a worm has at most 64 addresses and names its source", "[checkers][worms]") {
  Watched w;
  CHECK_THAT(w.put(Stage::kFromN0, w.worm(std::vector<std::uint32_t>(65, 1))),
             Contains("more than 64 addresses"));
  Watched other;
  CHECK_THAT(other.put(Stage::kFromN1, other.worm({2})), Contains("names source n0, sent by n1"));
  CHECK_THAT(other.put(Stage::kFromN0, other.worm({4})),
             Contains("destination 4, which is not a node"));
}

}  // namespace
}  // namespace muster::checkers
