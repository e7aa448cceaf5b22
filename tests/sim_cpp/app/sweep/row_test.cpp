// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/row.hpp"

#include <catch2/catch.hpp>

using namespace muster::app::sweep;

namespace {

const char* const kResult = R"({"schema": "muster-run-1", "command": "c", "version": "1",
  "seed": 3, "units": {"x_us": "microseconds"}, "cycles": 9, "digest": "ab", "data": null,
  "latency_us": {"min": 1, "mean": 1.5, "list": [1]}, "barriers": [{"number": 0}],
  "checks": {}, "violation_texts": ["first\nsecond"], "seconds": 0.1,
  "switch_cycles_per_second": 5})";

struct Made {
  Json row;
  std::vector<std::string> missing;
};

Made made(const ChildOutcome& outcome, const std::vector<std::string>& keep = {},
          const Renamed& renamed = {}) {
  Run run;
  run.row = 4;
  run.id = "0123456789abcdef";
  run.parameters = {{"load", 0.5}};
  Made made;
  made.row = make_row(run, outcome, keep, 1, renamed, made.missing);
  return made;
}

}  // namespace

TEST_CASE("a row has all scalars of a result but its origin and time", "[sweep][row]") {
  CHECK(made({0, kResult, "", 0.5}).row.dump() ==
        R"({"schema":"muster-sweep-row-1","row":4,"id":"0123456789abcdef","seed":1,)"
        R"("parameters":{"load":0.5},"status":0,"error":null,)"
        R"("result":{"cycles":9,"digest":"ab","latency_us":{"min":1,"mean":1.5}},)"
        R"("machine":1,"seconds":0.5})");
}

TEST_CASE("a row keeps the fields that are named, lists too", "[sweep][row]") {
  const Made got = made({0, kResult, "", 0.5}, {"latency_us.mean", "barriers", "data.packets"});
  CHECK(got.row["result"].dump() == R"({"latency_us":{"mean":1.5},"barriers":[{"number":0}]})");
  // There is no data in this run: that is not a mistake of the plan.
  CHECK(got.missing.empty());
}

TEST_CASE("fields that a result does not have are named", "[sweep][row]") {
  const Made got = made({0, kResult, "", 0.5}, {"latency_us.maen", "cycles.mean", "cycles"});
  CHECK(got.missing == std::vector<std::string>{"latency_us.maen", "cycles.mean"});
  CHECK(got.row["result"].dump() == R"({"cycles":9})");
  // What has no result has no field, whatever its name.
  CHECK(made({2, "", "muster: no", 0}, {"cycles"}).missing.empty());
}

TEST_CASE("a run that fails says why", "[sweep][row]") {
  const auto error = [](const ChildOutcome& outcome) { return made(outcome).row["error"]; };
  CHECK(error({2, "", "muster: --load: 'x' is no number\n", 0}) == "--load: 'x' is no number");
  CHECK(error({1, kResult, "", 0}) == "first");
  CHECK(error({1, "", "muster: internal error: a\n  b\n", 0}) == "internal error: a");
  CHECK(error({127, "", "", 0}) == "status 127, without a reason");
  CHECK(error({139, "{\"half", "", 0}) == "ended by signal 11, Segmentation fault");
  CHECK(error({0, "no JSON", "", 0}) == "the command wrote no result");
  CHECK(made({0, "no JSON", "", 0}).row["status"] == 1);
}

TEST_CASE("what checks have found is in the row beside the result", "[sweep][row]") {
  const Json row = made({1, kResult, "", 0}).row;
  CHECK(row["status"] == 1);
  CHECK(row["result"]["cycles"] == 9);
}

TEST_CASE("an error names a generated network by what made it", "[sweep][row]") {
  const Renamed renamed{"/x/mesh-1.json", "mesh width 3"};
  CHECK(made({2, "", "muster: /x/mesh-1.json: no\n", 0}, {}, renamed).row["error"] ==
        "mesh width 3: no");
}

TEST_CASE("warnings of a run that is good are no error", "[sweep][row]") {
  CHECK(made({0, kResult, "muster: warning: much\n", 0}).row["error"].is_null());
}
