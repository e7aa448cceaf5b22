// SPDX-License-Identifier: Apache-2.0
#include "muster/run/members.hpp"

#include <set>

#include "fake_scheme.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

namespace muster::run {
namespace {

TEST_CASE("uniform gaps reach both ends and have the mean of the middle", "[run][arrivals]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const UniformArrivals arrivals(7, seed);
  std::set<std::uint64_t> gaps;
  double sum = 0;
  constexpr std::uint32_t kDraws = 20'000;
  for (std::uint32_t b = 0; b < kDraws; ++b) {
    const std::uint64_t gap = arrivals.next(0, 0, b, 1000) - 1000;
    gaps.insert(gap);
    sum += static_cast<double>(gap);
  }
  CHECK(gaps == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(sum / kDraws == Approx(3.5).margin(0.1));  // 6 deviations of the mean
}

TEST_CASE("with a spread of 0 each member arrives at its own release", "[run][arrivals]") {
  const UniformArrivals arrivals(0, 5);
  for (std::uint32_t i = 0; i < 50; ++i) CHECK(arrivals.next(i, 2 * i, 3 * i, 77 + i) == 77 + i);
}

TEST_CASE("a gap depends on seed, group, member and barrier, and on no release",
          "[run][arrivals]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const std::uint64_t wide = 1'000'000'000;
  const UniformArrivals arrivals(wide, seed), again(wide, seed), other(wide, seed + 1);
  const std::uint64_t gap = arrivals.next(1, 2, 3, 0);
  CHECK(again.next(1, 2, 3, 0) == gap);
  CHECK(arrivals.next(1, 2, 3, 900) == gap + 900);
  // Group and member are not confused: (1, 2) is another than (2, 1).
  std::set<std::uint64_t> different{gap, other.next(1, 2, 3, 0)};
  for (const auto& [g, m, b] : {std::tuple{2u, 1u, 3u}, {2u, 2u, 3u}, {1u, 3u, 3u}, {1u, 2u, 4u}})
    different.insert(arrivals.next(g, m, b, 0));
  CHECK(different.size() == 6);
}

TEST_CASE("listed times are kept unless they have passed", "[run][arrivals]") {
  const ListedArrivals arrivals({{{10, 20}, {30, 5}}, {{7, 8}, {9, 10}}});
  CHECK(arrivals.next(0, 1, 0, 0) == 20);
  CHECK(arrivals.next(0, 1, 1, 26) == 26);
  CHECK(arrivals.next(0, 0, 1, 30) == 30);
  CHECK(arrivals.next(1, 0, 0, 0) == 7);
  CHECK_THROWS_AS(arrivals.next(2, 0, 0, 0), InputError);
  CHECK_THROWS_WITH(arrivals.next(2, 0, 0, 0), Catch::EndsWith("member 0 of group 2 at barrier 0"));
  CHECK_THROWS_WITH(arrivals.next(0, 0, 2, 0), Catch::EndsWith("member 0 of group 0 at barrier 2"));
  CHECK_THROWS_WITH(arrivals.next(0, 2, 0, 0), Catch::EndsWith("member 2 of group 0 at barrier 0"));
}

TEST_CASE("an absent member stays away from its barrier on, others do not", "[run][arrivals]") {
  const auto inner = std::make_shared<UniformArrivals>(100, 3);
  const WithAbsence arrivals(inner, {{1, 2, 3}, {0, 0, 0}, {1, 2, 9}});
  for (std::uint32_t b = 0; b < 12; ++b) {
    CAPTURE(b);
    CHECK((arrivals.next(1, 2, b, 50) == fabric::kNever) == (b >= 3));
    CHECK(arrivals.next(0, 0, b, 50) == fabric::kNever);
    CHECK(arrivals.next(1, 1, b, 50) == inner->next(1, 1, b, 50));
    CHECK(arrivals.next(2, 2, b, 50) == inner->next(2, 2, b, 50));
  }
}

std::string recording(const std::string& calls, const std::string& ranks = "2") {
  return "{\"schema\": \"muster-arrivals-1\", \"name\": \"small\", \"ranks\": " + ranks +
         ", \"calls\": [" + calls + "]}";
}

TEST_CASE("a recording's nanoseconds are cycles between release and arrival",
          "[workload][arrivals]") {
  const test::Folder folder;
  folder.write("small.json", recording(R"({"call": "MPI_Barrier", "work_ns": [104, 2500]},
    {"call": "MPI_Allreduce", "bytes": 8, "work_ns": [0, 96]})"));
  const auto arrivals = read_arrivals(folder.file("small.json"), 10.0);
  CHECK(arrivals->name() == "small");
  CHECK(arrivals->members() == 2);
  CHECK(arrivals->barriers() == 2);
  for (const std::uint32_t group : {0u, 7u}) {
    CHECK(arrivals->next(group, 0, 0, 1000) == 1010);
    CHECK(arrivals->next(group, 1, 0, 1000) == 1250);
    CHECK(arrivals->next(group, 0, 1, 5) == 5);
    CHECK(arrivals->next(group, 1, 1, 0) == 10);
  }
  CHECK_THROWS_WITH(arrivals->next(0, 0, 2, 0),
                    "arrivals: member 0 at barrier 2 is not in 'small'");
}

TEST_CASE("members of a run arrive when the recording says", "[workload][arrivals]") {
  const test::Folder folder;
  folder.write("small.json", recording(R"({"call": "a", "work_ns": [500, 3000]},
    {"call": "b", "work_ns": [7000, 100]})"));
  RunSpec spec = test::figure1().spec({"random:2"});
  spec.barriers = 2;
  spec.arrivals = read_arrivals(folder.file("small.json"), spec.profile.clock_ns);
  const RunResult result = test::completes(spec);
  // 300 cycles, a barrier, 700 cycles, a barrier.
  CHECK(result.cycles >= 1000 + result.barriers[1].latency_cycles);
  CHECK(result.cycles <=
        1050 + result.barriers[0].latency_cycles + result.barriers[1].latency_cycles);
}

TEST_CASE("a recording that cannot be used is refused with the place", "[workload][arrivals]") {
  const test::Folder folder;
  const auto refused = [&](const std::string& content, const std::string& token) {
    folder.write("bad.json", content);
    const std::string file = folder.file("bad.json");
    CHECK_THROWS_AS(read_arrivals(file, 10.0), InputError);
    CHECK_THROWS_WITH(read_arrivals(file, 10.0), Catch::StartsWith(file + ": " + token));
  };
  const std::string call = R"({"call": "a", "work_ns": [1, 2]})";
  folder.write("good.json", recording(call));
  CHECK_NOTHROW(read_arrivals(folder.file("good.json"), 10.0));
  refused(recording(call, "0"), "ranks: 0 ranks");
  refused(recording(call, "3"), "calls[0].work_ns: 2 times for 3 ranks");
  refused(recording(""), "calls: an empty list");
  refused(recording(R"({"call": "a", "work_ns": [1, -2]})"), "calls[0].work_ns[1]: number -2");
  refused(recording(R"({"call": "a", "work_ns": [1, 20000000000]})"),
          "calls[0].work_ns[1]: 20000000000 ns");
  refused(recording(R"({"call": "", "work_ns": [1, 2]})"), "calls[0].call: is empty");
  refused(R"({"schema": "x", "ranks": 1, "calls": []})", "schema: 'x' is not");
  refused(recording(call + ", {}"), "calls[1]: field \"call\"");
}

using Heard = std::vector<test::FakeScheme::Arrival>;
using List = ListedArrivals::List;
using test::FakeRun;

TEST_CASE("a member arrives at its next barrier after its own release, and no earlier",
          "[run][members]") {
  FakeRun run(List{{{10, 20}, {5, 60}}});  // member 0 would be early at barrier 1
  run.start(40);
  CHECK(run.scheme.arrivals == Heard{{10, 0, 0}, {20, 0, 1}});
  CHECK(run.members.scheduled(0) == 0);
  run.members.released(41, 0, 0);
  run.clock_to(50);
  CHECK(run.scheme.arrivals.back() == test::FakeScheme::Arrival{41, 0, 0});
  CHECK(run.members.current(0) == 0);  // member 1 is still in barrier 0
  run.members.released(51, 0, 1);
  CHECK(run.members.current(0) == 1);
  CHECK(run.members.missing(0, 1) == std::vector<std::uint32_t>{1});
  run.clock_to(70);
  CHECK(run.members.missing(0, 1).empty());
  run.members.released(80, 0, 0);
  CHECK_FALSE(run.members.done());
  run.members.released(81, 0, 1);
  CHECK((run.members.done() && run.members.done(0)));
  CHECK(run.members.current(0) == 2);
  run.clock_to(1000);
  CHECK(run.scheme.arrivals.size() == 4);  // no member arrives at a third
}

TEST_CASE("no member arrives before the start", "[run][members]") {
  FakeRun run(List{{{10, 20}}});
  run.clock_to(50);
  CHECK(run.scheme.arrivals.empty());
  run.members.begin(100);
  run.clock_to(99);
  CHECK(run.scheme.arrivals.empty());
  run.clock_to(100);
  CHECK(run.scheme.arrivals.size() == 2);
}

TEST_CASE("a round has the last arrival, first and last release, and when a node knew",
          "[run][members]") {
  FakeRun run(List{{{10, 20, 15}, {0, 0, 0}}});
  run.start(25);
  run.members.completed(26, 0);
  run.members.released(30, 0, 1);
  run.members.released(33, 0, 0);
  const Round& round = run.members.rounds(0).at(0);
  CHECK((round.members == 3 && round.arrivals == 3 && round.releases == 2));
  CHECK(round.last_arrival == 20);
  CHECK(round.completed == 26u);
  CHECK((round.first_release == 30 && round.last_release == 33));
  CHECK_FALSE(run.members.rounds(0).at(1).completed);
  CHECK(run.members.last_event(0) == 33);
}

TEST_CASE("the host's times stand between arrival, scheme and release", "[run][members]") {
  FakeRun run(List{{{10}, {0}}}, 0, {.arrive = 5, .leave = 7});
  run.start(14);
  CHECK(run.scheme.arrivals.empty());
  run.clock_to(20);
  CHECK(run.scheme.arrivals == Heard{{15, 0, 0}});
  CHECK(run.members.rounds(0)[0].last_arrival == 10);
  run.members.released(21, 0, 0);
  CHECK(run.members.rounds(0)[0].last_release == 28);
  run.clock_to(40);
  CHECK(run.members.rounds(0)[1].last_arrival == 28);
  CHECK(std::get<0>(run.scheme.arrivals.back()) == 33);
}

TEST_CASE("the mean wait is from looking for the release to it", "[run][members]") {
  FakeRun at_once(List{{{10, 20}}});
  CHECK(at_once.members.wait_mean() == 0.0);  // no member has waited yet
  at_once.start(25);
  at_once.members.released(30, 0, 0);
  at_once.members.released(34, 0, 1);
  CHECK(at_once.members.wait_mean() == Approx((20 + 14) / 2.0));

  // With a split a member that is released while it works waits for nothing, and goes on when it
  // looks: the mean is less, and the next arrival later.
  const List list(1, std::vector<std::vector<std::uint64_t>>(2, {0, 0, 0, 0, 0, 0}));
  FakeRun split(list, 1000);
  split.start(0);
  for (std::uint32_t m = 0; m < 6; ++m) split.members.released(1, 0, m);
  CHECK(split.members.wait_mean() < 0.5);
  split.clock_to(1);
  CHECK(split.scheme.arrivals.size() < 9);
  split.clock_to(1001);
  CHECK(split.scheme.arrivals.size() == 12);
}

TEST_CASE("a member that its scheme holds arrives when it is let go", "[run][members]") {
  FakeRun run(List{{{10, 12}, {0, 0}}});
  bool hold = true;
  run.scheme.held = [&](std::uint32_t, std::uint32_t member, std::uint32_t barrier) {
    return hold && member == 0 && barrier == 0;
  };
  run.start(50);
  CHECK(run.scheme.arrivals == Heard{{12, 0, 1}});
  CHECK(run.members.scheduled(0) == 1);
  hold = false;
  run.clock_to(60);
  CHECK(run.scheme.arrivals == Heard{{12, 0, 1}, {51, 0, 0}});
  CHECK(run.members.rounds(0)[0].last_arrival == 51);
}

TEST_CASE("who never arrives is missing, and not scheduled", "[run][members]") {
  const List list{{{1, 2, 3}}};
  FakeRun run(list, std::make_shared<WithAbsence>(std::make_shared<ListedArrivals>(list),
                                                  std::vector<Absence>{{0, 1, 0}}));
  run.members.begin(0);
  CHECK(run.members.scheduled(0) == 2);
  run.clock_to(10);
  CHECK(run.members.scheduled(0) == 0);
  CHECK(run.members.missing(0, 0) == std::vector<std::uint32_t>{1});
  CHECK(run.members.current(0) == 0);
  CHECK_FALSE(run.members.done());
}

TEST_CASE("a member that leaves counts for no later barrier, and its arrival does not come",
          "[run][members]") {
  FakeRun run(List{{{10, 10}, {50, 50}, {60, 60}}});
  run.start(15);
  for (std::uint32_t m : {0u, 1u}) run.members.released(20, 0, m);
  run.members.leave(0, 1, 1);
  CHECK(run.members.rounds(0)[0].members == 2);
  CHECK(run.members.rounds(0)[1].members == 1);
  CHECK(run.members.rounds(0)[2].members == 1);
  run.clock_to(55);
  CHECK(run.scheme.arrivals.back() == test::FakeScheme::Arrival{50, 0, 0});
  CHECK(run.scheme.arrivals.size() == 3);
  CHECK(run.members.missing(0, 1).empty());
  run.members.released(56, 0, 0);
  run.clock_to(65);
  run.members.released(66, 0, 0);
  CHECK(run.members.done());
}

TEST_CASE("a member that joins at a new place arrives once it has begun", "[run][members]") {
  const List list{{{10}, {0}, {0}}};
  FakeRun run(list, std::make_shared<UniformArrivals>(0, 1));
  run.members.begin(10);
  run.clock_to(12);
  run.members.released(13, 0, 0);
  run.members.join(0, 2, 1);  // place 1 stays empty
  CHECK(run.members.rounds(0)[0].members == 1);
  CHECK(run.members.rounds(0)[1].members == 2);
  run.clock_to(20);
  CHECK(run.members.missing(0, 1) == std::vector<std::uint32_t>{2});
  CHECK(run.members.current(0) == 1);
  run.members.begin(30, 0, 2);
  run.clock_to(31);
  CHECK(run.scheme.arrivals.back() == test::FakeScheme::Arrival{30, 0, 2});
  CHECK(run.members.released_from(0, 2) == 1);
}

TEST_CASE("an arrival of before a member left does not count when it has joined again",
          "[run][members]") {
  FakeRun run(List{{{10, 100}, {0, 0}}});
  run.start(20);
  run.members.leave(0, 1, 0);  // its arrival of cycle 100 is on its way
  run.members.released(21, 0, 0);
  run.members.join(0, 1, 1);
  run.clock_to(150);
  for (const auto& [cycle, group, member] : run.scheme.arrivals) CHECK(member == 0);
  CHECK(run.members.scheduled(0) == 0);
  run.members.begin(160, 0, 1);
  run.clock_to(161);
  CHECK(run.scheme.arrivals.back() == test::FakeScheme::Arrival{160, 0, 1});
}

TEST_CASE("groups are done one by one, and without barriers or groups all is done at once",
          "[run][members]") {
  FakeRun run(List{{{1}}, {{1}}});
  run.start(5);
  run.members.released(6, 1, 0);
  CHECK((run.members.done(1) && !run.members.done(0) && !run.members.done()));
  run.members.released(7, 0, 0);
  CHECK(run.members.done());

  const UniformArrivals any(0, 1);
  CHECK(Members({}, any, 10).done());
  Members idle({{"g", {0, 1}}}, any, 0);
  CHECK(idle.done());
  CHECK(idle.current(0) == 0);
}

}  // namespace

}  // namespace muster::run
