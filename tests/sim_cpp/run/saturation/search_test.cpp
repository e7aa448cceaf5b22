// SPDX-License-Identifier: Apache-2.0
#include "run/saturation/search.hpp"

#include <catch2/catch.hpp>

namespace muster::run {
namespace {

/// Runs of which `agree` saturate from `edge` on, and all from `all` on.
MeasureLoad network(double edge, double all, std::uint32_t runs, std::uint32_t agree) {
  return [=](double load) {
    return Probe{.load = load,
                 .runs = runs,
                 .saturated = load >= all    ? runs
                              : load >= edge ? agree
                                             : 0};
  };
}

TEST_CASE("bisection closes in on the load that is not carried", "[run][saturation]") {
  const Saturation found =
      find_saturation({.first = 0.4, .most = 1.0, .tolerance = 0.01}, network(0.17, 0.17, 3, 3));
  CHECK(found.verdict == Verdict::kSaturates);
  CHECK(found.sustained < 0.17);
  REQUIRE(found.unsustained);
  CHECK(*found.unsustained >= 0.17);
  CHECK(*found.unsustained - found.sustained <= 0.01);
  CHECK(found.probes.front().load == 0.4);
  CHECK(found.probes.size() <= 8);
}

TEST_CASE("a load above the first one is found by doubling", "[run][saturation]") {
  const Saturation found =
      find_saturation({.first = 0.1, .most = 1.0, .tolerance = 0.01}, network(0.53, 0.53, 1, 1));
  CHECK(found.verdict == Verdict::kSaturates);
  CHECK((found.sustained < 0.53 && found.unsustained >= 0.53));
}

TEST_CASE("a network that carries all that nodes send does not saturate", "[run][saturation]") {
  const Saturation found =
      find_saturation({.first = 0.3, .most = 1.0, .tolerance = 0.01}, network(2.0, 2.0, 3, 3));
  CHECK(found.verdict == Verdict::kSustained);
  CHECK(found.sustained == 1.0);
  CHECK_FALSE(found.unsustained);
  CHECK(found.probes.size() == 3);
}

TEST_CASE("where the seeds disagree the interval is as wide as that", "[run][saturation]") {
  for (const std::uint32_t disagreeing : {1u, 2u}) {
    const Saturation found = find_saturation({.first = 0.8, .most = 1.0, .tolerance = 0.01},
                                             network(0.3, 0.5, 3, disagreeing));
    CHECK((0.29 <= found.sustained && found.sustained < 0.3));
    CHECK((0.5 <= found.unsustained && found.unsustained <= 0.51));
  }
}

TEST_CASE("the most that nodes send may be carried with some seeds only", "[run][saturation]") {
  const Saturation found =
      find_saturation({.first = 0.8, .most = 1.0, .tolerance = 0.01}, network(0.9, 2.0, 3, 1));
  CHECK(found.verdict == Verdict::kSaturates);
  CHECK((0.89 <= found.sustained && found.sustained < 0.9));
  CHECK_FALSE(found.unsustained);
}

TEST_CASE("an interrupted search keeps what it knows", "[run][saturation]") {
  int left = 2;
  const MeasureLoad carried = network(0.3, 0.3, 3, 3);
  const Saturation found = find_saturation({.first = 0.4, .most = 1.0, .tolerance = 0.01},
                                           [&](double load) -> std::optional<Probe> {
                                             if (left-- == 0) return std::nullopt;
                                             return carried(load);
                                           });
  CHECK(found.verdict == Verdict::kInterrupted);
  CHECK(found.probes.size() == 2);
  CHECK(found.sustained == 0.2);
  CHECK(found.unsustained == 0.4);

  const Saturation at_once = find_saturation({}, [](double) { return std::nullopt; });
  CHECK(at_once.verdict == Verdict::kInterrupted);
  CHECK((at_once.probes.empty() && at_once.sustained == 0.0 && !at_once.unsustained));
}

}  // namespace
}  // namespace muster::run
