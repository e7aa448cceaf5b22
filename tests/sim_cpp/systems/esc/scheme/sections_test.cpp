// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "esc_fixture.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

TEST_CASE("sections chosen at run time keep every check, around faults as well", "[esc]") {
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {4u, 2u}, {64u, 2u}, {64u, 4u}, {64u, 8u}}) {
    for (const double rate : {0.0, 0.5, 0.95}) {
      esc::Spec spec = small_spec(pes, n, "hot-section:auto");
      spec.box.depth = 4;
      spec.rate = rate;
      spec.rate_change = {.cycle = 205, .rate = 0.9};
      spec.release = rate > 0.5 ? esc::Release::kNetwork : esc::Release::kDirect;
      spec.hot_spots = pes / 4;
      CAPTURE(pes, n, rate);
      CHECK(run_golden(spec).violations == 0);
      spec.faults = {{esc::FaultKind::kBox, 1, 0}};
      CHECK(run_golden(spec).violations == 0);
    }
  }
}

TEST_CASE("sections chosen at run time are one while nothing is blocked aside", "[esc]") {
  esc::Spec spec = small_spec(256, 4, "hot-section:1");
  spec.rate = 0.2;
  const esc::BatchResult one = run_golden(spec);
  esc::set_policy(spec, "hot-section:auto");
  CHECK(run_golden(spec).digest == one.digest);
}

TEST_CASE("sections chosen at run time carry what one section cannot", "[esc]") {
  esc::Spec spec = small_spec(256, 4, "hot-section:1");
  spec.rate = 0.8;
  spec.mean = 400;
  const double one = *run_golden(spec).mu_bg_total.mean;
  esc::set_policy(spec, "hot-section:16");
  const double sixteen = *run_golden(spec).mu_bg_total.mean;
  esc::set_policy(spec, "hot-section:auto");
  const esc::BatchResult chosen = run_golden(spec);
  CHECK(chosen.violations == 0);
  CHECK(*chosen.mu_bg_total.mean < 0.85 * one);
  CHECK(*chosen.mu_bg_total.mean < 0.85 * sixteen);
}
