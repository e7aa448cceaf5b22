// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/spec.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "muster/core/error.hpp"

using namespace muster;
using namespace muster::esc;

TEST_CASE("the capacities of the input stage are those of section 4.4", "[esc]") {
  Spec spec;
  CHECK(capacity(spec) == 1.0);
  set_policy(spec, "isolated-bg");
  CHECK(capacity(spec) == 0.75);
  set_policy(spec, "isolated-hs");
  CHECK(capacity(spec) == Approx(0.75 * 256 / 255));
  const double isolated = capacity(spec);
  set_policy(spec, "hot-section:1");
  CHECK(capacity(spec) == Approx(isolated));
  for (const auto& [k, expected] : {std::pair{2, 0.861}, {4, 0.928}, {8, 0.965}}) {
    set_policy(spec, "hot-section:" + std::to_string(k));
    CHECK(capacity(spec) == Approx(expected).margin(0.0006));
  }
  for (const char* policy : {"hot-section:256", "hot-section:auto"}) {
    set_policy(spec, policy);
    CHECK(policy_name(spec) == policy);
    CHECK(capacity(spec) > 1.0);
  }
}

TEST_CASE("a change of the rate is a cycle and the rate from it on", "[esc]") {
  const RateChange change = rate_change_named("3100:0.8");
  CHECK(change.cycle == 3100);
  CHECK(change.rate == 0.8);
  Spec spec;
  CHECK(largest_rate(spec) == spec.rate);
  spec.rate_change = change;
  CHECK(largest_rate(spec) == 0.8);
  spec.rate = 0.9;
  CHECK(largest_rate(spec) == 0.9);
  for (const char* text : {"", "3100", "3100:", ":0.8", "-1:0.8", "3100:0.8x", "3100 0.8"})
    CHECK_THROWS_AS(rate_change_named(text), InputError);
}

TEST_CASE("what cannot be is refused", "[esc]") {
  const auto refused = [](auto change) {
    Spec spec;
    change(spec);
    CHECK_THROWS_AS(validate(spec), InputError);
  };
  CHECK_NOTHROW(validate(Spec{}));
  for (const std::uint32_t pes : {128u, 0u, 1u << 18}) refused([&](Spec& s) { s.pes = pes; });
  refused([](Spec& s) { s.pes = 2, s.box.size = 2; });
  for (const std::uint32_t n : {3u, 16u}) refused([&](Spec& s) { s.box.size = n; });
  for (const std::uint32_t depth : {0u, 65u}) refused([&](Spec& s) { s.box.depth = depth; });
  for (const double rate : {1.0, -0.1, std::nan("")}) refused([&](Spec& s) { s.rate = rate; });
  refused([](Spec& s) { s.rate_change = {.cycle = 5, .rate = 1.0}; });
  for (const double sigma : {-1.0, double{INFINITY}}) refused([&](Spec& s) { s.sigma = sigma; });
  for (const double mean : {139.9, std::nan(""), 1e12}) refused([&](Spec& s) { s.mean = mean; });
  refused([](Spec& s) { s.sessions = 0; });
  refused([](Spec& s) { s.hot = 256; });
  for (const std::uint32_t spots : {3u, 256u, 0u}) refused([&](Spec& s) { s.hot_spots = spots; });
  refused([](Spec& s) { s.hot = 1, s.hot_spots = 2; });
  for (const char* sections : {"3", "512", "0"})
    refused([&](Spec& s) { set_policy(s, "hot-section:" + std::string(sections)); });
  for (const char* limit : {"0", "13"})
    refused([&](Spec& s) { set_policy(s, "throttle:" + std::string(limit)); });
  refused([](Spec& s) {
    s.box.refill = true;
    set_policy(s, "combining");
  });
  refused([](Spec& s) { s.pes = 8, s.box.size = 2, s.pattern = Pattern::kTranspose; });
  Spec spec;
  for (const char* text : {"", "by-pass", "hot-section", "hot-section:", "hot-section:4x",
                           "hot-section:-4", "hot-section:99999999999", "throttle:", "throttle:x"})
    CHECK_THROWS_AS(set_policy(spec, text), InputError);
}
