// SPDX-License-Identifier: Apache-2.0
#include "run/watchdog.hpp"

#include <catch2/catch.hpp>

#include "fake_scheme.hpp"
#include "run/build_network.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using test::FakeRun;
using List = ListedArrivals::List;

constexpr HangLimits kLimits{.absent = 100, .stuck = 1000, .held = 0};

/// A network in which nothing moves, and members that the test leads.
struct Watched {
  explicit Watched(FakeRun& r, const HangLimits& limits = kLimits)
      : run(r),
        network(build_network(subject.spec({}), run::configuration("sw8"))),
        watchdog(*network, run.members, run.scheme, links, &traffic, limits) {}

  test::Subject subject{test::star(2)};
  FakeRun& run;
  std::unique_ptr<fabric::Network> network;
  core::Digest links;
  DataTraffic traffic{{.nodes = 2, .flits_per_node_cycle = 0.5}, std::make_shared<Uniform>(2)};
  Watchdog watchdog;
};

TEST_CASE(
    "a group without progress is a hang after the longest wait allowed: less if one stays away",
    "[run][watchdog]") {
  const List list{{{10, 10}}};
  FakeRun absent(list, std::make_shared<WithAbsence>(std::make_shared<ListedArrivals>(list),
                                                     std::vector<Absence>{{0, 1, 0}}));
  FakeRun stuck(list);
  for (FakeRun* run : {&absent, &stuck}) {
    run->members.begin(0);
    run->clock_to(10);
  }
  const Watched one(absent), two(stuck);
  CHECK(one.watchdog.look(110) == "");
  CHECK(one.watchdog.look(111) == "cycle 111: group 0 waits at barrier 0");
  CHECK(two.watchdog.look(1010) == "");
  CHECK(two.watchdog.look(1011) == "cycle 1011: group 0 waits at barrier 0");
}

TEST_CASE("a release is progress, and so is that a node knows", "[run][watchdog]") {
  FakeRun run(List{{{10, 10}}});
  run.members.begin(0);
  run.clock_to(10);
  const Watched watched(run);
  run.members.completed(900, 0);
  CHECK(watched.watchdog.look(1900) == "");
  CHECK(watched.watchdog.look(1901) != "");
  run.members.released(1500, 0, 0);
  CHECK(watched.watchdog.look(2500) == "");
  CHECK(watched.watchdog.look(2501) != "");
}

TEST_CASE("a member on its way to a barrier is no hang, however long it takes", "[run][watchdog]") {
  FakeRun run(List{{{10, 1'000'000}}});
  run.members.begin(0);
  run.clock_to(20);
  CHECK(Watched(run).watchdog.look(999'999) == "");
}

TEST_CASE("a group that is done does not hang, and all that hang are named", "[run][watchdog]") {
  FakeRun run(List{{{1, 1}}, {{2, 2}}, {{3, 3}}});
  run.members.begin(0);
  run.clock_to(5);
  for (std::uint32_t m : {0u, 1u}) run.members.released(6, 1, m);
  const Watched watched(run);
  CHECK(watched.watchdog.look(5000) ==
        "cycle 5000: group 0 waits at barrier 0\ncycle 5000: group 2 waits at barrier 0");
}

/// Its only member has left its only barrier.
void finish(FakeRun& run) {
  run.members.begin(0);
  run.clock_to(1);
  run.members.released(2, 0, 0);
  REQUIRE(run.members.done());
}

TEST_CASE("packets that do not move are a hang after the silence of the links", "[run][watchdog]") {
  FakeRun run(List{{{1}}});
  finish(run);
  Watched watched(run);
  CHECK(watched.watchdog.look(1'000'000) == "");  // no packet is under way
  const std::uint64_t start = watched.traffic.ready(0);
  const fabric::Packet packet = watched.traffic.take(start, 0, 0);
  REQUIRE(watched.traffic.in_flight() == 1);
  const core::CreditEvent credit{0, 1};
  watched.links.observe(5000, {}, {&credit, 1});
  CHECK(watched.watchdog.look(5000 + Watchdog::kSilence) == "");
  CHECK_THAT(
      watched.watchdog.look(5001 + Watchdog::kSilence),
      Contains("1 packets are in flight and nothing has moved on any link since cycle 5000"));
  const core::FlitEvent flit{0, {}};
  watched.links.observe(6000, {&flit, 1}, {});
  CHECK(watched.watchdog.look(6500) == "");
  watched.traffic.deliver(7000, 1, packet);
  CHECK(watched.watchdog.look(1'000'000) == "");
}

TEST_CASE("links that are held may be silent for as long as they are", "[run][watchdog]") {
  FakeRun run(List{{{1}}});
  finish(run);
  Watched watched(run, {.absent = 100, .stuck = 1000, .held = 300});
  watched.traffic.take(watched.traffic.ready(0), 0, 0);
  CHECK(watched.watchdog.look(Watchdog::kSilence + 300) == "");
  CHECK(watched.watchdog.look(Watchdog::kSilence + 301) != "");
}

TEST_CASE("without data links may be silent", "[run][watchdog]") {
  FakeRun run(List{{{1}}});
  finish(run);
  const Watched watched(run);
  const Watchdog watchdog(*watched.network, run.members, run.scheme, watched.links, nullptr,
                          kLimits);
  CHECK(watchdog.look(1'000'000) == "");
}

}  // namespace
}  // namespace muster::run
