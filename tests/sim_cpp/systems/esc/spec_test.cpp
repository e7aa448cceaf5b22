// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/spec.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "muster/core/error.hpp"

using namespace muster;
using namespace muster::esc;

TEST_CASE("the capacities of the input stage are those of section 4.4", "[esc]") {
  esc::Spec spec;
  CHECK(esc::capacity(spec) == 1.0);
  esc::set_policy(spec, "isolated-bg");
  CHECK(esc::capacity(spec) == 0.75);
  esc::set_policy(spec, "isolated-hs");
  CHECK(esc::capacity(spec) == Approx(0.75 * 256 / 255));
  const double isolated = esc::capacity(spec);
  esc::set_policy(spec, "hot-section:1");
  CHECK(esc::capacity(spec) == Approx(isolated));
  for (const auto& [k, expected] : {std::pair{2, 0.861}, {4, 0.928}, {8, 0.965}}) {
    esc::set_policy(spec, "hot-section:" + std::to_string(k));
    CHECK(esc::capacity(spec) == Approx(expected).margin(0.0006));
  }
  for (const char* policy : {"hot-section:256", "hot-section:auto"}) {
    esc::set_policy(spec, policy);
    CHECK(esc::policy_name(spec) == policy);
    CHECK(esc::capacity(spec) > 1.0);
  }
}

TEST_CASE("a change of the rate is a cycle and the rate from it on", "[esc]") {
  const esc::RateChange change = esc::rate_change_named("3100:0.8");
  CHECK(change.cycle == 3100);
  CHECK(change.rate == 0.8);
  esc::Spec spec;
  CHECK(esc::largest_rate(spec) == spec.rate);
  spec.rate_change = change;
  CHECK(esc::largest_rate(spec) == 0.8);
  spec.rate = 0.9;
  CHECK(esc::largest_rate(spec) == 0.9);
  for (const char* text : {"", "3100", "3100:", ":0.8", "-1:0.8", "3100:0.8x", "3100 0.8"})
    CHECK_THROWS_AS(esc::rate_change_named(text), InputError);
}

TEST_CASE("a section is the highest bits of a PE's number", "[esc]") {
  esc::Spec spec;
  esc::set_policy(spec, "hot-section:1");
  CHECK(esc::section_mask(spec) == 0);
  esc::set_policy(spec, "hot-section:4");
  CHECK(esc::section_mask(spec) == 0xC0);
  esc::set_policy(spec, "hot-section:256");
  CHECK(esc::section_mask(spec) == 0xFF);
}

TEST_CASE("what cannot be is refused", "[esc]") {
  const auto refused = [](auto change) {
    esc::Spec spec;
    change(spec);
    CHECK_THROWS_AS(esc::validate(spec), InputError);
  };
  CHECK_NOTHROW(esc::validate(esc::Spec{}));
  refused([](esc::Spec& s) { s.pes = 128; });
  refused([](esc::Spec& s) { s.pes = 0; });
  refused([](esc::Spec& s) { s.pes = 1u << 18; });
  refused([](esc::Spec& s) { s.pes = 2, s.box.size = 2; });
  refused([](esc::Spec& s) { s.box.size = 3; });
  refused([](esc::Spec& s) { s.box.size = 16; });
  refused([](esc::Spec& s) { s.box.depth = 0; });
  refused([](esc::Spec& s) { s.box.depth = 65; });
  refused([](esc::Spec& s) { s.rate = 1.0; });
  refused([](esc::Spec& s) { s.rate = -0.1; });
  refused([](esc::Spec& s) { s.rate = std::nan(""); });
  refused([](esc::Spec& s) { s.rate_change = {.cycle = 5, .rate = 1.0}; });
  refused([](esc::Spec& s) { s.sigma = -1; });
  refused([](esc::Spec& s) { s.sigma = INFINITY; });
  refused([](esc::Spec& s) { s.mean = 139.9; });
  refused([](esc::Spec& s) { s.mean = std::nan(""); });
  refused([](esc::Spec& s) { s.mean = 1e12; });
  refused([](esc::Spec& s) { s.sessions = 0; });
  refused([](esc::Spec& s) { s.hot = 256; });
  refused([](esc::Spec& s) { s.hot_spots = 3; });
  refused([](esc::Spec& s) { s.hot_spots = 256; });
  refused([](esc::Spec& s) { s.hot_spots = 0; });
  refused([](esc::Spec& s) { s.hot = 1, s.hot_spots = 2; });
  refused([](esc::Spec& s) { esc::set_policy(s, "hot-section:3"); });
  refused([](esc::Spec& s) { esc::set_policy(s, "hot-section:512"); });
  refused([](esc::Spec& s) { esc::set_policy(s, "hot-section:0"); });
  refused([](esc::Spec& s) { s.pes = 8, s.box.size = 2, s.pattern = esc::Pattern::kTranspose; });
  esc::Spec spec;
  for (const char* text : {"", "by-pass", "hot-section", "hot-section:", "hot-section:4x",
                           "hot-section:-4", "hot-section:99999999999"})
    CHECK_THROWS_AS(esc::set_policy(spec, text), InputError);
}
