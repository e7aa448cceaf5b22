// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/result_io.hpp"

#include <algorithm>
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

TEST_CASE("messages are counted by the cycle that generates them, if asked for", "[esc]") {
  esc::Spec spec = small_spec(16, 4, "bypass");
  const esc::BatchResult result = run_golden(spec);
  CHECK_FALSE(valid_json(esc::batch_to_json(spec, result, kOrigin)).contains("generated"));
  const esc::Generated generated = esc::count_generated(spec, result.lengths);
  const auto json = valid_json(esc::batch_to_json(spec, result, kOrigin, generated));
  const auto cycles = 1 + std::ranges::max(result.lengths);
  std::uint64_t synchronization = 0, hot = 0;
  for (std::uint64_t t = 0; t < cycles; ++t) {
    synchronization += json["generated"]["synchronization"].at(t).get<std::uint64_t>();
    hot += json["generated"]["hot_background"].at(t).get<std::uint64_t>();
  }
  CHECK(synchronization == 2 * 15);  // sessions, PEs without the coordinator
  const auto engine = run::make_golden_engine();
  esc::SessionRunner runner(spec, *esc::boxes_of(*engine));
  CHECK(hot == runner.run(0).hot.messages + runner.run(1).hot.messages);
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
