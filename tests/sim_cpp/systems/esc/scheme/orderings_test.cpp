// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim_cpp/systems/esc/scheme/esc_fixture.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

// What sections 4.2 to 4.5 say of their figures, in the ranges in which it holds.

namespace {

struct Averages {
  double syn, total, hot;
};

Averages measure(const std::string& policy, double rate, double sigma = 10, unsigned depth = 12) {
  esc::Spec spec;
  esc::set_policy(spec, policy);
  spec.rate = rate;
  spec.sigma = sigma;
  spec.box.depth = depth;
  spec.sessions = 60;
  spec.mean = 800;
  spec.threads = 2;
  spec.seed = muster_seed();
  const esc::BatchResult result = run_golden(spec);
  CAPTURE(policy, rate, sigma, depth, result.violation_texts);
  CHECK(result.violations == 0);
  return {*result.mu_syn.mean, *result.mu_bg_total.mean, *result.mu_bg_hot.mean};
}

}  // namespace

TEST_CASE("isolation helps background at the cost of synchronization", "[esc][soak]") {
  for (const double rate : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7}) {
    CAPTURE(rate);
    const Averages bypass = measure("bypass", rate), bg = measure("isolated-bg", rate),
                   hs = measure("isolated-hs", rate);
    CHECK(bg.total < bypass.total);
    CHECK(bg.syn > bypass.syn);
    CHECK(bg.hot < bg.syn);
    CHECK(hs.total < bypass.total);
    CHECK(hs.syn < bg.syn);
    CHECK(hs.syn > bypass.syn);
    CHECK(hs.hot > bg.hot);
    CHECK(hs.hot < bypass.hot);
    if (rate > 0.25) CHECK(bypass.hot > bypass.syn);
    if (rate > 0.55) CHECK(hs.hot > hs.syn);
    if (rate > 0.55) CHECK(hs.total < bg.total);  // the secondary tree is gone
  }
}

TEST_CASE("four sections are best at 0.7 and 0.8", "[esc][soak]") {
  for (const double rate : {0.7, 0.8}) {
    std::map<double, int> by_total;
    for (const int k : {1, 2, 4, 8, 16})
      by_total[measure("hot-section:" + std::to_string(k), rate).total] = k;
    CAPTURE(rate);
    CHECK(by_total.begin()->second == 4);
  }
}

TEST_CASE("a buffer of 8 with sections beats one of 20 without", "[esc][soak]") {
  for (const double rate : {0.4, 0.6})
    for (const double sigma : {10.0, 30.0, 50.0})
      CHECK(measure("hot-section:4", rate, sigma, 8).total <
            measure("bypass", rate, sigma, 20).total);
}

TEST_CASE("spreading the messages shortens every wait for the hot spot", "[esc][soak]") {
  for (const char* policy : {"bypass", "hot-section:4"}) {
    for (const double rate : {0.4, 0.6}) {
      const Averages narrow = measure(policy, rate, 10), wide = measure(policy, rate, 100);
      CHECK(wide.syn < narrow.syn);
      CHECK(wide.hot < narrow.hot);
    }
  }
}
