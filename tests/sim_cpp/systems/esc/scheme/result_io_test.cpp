// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/result_io.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/systems/esc/scheme/esc_fixture.hpp"
#include "support/valid_json.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

const Provenance kOrigin{"muster esc", "0.1", 1};

}  // namespace

TEST_CASE("the JSON of a batch has what a figure needs", "[esc]") {
  esc::Spec spec = small_spec(16, 4, "hot-section:4");
  const esc::BatchResult result = run_golden(spec);
  const auto json = valid_json(esc::batch_to_json(spec, result, kOrigin));
  CHECK(json["schema"] == "muster-esc-1");
  CHECK(json["command"] == "muster esc");
  for (const char* name : {"mu_syn", "mu_bg_total", "mu_bg_hot", "active_session_cycles"}) {
    CHECK(json[name]["mean"].is_number());
    CHECK(json[name]["half_width"].is_number());
  }
  CHECK(json["sessions"] == 2);
  CHECK(json["packets"].get<std::uint64_t>() > 100);
  CHECK(json["violations"] == 0);
  CHECK(json["parameters"]["policy"] == "hot-section:4");
  CHECK(json["warnings"].empty());
}

TEST_CASE("a mean over nothing is null, a width of one session too", "[esc]") {
  esc::Spec spec = small_spec(16, 4, "bypass");
  spec.rate = 0;
  spec.sessions = 1;
  const auto json = valid_json(esc::batch_to_json(spec, run_golden(spec), kOrigin));
  CHECK(json["mu_bg_total"]["mean"].is_null());
  CHECK(json["mu_syn"]["mean"].is_number());
  CHECK(json["mu_syn"]["half_width"].is_null());
  CHECK_THAT(esc::batch_to_text(spec, run_golden(spec)),
             Catch::Matchers::Contains("mu_BG(Tot)      none"));
}

TEST_CASE("a rate beyond the input stage's capacity is a warning", "[esc]") {
  esc::Spec spec = small_spec(256, 4, "isolated-bg");
  spec.rate = 0.75;
  CHECK(esc::capacity_warning(spec).empty());
  spec.rate = 0.76;
  CHECK_THAT(esc::capacity_warning(spec), Catch::Matchers::Contains("grow without bound"));
}
