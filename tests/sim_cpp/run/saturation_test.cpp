// SPDX-License-Identifier: Apache-2.0
#include "run/saturation.hpp"

#include "sim_cpp/run/run_fixture.hpp"

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

TEST_CASE("a search ends with an interval as wide as the tolerance, or as far as seeds disagree",
          "[run][saturation]") {
  struct Case {
    double first, edge, all;
    std::uint32_t runs, agree;
    double sustained, unsustained;  ///< the least of both; 0: all loads are carried
  };
  const Case cases[] = {{0.4, 0.17, 0.17, 3, 3, 0.16, 0.17},  // by bisection
                        {0.1, 0.53, 0.53, 1, 1, 0.52, 0.53},  // found by doubling
                        {0.8, 0.3, 0.5, 3, 1, 0.29, 0.5},     // the seeds disagree
                        {0.8, 0.3, 0.5, 3, 2, 0.29, 0.5},
                        {0.8, 0.9, 2.0, 3, 1, 0.89, 0.0},  // also at the most that nodes send
                        {0.3, 2.0, 2.0, 3, 3, 1.0, 0.0}};  // a network that does not saturate
  for (const Case& c : cases) {
    CAPTURE(c.first, c.edge, c.all, c.agree);
    const Saturation found = find_saturation({.first = c.first, .most = 1.0, .tolerance = 0.01},
                                             network(c.edge, c.all, c.runs, c.agree));
    CHECK(found.verdict == (c.edge > 1.0 ? Verdict::kSustained : Verdict::kSaturates));
    CHECK((c.sustained <= found.sustained && found.sustained <= c.sustained + 0.01));
    CHECK((c.edge > 1.0 || found.sustained < c.edge));
    CHECK(found.unsustained.has_value() == (c.unsustained != 0.0));
    if (found.unsustained)
      CHECK((c.unsustained <= *found.unsustained && *found.unsustained <= c.unsustained + 0.01));
    CHECK(found.probes.front().load == c.first);
    CHECK(found.probes.size() <= 16);
  }
}

}  // namespace

}  // namespace muster::run
