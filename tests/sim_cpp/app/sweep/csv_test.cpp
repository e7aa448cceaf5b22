// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/csv.hpp"

#include <catch2/catch.hpp>

using muster::app::sweep::Json;
using muster::app::sweep::rows_to_csv;

TEST_CASE("rows of different fields are one table, by number", "[sweep][csv]") {
  const Json one = Json::parse(
      R"({"schema": "s", "row": 1, "id": "b", "seed": 2, "parameters": {"load": 0.5}, "status": 0,
          "error": null, "result": {"us": {"mean": 1.5}, "ok": true},
          "machine": 0, "seconds": 3})");
  const Json two = Json::parse(
      R"({"schema": "s", "row": 0, "id": "a", "seed": 1,
          "parameters": {"load": 0, "group": ["x", "y"]}, "status": 2,
          "error": "say \"a, b\"", "result": {}, "machine": 1, "seconds": 4})");
  CHECK(rows_to_csv({one, two}) ==
        "row,id,seed,status,error,parameters.load,parameters.group,result.us.mean,result.ok\n"
        "0,a,1,2,\"say \"\"a, b\"\"\",0,\"[\"\"x\"\",\"\"y\"\"]\",,\n"
        "1,b,2,0,,0.5,,1.5,true\n");
}

TEST_CASE("a table of no row is its header", "[sweep][csv]") {
  CHECK(rows_to_csv({}) == "row,id,seed,status,error\n");
}
