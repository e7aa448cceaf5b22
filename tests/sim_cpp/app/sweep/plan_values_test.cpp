// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/plan_values.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using app::sweep::Json;
using app::sweep::PlanValue;
using Catch::Matchers::StartsWith;

namespace {

/// The values as one JSON list.
std::string values(const std::string& text) {
  const Json json = Json::parse(text);
  return Json(app::sweep::values_of(PlanValue(json, "options.\"x\""))).dump();
}

std::string refused(const std::string& text) {
  return test::refusal([&] { values(text); });
}

}  // namespace

TEST_CASE("a scalar is one value, a list one for each element", "[sweep][plan]") {
  CHECK(values("3") == "[3]");
  CHECK(values("\"btin\"") == "[\"btin\"]");
  CHECK(values("false") == "[false]");
  CHECK(values(R"([0, null, "a", ["b", 1]])") == R"([0,null,"a",["b",1]])");
}

TEST_CASE("a range has both ends and no errors of rounding", "[sweep][plan]") {
  CHECK(values(R"({"from": 0, "to": 0.4, "step": 0.1})") == "[0,0.1,0.2,0.3,0.4]");
  CHECK(values(R"({"from": 0, "to": 1, "step": 0.3})") == "[0,0.3,0.6,0.9]");
  CHECK(values(R"({"from": 3, "to": 6})") == "[3,4,5,6]");
  CHECK(values(R"({"from": 3, "to": -3, "step": -3})") == "[3,0,-3]");
  CHECK(values(R"({"from": 4, "to": 64, "factor": 2})") == "[4,8,16,32,64]");
  CHECK(values(R"({"from": 1, "to": 999, "factor": 10})") == "[1,10,100]");
}

TEST_CASE("a count begins at 1 and counts on", "[sweep][plan]") {
  CHECK(values(R"({"count": 3})") == "[1,2,3]");
  CHECK(values(R"({"count": 2, "from": 40})") == "[40,41]");
  CHECK(values(R"({"count": 3, "from": 0, "step": 0.5})") == "[0,0.5,1]");
  CHECK(values(R"({"count": 3, "from": 0.1, "factor": 10})") == "[0.1,1,10]");
}

TEST_CASE("whole numbers stay whole", "[sweep][plan]") {
  // 1.0 would be no --seed.
  CHECK(values(R"({"from": 1.0, "to": 2.0, "step": 1.0})") == "[1,2]");
}

TEST_CASE("values that are none are refused with their place", "[sweep][plan]") {
  CHECK_THAT(refused("null"), StartsWith("options.\"x\": null instead of a number, a text"));
  CHECK_THAT(refused("[]"), StartsWith("options.\"x\": an empty list"));
  CHECK_THAT(refused("[[]]"), StartsWith("options.\"x\"[0]: an empty list"));
  CHECK_THAT(refused("[1, {}]"), StartsWith("options.\"x\"[1]: object instead of a number"));
  CHECK_THAT(refused("[[[1]]]"), StartsWith("options.\"x\"[0][0]: array instead of a number"));
  CHECK_THAT(refused("\"\""), StartsWith("options.\"x\": an empty text"));
}

TEST_CASE("ranges that have no end are refused", "[sweep][plan]") {
  CHECK_THAT(refused(R"({"to": 2, "count": 2})"), StartsWith("options.\"x\": a range has either"));
  CHECK_THAT(refused(R"({"to": 2, "step": 1, "factor": 2})"),
             StartsWith("options.\"x\": a range has either \"step\" or \"factor\""));
  CHECK_THAT(refused(R"({"from": 0, "to": 1, "step": 0})"),
             StartsWith("options.\"x\": \"step\" is 0"));
  CHECK_THAT(refused(R"({"from": 0, "to": 1, "step": -1})"),
             StartsWith("options.\"x\": never reaches \"to\""));
  CHECK_THAT(refused(R"({"from": 0, "to": 4, "factor": 2})"),
             StartsWith("options.\"x\": a range with \"factor\" must start above 0"));
  CHECK_THAT(refused(R"({"from": 1, "to": 4, "factor": 1})"),
             StartsWith("options.\"x\": a range with \"factor\" must start above 0"));
  CHECK_THAT(refused(R"({"count": 0})"), StartsWith("options.\"x\": has no value"));
  CHECK_THAT(refused(R"({"count": 2, "from": "a"})"),
             StartsWith("options.\"x\".from: string instead of a number"));
  CHECK_THAT(refused(R"({"from": 0, "to": 2000000})"),
             StartsWith("options.\"x\": has 2000001 values, at most 1000000"));
  CHECK_THAT(refused(R"({"until": 3})"), StartsWith("options.\"x\": unknown field \"until\""));
}
