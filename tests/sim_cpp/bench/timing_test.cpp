// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace muster::bench {

TEST_CASE("absolute times are of the best round, ratios the median of rounds", "[bench]") {
  Timings t(2);
  const double subject[] = {4.0, 3.0, 9.0, 2.0, 50.0}, reference[] = {2.0, 3.0, 3.0, 4.0, 1.0};
  for (int round = 0; round < 5; ++round) {
    t.add(0, subject[round]);
    t.add(1, reference[round]);
  }
  CHECK(t.best(0) == 2.0);
  CHECK(t.best(1) == 1.0);
  CHECK(t.ratio(0, 1) == 2.0);  // of 2, 1, 3, 0.5, 50
  CHECK(t.ratio(1, 1) == 1.0);
}

TEST_CASE("subjects work in turn, every other round in reverse", "[bench]") {
  std::string order;
  alternate({[&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; }}, 3);
  CHECK(order == "abccbaabc");
}

TEST_CASE("the time of a subject is CPU time that it used itself", "[bench]") {
  const auto busy = [](double seconds) {
    for (const double start = cpu_seconds(); cpu_seconds() - start < seconds;) {
    }
  };
  const Timings t = alternate({[&] { busy(0.04); }, [&] { busy(0.01); }, [] {}}, 3);
  CHECK(t.best(0) >= 0.04);
  CHECK(t.ratio(0, 1) > 2.0);
  CHECK(t.best(2) < 0.01);
}

}  // namespace muster::bench
