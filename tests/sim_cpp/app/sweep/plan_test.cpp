// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/plan.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using app::sweep::parse_plan;
using app::sweep::Plan;
using Catch::Matchers::StartsWith;

namespace {

Plan plan_with(const std::string& fields) {
  return parse_plan(R"({"schema": "muster-sweep-plan-1", )" + fields + "}", "p.json");
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> all;
  for (const auto& axis : plan.axes) all.push_back(axis.name);
  return all;
}

}  // namespace

TEST_CASE("options are axes in the order of the plan, the network first", "[sweep][plan]") {
  const Plan plan = plan_with(R"("options": {"seed": 1, "load": [0, 1]},
      "network": {"generate": "mesh", "options": {"width": 4, "height": [4, 8]}})");
  CHECK(plan.command == std::vector<std::string>{"run"});
  CHECK(plan.generator == "mesh");
  // As read, "options" stands first, but a network is outside of all.
  CHECK(names(plan) == std::vector<std::string>{"network.width", "network.height", "seed", "load"});
  CHECK(plan.axes[1].values.size() == 2);
}

TEST_CASE("a command of several words is taken apart", "[sweep][plan]") {
  CHECK(plan_with(R"("command": "topo  info")").command ==
        std::vector<std::string>{"topo", "info"});
}

TEST_CASE("a list of networks has files and generators", "[sweep][plan]") {
  const Plan plan =
      plan_with(R"("network": ["a.json", {"generate": "mesh", "options": {"width": 3}}])");
  REQUIRE(names(plan) == std::vector<std::string>{"network"});
  CHECK(plan.axes[0].values[0] == "a.json");
  CHECK(plan.axes[0].values[1].dump() == R"({"generate":"mesh","width":3})");
}

TEST_CASE("what is wrong with a plan is named with its place", "[sweep][plan]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("optoins": {})", "unknown field \"optoins\"; known are schema, note, command"},
      {R"("options": [])", "options: array instead of an object"},
      {R"("options": {"--load": 1})",
       "options.\"--load\": write the name of an option in lower case, without leading dashes"},
      {R"("options": {"load": {"from": 1}})",
       "options.\"load\": a range has either \"to\" or \"count\""},
      {R"("command": " ")", "command: is empty"},
      {R"("network": 3)", "network: number 3 instead of text"},
      {R"("network": [])", "network: an empty list"},
      {R"("network": [{"generate": "mesh", "options": {"width": [3, 4]}}])",
       "network[0].options.\"width\": array instead of a number"},
      {R"("network": {"options": {}})", "network: field \"generate\" is missing"},
      {R"("options": {"a": 1}, "zip": [["a", "b"]])",
       "zip[0][1]: the plan has no option 'b'; add it to \"options\""},
      {R"("options": {"a": [1, 2], "b": [1, 2, 3]}, "zip": [["a", "b"]])",
       "zip[0][1]: 'b' has 3 values, 'a' has 2; the numbers must be equal"},
      {R"("options": {"a": [1, 2], "b": [1, 2]}, "zip": [["a", "b"], ["b", "a"]])",
       "zip[1][0]: 'b' is zipped already"},
      {R"("options": {"a": 1}, "zip": [["a"]])", "zip[0]: only one name"},
      {R"("keep": [])", "keep: an empty list"},
      {R"("keep": [1])", "keep[0]: number 1 instead of text"}};
  for (const auto& [fields, reason] : cases) {
    CAPTURE(fields);
    CHECK_THAT(test::refusal([&, f = fields] { plan_with(f); }), StartsWith("p.json: " + reason));
  }
}

TEST_CASE("a file that is not a plan is refused", "[sweep][plan]") {
  CHECK_THAT(test::refusal([] { parse_plan("{\"schema\": ", "p.json"); }),
             StartsWith("p.json: line 1, column 12: "));
  CHECK_THAT(test::refusal([] { parse_plan("[]", "p.json"); }),
             StartsWith("p.json: a plan is one JSON object"));
  CHECK_THAT(test::refusal([] { parse_plan(R"({"schema": "muster-run-1"})", "p.json"); }),
             StartsWith("p.json: schema: \"muster-run-1\" is not known; this version reads"));
  CHECK_THAT(test::refusal([] { plan_with(R"("options": {"load": 1, "load": 2})"); }),
             StartsWith("p.json: field \"load\" appears twice"));
}
