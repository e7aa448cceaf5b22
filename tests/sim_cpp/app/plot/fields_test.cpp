// SPDX-License-Identifier: Apache-2.0
#include "app/plot/fields.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using namespace muster::app::plot;
using Catch::Matchers::StartsWith;

namespace {

std::vector<Fields> two_rows() {
  return fields_of({Json::parse(R"({"seed": 1, "parameters": {"scheme": "a", "load": 0.1,
                                    "group": ["x", "y"]},
                                    "result": {"scheme": "A", "us": {"mean": 2}, "list": [1]}})"),
                    Json::parse(R"({"seed": 2, "parameters": {"scheme": "b", "load": 0.2},
                                    "result": {"us": {"mean": 3}, "data": null}})")});
}

}  // namespace

TEST_CASE("a field is looked for in parameters, the row and the result", "[plot][fields]") {
  const auto rows = two_rows();
  CHECK(whole_name(rows, "--x", "scheme") == "parameters.scheme");
  CHECK(whole_name(rows, "--x", "result.scheme") == "result.scheme");
  CHECK(whole_name(rows, "--x", "seed") == "seed");
  CHECK(whole_name(rows, "--x", "us.mean") == "result.us.mean");
  CHECK(word_of_field(rows[0], "parameters.group") == R"(["x","y"])");
  CHECK(word_of_field(rows[1], "parameters.group") == "none");
}

TEST_CASE("a field that is in no row is refused with the nearest", "[plot][fields]") {
  CHECK_THAT(test::refusal([] { whole_name(two_rows(), "--y", "us.maen"); }),
             StartsWith("--y 'us.maen': no row has this field; similar are us.mean, "));
  // Lists and null are no fields that can be drawn.
  CHECK_THROWS_AS(whole_name(two_rows(), "--y", "list"), InputError);
  CHECK_THROWS_AS(whole_name(two_rows(), "--y", "data"), InputError);
}

TEST_CASE("a generated network is a field of its own, whatever its seed", "[plot][fields]") {
  const auto rows = fields_of({Json::parse(
      R"({"parameters": {"network": {"generate": "mesh", "width": 3, "height": null, "seed": 2}},
          "result": {}})")});
  CHECK(word_of_field(rows[0], "parameters.network") == "mesh width 3");
  CHECK(word_of_field(rows[0], "parameters.network.width") == "3");
}
