// SPDX-License-Identifier: Apache-2.0
#include "muster/run/members.hpp"

#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

namespace muster::run {
namespace {

TEST_CASE("uniform gaps reach both ends and have the mean of the middle", "[run][arrivals]") {
  const UniformArrivals arrivals(7, muster_seed());
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

TEST_CASE("a gap depends on seed, group, member and barrier, and on no release",
          "[run][arrivals]") {
  const std::uint64_t seed = muster_seed();
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

/// A scheme without messages: it notes the arrivals, and the test releases the members.
class FakeScheme : public Scheme {
 public:
  /// Sees nothing of a network.
  struct NoTraffic : BarrierTraffic {
    using BarrierTraffic::BarrierTraffic;
    void observe(std::uint64_t, std::span<const core::FlitEvent>,
                 std::span<const core::CreditEvent>) override {}
  };
  using Arrival =
      std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;  ///< cycle, group, member

  using Scheme::Scheme;
  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    arrivals.emplace_back(cycle, group, member);
  }
  BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t) const override { return {}; }

  std::vector<Arrival> arrivals;

 private:
  NoTraffic traffic_{0, 0};
};

using Heard = std::vector<FakeScheme::Arrival>;

/// Two members of a group that arrive at the times of a list, [barrier][member] in cycles.
struct FakeRun {
  explicit FakeRun(const std::vector<std::vector<std::uint64_t>>& list)
      : arrivals(ListedArrivals::List{list}),
        members({{"g0", {0, 1}}}, arrivals, static_cast<std::uint32_t>(list.size())) {}
  /// Begins, and goes on up to and with this cycle.
  void start(std::uint64_t cycle) {
    members.begin(0);
    clock_to(cycle);
  }
  void clock_to(std::uint64_t cycle) {
    for (; now <= cycle; ++now) scheme.clock(now);
  }

  ListedArrivals arrivals;
  Members members;
  FakeScheme scheme{members};
  std::uint64_t now = 0;
};

TEST_CASE("a member arrives at its next barrier after its own release, and no earlier",
          "[run][members]") {
  FakeRun run({{10, 20}, {5, 60}});  // member 0 would be early at barrier 1
  run.start(40);
  CHECK(run.scheme.arrivals == Heard{{10, 0, 0}, {20, 0, 1}});
  CHECK(run.members.scheduled(0) == 0);
  run.members.released(41, 0, 0);
  run.clock_to(50);
  CHECK(run.scheme.arrivals.back() == FakeScheme::Arrival{41, 0, 0});
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

TEST_CASE("an arrival of before a member left does not count when it has joined again",
          "[run][members]") {
  FakeRun run({{10, 100}, {0, 0}});
  run.start(20);
  run.members.leave(0, 1, 0);  // its arrival of cycle 100 is on its way
  run.members.released(21, 0, 0);
  run.members.join(0, 1, 1);
  run.clock_to(150);
  for (const auto& [cycle, group, member] : run.scheme.arrivals) CHECK(member == 0);
  CHECK(run.members.scheduled(0) == 0);
  run.members.begin(160, 0, 1);
  run.clock_to(161);
  CHECK(run.scheme.arrivals.back() == FakeScheme::Arrival{160, 0, 1});
}

}  // namespace
}  // namespace muster::run
