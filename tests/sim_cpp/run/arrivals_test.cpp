// SPDX-License-Identifier: Apache-2.0
#include "muster/run/arrivals.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "muster/core/error.hpp"
#include "support/seed.hpp"

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
  CHECK_THROWS_WITH(arrivals.next(2, 0, 0, 0),
                    "arrivals: no time is listed for member 0 of group 2 at barrier 0");
  CHECK_THROWS_WITH(arrivals.next(0, 0, 2, 0),
                    "arrivals: no time is listed for member 0 of group 0 at barrier 2");
  CHECK_THROWS_WITH(arrivals.next(0, 2, 0, 0),
                    "arrivals: no time is listed for member 2 of group 0 at barrier 0");
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

}  // namespace
}  // namespace muster::run
