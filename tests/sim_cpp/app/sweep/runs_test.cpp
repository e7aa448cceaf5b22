// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/runs.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using app::sweep::parse_plan;
using app::sweep::Plan;
using app::sweep::Runs;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Words = std::vector<std::string>;

namespace {

Plan crossed(const std::string& fields) {
  return parse_plan(R"({"schema": "muster-sweep-plan-1", )" + fields + "}", "p.json");
}

std::string id_of(const std::string& fields, const std::string& network = "n",
                  const std::string& version = "1") {
  const Plan plan = crossed(fields);
  app::sweep::Inputs inputs;
  inputs.networks["a.json"] = network;
  return Runs(plan, inputs, version).at(0).id;
}

}  // namespace

TEST_CASE("what is not zipped is crossed, the last option innermost", "[sweep][runs]") {
  const Plan plan = crossed(R"("options": {"load": [0, 0.5], "scheme": ["a", "b", "c"]})");
  const Runs runs(plan, {}, "1");
  REQUIRE(runs.size() == 6);
  CHECK(runs.at(0).options == Words{"--load=0", "--scheme=a"});
  CHECK(runs.at(1).options == Words{"--load=0", "--scheme=b"});
  CHECK(runs.at(5).options == Words{"--load=0.5", "--scheme=c"});
  CHECK(runs.at(5).parameters.dump() == R"({"load":0.5,"scheme":"c"})");
  std::set<std::string> ids;
  for (std::uint64_t row = 0; row < 6; ++row) {
    CHECK(runs.find(runs.at(row).id) == row);
    ids.insert(runs.at(row).id);
  }
  CHECK(ids.size() == 6);
  CHECK(runs.find("0000000000000000") == 6);
}

TEST_CASE("zipped options advance together, in the place of the first", "[sweep][runs]") {
  const Plan plan = crossed(R"("options": {"a": [1, 2], "b": [5, 6], "c": [8, 9]},
                               "zip": [["c", "a"]])");
  const Runs runs(plan, {}, "1");
  REQUIRE(runs.size() == 4);
  CHECK(runs.at(0).options == Words{"--a=1", "--b=5", "--c=8"});
  CHECK(runs.at(1).options == Words{"--a=1", "--b=6", "--c=8"});
  CHECK(runs.at(2).options == Words{"--a=2", "--b=5", "--c=9"});
}

TEST_CASE("a generated network is one parameter with its options", "[sweep][runs]") {
  const Plan plan = crossed(R"("network": {"generate": "mesh", "options": {"width": [3, 4]}},
                               "options": {"seed": [7, 9]}, "zip": [["network.width", "seed"]])");
  const app::sweep::Run run = Runs(plan, {}, "1").at(1);
  CHECK(run.parameters.dump() == R"({"network":{"generate":"mesh","width":4}})");
  CHECK(run.seed == 9);
  CHECK(run.options == Words{"--seed=9"});
}

TEST_CASE("flags are typed or not, null leaves out, a list is typed several times",
          "[sweep][runs]") {
  using app::sweep::typed_option;
  CHECK(typed_option("x", true) == Words{"--x"});
  CHECK(typed_option("x", false).empty());
  CHECK(typed_option("x", nullptr).empty());
  CHECK(typed_option("x", {"a b", 2}) == Words{"--x=a b", "--x=2"});
  CHECK(typed_option("x", -1.5) == Words{"--x=-1.5"});
}

TEST_CASE("an id is of what makes the result", "[sweep][runs]") {
  const std::string base = R"("network": "a.json", "options": {"load": 0.1, "barriers": 3})";
  const std::string id = id_of(base);
  CHECK(id.size() == 16);
  CHECK(id_of(R"("options": {"barriers": 3, "load": 0.1}, "network": "a.json", "note": "x")") ==
        id);
  const std::set<std::string> all{
      id,
      id_of(base, "other content"),
      id_of(base, "n", "2"),
      id_of(R"("network": "a.json", "options": {"load": 0.2, "barriers": 3})"),
      id_of(R"("network": "a.json", "options": {"load": 0.1, "barriers": 3, "seed": 2})"),
      id_of(R"("network": "a.json", "options": {"load": 0.1, "barriers": 3}, "command": "tree")")};
  CHECK(all.size() == 6);
  // 1 is the seed of a run that says none.
  CHECK(id_of(R"("network": "a.json", "options": {"load": 0.1, "barriers": 3, "seed": 1})") == id);
}

TEST_CASE("a run that is there twice is refused", "[sweep][runs]") {
  const Plan plan = crossed(R"("options": {"load": [0.1, 0.2, 0.1]})");
  CHECK_THAT(test::refusal([&] { Runs(plan, {}, "1"); }),
             StartsWith("p.json: rows 0 and 2 are the same run: --load=0.1; give each value once"));
}

TEST_CASE("too many runs are refused before they are made", "[sweep][runs]") {
  const Plan plan = crossed(R"("options": {"seed": {"count": 10000}, "load": {"count": 10000}})");
  CHECK_THAT(test::refusal([&] { Runs(plan, {}, "1"); }),
             Contains("100000000 runs or more, at most 1000000"));
}
