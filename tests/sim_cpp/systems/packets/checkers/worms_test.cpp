// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/worms.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

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
