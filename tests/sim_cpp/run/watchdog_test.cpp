// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "fabric/register_map.hpp"
#include "fake_scheme.hpp"
#include "run/links/host_writes.hpp"
#include "run/run_parts.hpp"
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
    run->start(10);
  }
  const Watched one(absent), two(stuck);
  CHECK(one.watchdog.look(110) == "");
  CHECK(one.watchdog.look(111) == "cycle 111: group 0 waits at barrier 0");
  CHECK(two.watchdog.look(1010) == "");
  CHECK(two.watchdog.look(1011) == "cycle 1011: group 0 waits at barrier 0");
}

TEST_CASE("a release is progress, and so is that a node knows", "[run][watchdog]") {
  FakeRun run(List{{{10, 10}}});
  run.start(10);
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
  run.start(20);
  CHECK(Watched(run).watchdog.look(999'999) == "");
}

TEST_CASE("a group that is done does not hang, and all that hang are named", "[run][watchdog]") {
  FakeRun run(List{{{1, 1}}, {{2, 2}}, {{3, 3}}});
  run.start(5);
  for (std::uint32_t m : {0u, 1u}) run.members.released(6, 1, m);
  const Watched watched(run);
  CHECK(watched.watchdog.look(5000) ==
        "cycle 5000: group 0 waits at barrier 0\ncycle 5000: group 2 waits at barrier 0");
}

/// Its only member has left its only barrier.
void finish(FakeRun& run) {
  run.start(1);
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

using Held = std::map<topology::SwitchId, std::uint32_t>;  ///< ports held, without 0

/// Figure 1 with members that arrive by a list and are never released but by the test.
struct Congested {
  Congested(const std::vector<std::string>& groups, const CongestionSpec& congestion,
            const List& list, std::uint64_t seed = 1)
      : spec(with(subject.spec(groups, seed), congestion, list)),
        network(build_network(spec, run::configuration("sw8"))),
        arrivals(list),
        members(spec.groups, arrivals, spec.barriers),
        congested(spec, *network, members) {
    members.begin(0);
    network->endpoints().attach(&scheme, nullptr);
  }
  static RunSpec with(RunSpec spec, const CongestionSpec& congestion, const List& list) {
    spec.congestion = congestion;
    spec.barriers = static_cast<std::uint32_t>(list.at(0).size());
    return spec;
  }

  /// The registers after the steps up to and with this cycle.
  Held held_after(std::uint64_t cycle) {
    while (network->engine().cycle() <= cycle) {
      congested.step(network->engine().cycle());
      network->engine().step();
    }
    Held held;
    for (topology::SwitchId s = 0; s < subject.graph.switches(); ++s)
      if (const auto ports = network->switches().read_register(s, fabric::registers::kHold))
        held[s] = ports;
    return held;
  }
  /// The ports of a switch that lead to other switches.
  std::uint32_t links_of(topology::SwitchId s) const {
    std::uint32_t mask = 0;
    for (const topology::Link& link : subject.graph.links())
      for (const topology::PortRef& end : {link.a, link.b})
        if (end.sw == s) mask |= 1u << end.port;
    return mask;
  }

  test::Subject subject = test::Subject::figure1();
  RunSpec spec;
  std::unique_ptr<fabric::Network> network;
  ListedArrivals arrivals;
  Members members;
  test::FakeScheme scheme{members};
  Congestion congested;
};

List alike(std::size_t members, const std::vector<std::uint64_t>& barriers) {
  List list(1);
  for (const std::uint64_t cycle : barriers) list[0].emplace_back(members, cycle);
  return list;
}

TEST_CASE("links to switches are held from the first arrival on for the time asked",
          "[run][congestion]") {
  Congested run({"0:3,0:4"}, {1, 50}, {{{20, 90}}});
  CHECK(run.held_after(20).empty());
  CHECK(run.held_after(21) == Held{{0, run.links_of(0)}});
  CHECK((run.links_of(0) & 1u << 3) == 0);  // not those to nodes
  CHECK(run.held_after(70) == Held{{0, run.links_of(0)}});
  CHECK(run.held_after(71).empty());
  CHECK(run.held_after(200).empty());  // the second arrival is of the same barrier
}

TEST_CASE("as many members are drawn as are asked for, none twice", "[run][congestion]") {
  // Five members at five switches.
  const std::vector<topology::SwitchId> at{0, 3, 4, 5, 6};
  for (std::uint32_t members = 1; members <= 5; ++members) {
    CAPTURE(members);
    Congested run({"0:3,3:4,4:2,5:2,6:2"}, {members, 10}, alike(5, {0}));
    const Held held = run.held_after(1);
    CHECK(held.size() == members);
    for (const auto& [s, ports] : held) {
      CHECK(std::find(at.begin(), at.end(), s) != at.end());
      CHECK(ports == run.links_of(s));
    }
  }
}

TEST_CASE("each barrier draws anew, a run with the same seed the same", "[run][congestion]") {
  const std::string group = "0:3,3:4,4:2,5:2,6:2,7:3";
  const auto drawn = [&](std::uint64_t seed) {
    Congested run({group}, {2, 5}, alike(6, {0, 100, 200, 300, 400, 500}), seed);
    std::vector<Held> barriers;
    for (std::uint32_t b = 0; b < 6; ++b) {
      barriers.push_back(run.held_after(100 * b + 2));
      for (std::uint32_t m = 0; m < 6; ++m)
        run.members.released(run.network->engine().cycle(), 0, m);
      CHECK(run.held_after(100 * b + 20).empty());
    }
    return barriers;
  };
  const auto once = drawn(3);
  CHECK(std::set<Held>(once.begin(), once.end()).size() > 1);
  CHECK(drawn(3) == once);
  CHECK(drawn(4) != once);
}

TEST_CASE("a switch that several hold is free when the last lets go", "[run][congestion]") {
  // Group 0 holds switch 0 from cycle 11 on, group 1 from 31 on, 50 cycles each.
  Congested run({"0:3,0:4", "0:4,0:5"}, {1, 50}, {{{10, 10}}, {{30, 30}}});
  CHECK(run.held_after(10).empty());
  for (const std::uint64_t cycle : {11u, 40u, 61u, 80u}) {
    CAPTURE(cycle);
    CHECK(run.held_after(cycle).count(0) == 1);
  }
  CHECK(run.held_after(81).empty());
}

TEST_CASE("a group with fewer members than are to be congested is refused", "[run][congestion]") {
  CHECK_THROWS_WITH(Congested({"0:3,0:4"}, {3, 10}, {{{0, 0}}}),
                    "--congestion: 3 members requested, group '0:3,0:4' has 2");
  CHECK_THROWS_AS(Congested({"0:3,0:4"}, {3, 10}, {{{0, 0}}}), InputError);
  CHECK_NOTHROW(Congested({"0:3,0:4"}, {2, 10}, {{{0, 0}}}));
}

}  // namespace

}  // namespace muster::run
