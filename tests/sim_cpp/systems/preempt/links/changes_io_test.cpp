// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/changes_io.hpp"

#include <catch2/catch.hpp>

#include "muster/run/result_io.hpp"
#include "sim_cpp/systems/preempt/links/link_runs.hpp"
#include "support/valid_json.hpp"

namespace muster::preempt {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

run::RunSpec spec_of(const test::Subject& subject) {
  run::RunSpec spec = subject.spec({"paper", "2:1,2:2"});
  spec.scheme = "bsr-2";
  spec.barriers = 20;
  return spec;
}

TEST_CASE("JSON and summary tell which groups avoid a dead link, and when it is out",
          "[preempt][links][json]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject);
  spec.killed = {{{0, 1}, {3, 0}, 700}};
  const run::RunResult result = run::run_barriers(spec);
  const json out = test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
  CHECK(out["violations"] == 0);
  const json& changes = out["changes"];
  CHECK(changes["wishes"].empty());
  REQUIRE(changes["groups"].size() == 1);
  const json& group = changes["groups"][0];
  CHECK(group["group"] == "paper");
  CHECK(group["dead_link"] == true);
  CHECK(group["refused"].is_null());
  CHECK(group["first_barrier"] > 0);
  CHECK(group["registers"]["kept"] > 3);
  CHECK(group["registers"]["rewritten"] == 0);
  CHECK(group["messages"] == 0);
  CHECK(group["decided_in_cycle"] == 700);
  CHECK(group["confirmed_cycles"] > 0);
  CHECK(group["first_barrier_cycles"] > 0);
  REQUIRE(changes["links"].size() == 1);
  const json& link = changes["links"][0];
  CHECK(link["link"] == "0:1-3:0");
  CHECK(link["declared_in_cycle"] == 700);
  CHECK(link["words_written"] > 0);
  CHECK(link["groups_held"].is_boolean());
  CHECK(link["out_cycles"] >= link["routed_cycles"]);
  const std::string text = run_to_text(spec, result);
  CHECK_THAT(text, Contains("group paper avoids a dead link from barrier"));
  CHECK_THAT(text, Contains("dead link    0:1-3:0 declared in cycle 700"));
  CHECK_THAT(text, Contains("by another legal port"));
}

TEST_CASE("without a dead link there are no changes", "[preempt][links][json]") {
  const test::Subject subject = test::Subject::figure1();
  const run::RunSpec spec = spec_of(subject);
  const run::RunResult result = run::run_barriers(spec);
  const json out = test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
  CHECK(out["changes"].is_null());
  CHECK(out["detours"] == result.parts.get<Cost>().detours);
}

}  // namespace
}  // namespace muster::preempt
