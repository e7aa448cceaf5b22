// SPDX-License-Identifier: Apache-2.0
#include "app/plot/where.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using namespace muster::app::plot;
using Catch::Matchers::StartsWith;

namespace {

std::vector<Fields> three_rows() {
  return fields_of({Json::parse(R"({"seed": 1, "parameters": {"scheme": "a", "load": 0.1},
                                    "result": {"us": {"mean": 2}, "saturated": true}})"),
                    Json::parse(R"({"seed": 2, "parameters": {"scheme": "b", "load": 0.2},
                                    "result": {"us": {"mean": 3}, "saturated": false}})"),
                    Json::parse(R"({"seed": 3, "parameters": {"scheme": "a=b"}, "result": {}})")});
}

/// Seeds of the rows that meet all conditions.
std::string met(const std::vector<std::string>& conditions) {
  std::string seeds;
  for (const Fields& row : rows_where(three_rows(), conditions)) seeds += row.at("seed").dump();
  return seeds;
}

}  // namespace

TEST_CASE("rows are chosen by text and by number", "[plot][where]") {
  CHECK(met({}) == "123");
  CHECK(met({"scheme=b"}) == "2");
  CHECK(met({"scheme=a=b"}) == "3");
  CHECK(met({"load=0.10"}) == "1");
  CHECK(met({"load=0.2", "scheme=b", "us.mean=3"}) == "2");
}

TEST_CASE("rows are chosen by what they are not, and by order", "[plot][where]") {
  CHECK(met({"scheme!=a"}) == "23");
  CHECK(met({"load<0.2"}) == "1");
  CHECK(met({"load<=0.2"}) == "12");
  CHECK(met({"load>0.1"}) == "2");
  CHECK(met({"load>=0.1"}) == "12");
  CHECK(met({"seed>1", "seed<3"}) == "2");
  CHECK(met({"saturated<1"}) == "2");
  // A row that has no load is not one of load 0.1.
  CHECK(met({"load!=0.10"}) == "23");
}

TEST_CASE("a condition that no row meets is refused with the values there are", "[plot][where]") {
  const auto refused = [](const std::string& condition) {
    return test::refusal([&] { met({condition}); });
  };
  CHECK(refused("scheme=c") ==
        "--where 'scheme=c': no row has such a value; existing values are a, a=b, b");
  CHECK(refused("load=x") ==
        "--where 'load=x': no row has such a value; existing values are 0.1, 0.2, none");
  CHECK(refused("load=") ==
        "--where 'load=': no row has such a value; existing values are 0.1, 0.2, none");
  CHECK(refused("load>0.2") ==
        "--where 'load>0.2': no row has such a value; existing values are 0.1, 0.2, none");
  CHECK_THAT(refused("sheme=a"),
             StartsWith("--where 'sheme': no row has this field; similar are scheme, "));
}

TEST_CASE("what is no condition is refused", "[plot][where]") {
  const auto refused = [](const std::string& condition) {
    return test::refusal([&] { met({condition}); });
  };
  for (const std::string text : {"load", "load!", "load!0", ""})
    CHECK(refused(text) ==
          "--where '" + text + "': write a field and its value as seed=1, seed!=1 or 'seed<=3'");
  CHECK(refused("load<x") == "--where 'load<x': 'x' is not a number; < compares numbers");
  CHECK(refused("load>=") == "--where 'load>=': '' is not a number; >= compares numbers");
  CHECK(refused("load==1") ==
        "--where 'load==1': no row has such a value; existing values are 0.1, 0.2, none");
  CHECK(refused("scheme<3") == "--where 'scheme<3': a row has the text 'a'; < compares numbers");
}
