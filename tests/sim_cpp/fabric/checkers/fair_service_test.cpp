// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/fair_service.hpp"

#include "stage.hpp"

namespace muster::checkers {
namespace {

/// Switch 0 of the stage: three inputs are connected, so four packets may pass. Its routes lead to
/// n2 and n3 over kOver.
struct WatchedService {
  explicit WatchedService(topology::Graph graph = Stage::make_graph()) : stage{std::move(graph)} {}

  void flit(std::uint64_t cycle, core::ChannelId channel, std::uint8_t kind,
            std::uint64_t destination = 3, std::uint8_t vc = 0) {
    checker.flit(cycle, {channel, Stage::flit(kind, destination, vc)});
  }
  void credit(std::uint64_t cycle, core::ChannelId channel, std::uint8_t credits = 1) {
    checker.credit(cycle, {channel, credits});
  }
  /// Heads of other packets on kOver.
  void pass(std::initializer_list<std::uint64_t> cycles, std::uint8_t vc = 0) {
    for (const std::uint64_t cycle : cycles) flit(cycle, Stage::kOver, kHead, 3, vc);
  }
  /// What is reported about one more in `cycle`.
  std::string report(std::uint64_t cycle, std::uint8_t vc = 0) {
    return report_of([&] { pass({cycle}, vc); });
  }

  Stage stage;
  FairService checker{stage.subject()};
};

TEST_CASE("one packet more than there are inputs may pass, the next is reported",
          "[checkers][fairness]") {
  WatchedService w;
  w.flit(10, Stage::kFromN0, kHead);
  w.pass({13, 16, 19, 22});
  CHECK(w.checker.checks() == 4);
  CHECK(w.report(25) ==
        "cycle 25, 0:0 -> 1:0: checker fair service: 5 packets in virtual channel 0 have passed "
        "the one in front at input port 1 since cycle 11, at most 4");
}

TEST_CASE("the credit of a head ends its wait", "[checkers][fairness]") {
  WatchedService w;
  w.flit(10, Stage::kFromN0, kHead);
  w.pass({14, 17});
  SECTION("its own head may follow, and any others") {
    w.pass({19, 20});
    w.credit(22, Stage::kFromN0);
    w.pass({23, 26, 29, 32, 35});
  }
  SECTION("a head in the cycle of the credit was taken before it") {
    w.pass({19, 20});
    CHECK_THAT(w.report(22), Contains("5 packets"));
    w.credit(22, Stage::kFromN0);
  }
  SECTION("the credit of another queue does not") {
    w.flit(18, Stage::kFromN1, kHead);
    w.flit(18, Stage::kFromN0, kHead, 3, 1);
    w.credit(19, Stage::kFromN1);
    w.credit(20, Stage::kFromN0, 2);
    w.pass({21, 22});
    CHECK_THAT(w.report(24), Contains("input port 1 since cycle 11"));
  }
}

TEST_CASE("a packet behind others waits from the credit of the last of them on",
          "[checkers][fairness]") {
  WatchedService w;
  w.flit(10, Stage::kFromN0, kHead);
  w.flit(11, Stage::kFromN0, kTail);
  w.credit(13, Stage::kFromN0);
  SECTION("which came after it") {
    w.flit(14, Stage::kFromN0, kHead);
    w.pass({14, 17, 20, 21});
    w.credit(20, Stage::kFromN0);
    w.pass({22, 24, 26, 28});
    CHECK_THAT(w.report(30), Contains("5 packets") && Contains("since cycle 20"));
  }
  SECTION("or from its arrival on if the queue was empty") {
    w.credit(14, Stage::kFromN0);
    w.flit(20, Stage::kFromN0, kHead);
    w.pass({21, 22, 23, 25, 27, 29});
    CHECK_THAT(w.report(31), Contains("5 packets") && Contains("since cycle 21"));
  }
  SECTION("or from the arrival on if the credit was faster") {
    w.flit(14, Stage::kFromN0, kHead);
    w.credit(14, Stage::kFromN0);
    w.pass({15, 16, 17, 19, 21, 23});
    CHECK_THAT(w.report(25), Contains("5 packets") && Contains("since cycle 15"));
  }
}

TEST_CASE("only heads of packets of the same output channel pass", "[checkers][fairness]") {
  WatchedService w;
  w.flit(10, Stage::kFromN0, kHead);
  for (std::uint64_t t = 14; t < 40; t += 2) {
    w.pass({t}, 1);                     // another virtual channel
    w.flit(t, Stage::kToN1, kHead, 1);  // another port
    w.flit(t, Stage::kBack, kHead, 0);  // of another switch
    w.flit(t, Stage::kOver, kBody);
    w.flit(t, Stage::kOver, kTail);
    w.flit(t, Stage::kOver, kSync);
    w.flit(t, Stage::kOver, kHead | kTail);  // leaves no owner, and no next
  }
  w.pass({40, 42, 44, 45});
  CHECK_THAT(w.report(46), Contains("5 packets"));
}

TEST_CASE("a long link delays the head and not the credit", "[checkers][fairness]") {
  topology::Graph graph;
  graph.add_switch(4);
  graph.add_switch(4);
  graph.add_link({0, 0}, {1, 0});
  graph.add_node({0, 1}, 7);
  graph.add_node({0, 2});
  graph.add_node({1, 1});
  graph.add_node({1, 2});
  WatchedService w(graph);
  w.flit(10, Stage::kFromN0, kHead);
  w.pass({11, 14, 17, 18});
  SECTION("the first of its queue") {
    w.pass({19, 21, 23, 25});
    CHECK_THAT(w.report(27), Contains("since cycle 17"));
  }
  SECTION("one that is still on the link when the credit before it is given") {
    w.credit(19, Stage::kFromN0);
    w.flit(20, Stage::kFromN0, kTail);
    w.flit(24, Stage::kFromN0, kHead);
    w.credit(28, Stage::kFromN0);
    w.pass({21, 24, 27, 30, 32});
    w.pass({33, 35, 37, 39});
    CHECK_THAT(w.report(41), Contains("since cycle 31"));
  }
}

}  // namespace
}  // namespace muster::checkers
