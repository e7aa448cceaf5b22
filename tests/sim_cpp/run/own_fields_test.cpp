// SPDX-License-Identifier: Apache-2.0
// What a system from outside the tree adds to the JSON of a run.
#include <catch2/catch.hpp>
#include <functional>
#include <optional>

#include "muster/core/error.hpp"
#include "muster/run/result_io.hpp"
#include "muster/run/system.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/valid_json.hpp"

namespace muster::run {
namespace {

/// What the system below writes; it stays in the program after its test.
struct Written {
  Json own = Json::object(), result = Json::object(), barrier = Json::object();
};
std::optional<Written>& written() {
  static std::optional<Written> all;
  return all;
}

class Outside : public System {
 public:
  std::string_view name() const override { return "outside"; }
  void own_json(const RunSpec&, const RunResult&, Json& own) const override {
    if (written()) own.update(written()->own);
  }
  void result_json(const RunSpec&, const RunResult&, Json& out) const override {
    if (written()) out.update(written()->result);
  }
  void barrier_json(const RunResult&, const BarrierRecord&, Json& out) const override {
    if (written()) out.update(written()->barrier);
  }
};

std::string json_with(const Written& fields) {
  static const bool added = (add_system(std::make_unique<Outside>()), true);
  REQUIRE(added);
  const test::Subject subject(test::star(3));
  RunSpec spec = subject.spec({"all"});
  spec.barriers = 2;
  const RunResult result = run_barriers(spec);
  written() = fields;
  const std::shared_ptr<void> end(nullptr, [](void*) { written().reset(); });
  return run_to_json(spec, result, {"muster run x", "0.1", 1});
}

TEST_CASE("fields of a system from outside have a place in a valid result", "[run][io]") {
  const auto json = test::valid_json(json_with({.own = {{"tokens", 7}, {"cycles", {1, 2}}}}));
  CHECK(json.at("systems") == nlohmann::json{{"outside", {{"tokens", 7}, {"cycles", {1, 2}}}}});
  CHECK(json.at("cycles") > 2);
}

TEST_CASE("a system without fields leaves none", "[run][io]") {
  CHECK_FALSE(test::valid_json(json_with({})).contains("systems"));
}

TEST_CASE("a system that writes a field of others is refused", "[run][io][errors]") {
  CHECK_THROWS_WITH(
      json_with({.result = {{"cycles", 1}}}),
      "system 'outside' writes field 'cycles' of the result, which is there already; it can have "
      "fields of its own in own_json()");
  CHECK_THROWS_AS(json_with({.result = {{"units", {{"hops", "none"}}}}}), InternalError);
  CHECK_THROWS_AS(json_with({.barrier = {{"hops", 0}}}), InternalError);
}

}  // namespace
}  // namespace muster::run
