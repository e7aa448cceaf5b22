// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/ratio_estimate.hpp"
#include "support/random.hpp"

using namespace muster;
using core::RatioEstimate;
using core::student_t95;

TEST_CASE("Student's t is that of the tables", "[analysis]") {
  CHECK(student_t95(1) == Approx(12.706).margin(0.001));
  CHECK(student_t95(10) == Approx(2.228).margin(0.001));
  CHECK(student_t95(11) == Approx(2.201).margin(0.001));
  CHECK(student_t95(20) == Approx(2.086).margin(0.001));
  CHECK(student_t95(30) == Approx(2.042).margin(0.001));
  CHECK(student_t95(124) == Approx(1.979).margin(0.001));
  CHECK(student_t95(1000000) == Approx(1.960).margin(0.001));
}

TEST_CASE("the interval covers the truth in 95 of 100 cases, though members depend", "[analysis]") {
  Random rng(muster_seed());
  unsigned covered = 0;
  constexpr unsigned kTrials = 4000;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    RatioEstimate e;
    for (unsigned group = 0; group < 40; ++group) {
      const double shared = rng.uniform();  // all members of a group have it in common
      const auto members = 1 + rng.below(20);
      double sum = 0;
      for (std::uint64_t m = 0; m < members; ++m) sum += shared + 0.1 * rng.uniform();
      e.add(sum, static_cast<double>(members));
    }
    covered += std::abs(*e.mean() - 0.55) <= *e.half_width();
  }
  CHECK(covered / double(kTrials) == Approx(0.945).margin(0.02));
}
