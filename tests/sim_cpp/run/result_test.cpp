// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "run/result_parts.hpp"
#include "sim_cpp/fabric/checkers/stage.hpp"
#include "sim_cpp/run/fake_scheme.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

namespace muster::run {
namespace {

using test::CountedTraffic;
using test::FakeRun;
using List = ListedArrivals::List;

RunResult records(const FakeRun& run, const CountedTraffic& traffic, std::uint32_t barriers) {
  RunResult result;
  add_barrier_records(result, barriers, run.members, traffic);
  return result;
}

TEST_CASE("a record has the times between arrivals, knowledge and releases", "[run][records]") {
  FakeRun run(List{{{10, 20}}});
  CountedTraffic traffic(1, 1);
  run.start(20);
  traffic.count(22, 0, 0, false);
  traffic.count(25, 0, 0, true);
  run.members.completed(24, 0);
  run.members.released(26, 0, 0);
  run.members.released(31, 0, 1);
  const RunResult result = records(run, traffic, 1);
  REQUIRE(result.barriers.size() == 1);
  const BarrierRecord& b = result.barriers[0];
  CHECK((b.group == 0 && b.number == 0));
  CHECK(b.latency_cycles == 11);
  CHECK(b.reduction_cycles == 4);  // a node knew, in 24
  CHECK(b.distribution_cycles == 7);
  CHECK(b.exit_skew_cycles == 5);
  CHECK(b.released_at == 31);
  CHECK(b.hops == 2);
  CHECK_FALSE(b.bound_cycles);
}

TEST_CASE("where no node knows, the first releasing message tells that a switch does",
          "[run][records]") {
  FakeRun run(List{{{10, 20}}});
  CountedTraffic traffic(1, 1);
  run.start(20);
  traffic.count(29, 0, 0, true);
  traffic.count(27, 0, 0, true);
  for (std::uint32_t m : {0u, 1u}) run.members.released(30, 0, m);
  const BarrierRecord b = records(run, traffic, 1).barriers.at(0);
  CHECK(b.reduction_cycles == 7);
  CHECK(b.distribution_cycles == 3);
  CHECK(b.exit_skew_cycles == 0);
}

TEST_CASE("only barriers that all have left are recorded, by group and number", "[run][records]") {
  FakeRun run(List{{{0}, {0}, {0}}, {{0, 0}, {0, 0}, {0, 0}}});
  const CountedTraffic traffic(2, 3);
  run.members.begin(0);
  std::uint64_t cycle = 0;
  const auto release = [&](std::uint32_t group, std::uint32_t member, std::uint64_t wait) {
    run.clock_to(cycle);
    if (member == 0) run.members.completed(cycle, group);
    run.members.released(cycle += wait, group, member);
  };
  CHECK(records(run, traffic, 3).barriers.empty());
  CHECK(records(run, traffic, 3).latency_mean == 0.0);
  release(1, 0, 2);
  CHECK(records(run, traffic, 3).barriers.empty());  // half of it is none
  release(1, 1, 3);
  release(0, 0, 1);
  release(0, 0, 8);
  const RunResult result = records(run, traffic, 3);
  REQUIRE(result.barriers.size() == 3);
  CHECK((result.barriers[0].group == 0 && result.barriers[0].number == 0));
  CHECK((result.barriers[1].group == 0 && result.barriers[1].number == 1));
  CHECK((result.barriers[2].group == 1 && result.barriers[2].number == 0));
  // Latencies 6 (arrived in 0, left in 6), 8, and 5.
  CHECK(result.latency_min == 5);
  CHECK(result.latency_max == 8);
  CHECK(result.latency_mean == Approx(19 / 3.0));
  CHECK(result.latency_p50 == 6);
  CHECK(result.latency_p95 == 8);
  CHECK(result.latency_first_mean == Approx(5.5));
  CHECK(result.latency_later_mean == Approx(8.0));
  CHECK(records(run, traffic, 1).barriers.size() == 2);  // the first of each group
}

TEST_CASE("a percentile is the least latency that so many barriers do not exceed",
          "[run][records]") {
  constexpr std::uint32_t kBarriers = 200;
  FakeRun run(List{std::vector<std::vector<std::uint64_t>>(kBarriers, {0})});
  const CountedTraffic traffic(1, kBarriers);
  run.members.begin(0);
  std::uint64_t cycle = 0;
  for (std::uint64_t latency = kBarriers; latency > 0; --latency) {
    run.clock_to(cycle);
    run.members.completed(cycle, 0);
    run.members.released(cycle += latency, 0, 0);
  }
  const RunResult result = records(run, traffic, kBarriers);
  REQUIRE(result.barriers.size() == kBarriers);
  CHECK(result.latency_p50 == 100);
  CHECK(result.latency_p95 == 190);
  CHECK(result.latency_p99 == 198);
  CHECK(result.latency_first_mean == Approx(200.0));
  CHECK(result.latency_later_mean == Approx(100.0));
  const RunResult one = records(run, traffic, 1);
  CHECK((one.latency_p50 == 200 && one.latency_p99 == 200));
  CHECK_FALSE(one.latency_later_mean);
}

TEST_CASE("messages are counted by group and barrier, those of no barrier not", "[run][records]") {
  CountedTraffic traffic(2, 3);
  CHECK(traffic.first_release(1, 2) == fabric::kNever);
  traffic.count(5, 0, 2, true);
  traffic.count(6, 1, 0, false);
  traffic.count(7, 1, 0, true);
  traffic.count(8, 0, 3, true);  // the fourth of three, which is not the first of the next group
  CHECK(traffic.hops(0, 2) == 1);
  CHECK(traffic.first_release(0, 2) == 5);
  CHECK(traffic.hops(1, 0) == 2);
  CHECK(traffic.first_release(1, 0) == 7);
  CHECK((traffic.hops(0, 0) == 0 && traffic.hops(1, 2) == 0));
}

/// Bounds the even barriers of group 1.
class Bounding : public checkers::LinkChecker {
 public:
  explicit Bounding(const checkers::Subject& subject) : LinkChecker("bounding", subject) {}
  checkers::Sees sees() const override { return {}; }
  std::optional<std::uint64_t> slack(std::uint32_t group, std::uint32_t barrier) const override {
    if (group != 1 || barrier % 2 != 0) return std::nullopt;
    return 100 + barrier;
  }
};

TEST_CASE("a bound is the latency and what a checker gives to it, where one does",
          "[run][records]") {
  const checkers::Stage stage;
  checkers::CheckerList list(stage.subject(), {1000, 1000}, [](checkers::CheckerList& all) {
    all.add(std::make_unique<Bounding>(all.subject()));
  });
  RunResult result;
  for (std::uint32_t g : {0u, 1u})
    for (std::uint32_t b : {0u, 1u, 2u})
      result.barriers.push_back({.group = g, .number = b, .latency_cycles = 10 * b + 7});
  add_bounds(result, list);
  for (const BarrierRecord& b : result.barriers) {
    CAPTURE(b.group, b.number);
    if (b.group == 1 && b.number != 1)
      CHECK(b.bound_cycles == b.latency_cycles + 100 + b.number);
    else
      CHECK_FALSE(b.bound_cycles);
  }
}

}  // namespace

}  // namespace muster::run
