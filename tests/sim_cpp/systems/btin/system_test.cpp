// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/system.hpp"

#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {
namespace {

TEST_CASE("the JSON of a refused request has the reason and no first barrier", "[groups][json]") {
  // The one register of switch 3 is the first group's; a member there would need it for the second.
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"3:4,3:6", "0:3,0:4"});
  spec.config = fabric::SwitchConfig{
      .name = "few", .ports = 8, .regs = 1, .dests = 64, .kind = &kBarrierSwitch};
  spec.barriers = 30;
  Spec& choice = run::own<Spec>(spec);
  choice.in_band = true;
  choice.requests = {{1, *subject.graph.node_at({3, 5}), true, 3}};
  const run::RunResult result = run::run_barriers(spec);
  const auto out = test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
  CHECK(out["violations"] == 0);
  const auto& request = out["changes"]["wishes"].at(0);
  CHECK(request["first_barrier"].is_null());
  CHECK_THAT(request["refused"], Catch::Contains("no free barrier register on switch"));
  const auto& change = out["changes"]["groups"].at(0);
  CHECK_THAT(change["refused"], Catch::Contains("no free barrier register on switch"));
  CHECK(change["first_barrier_cycles"].is_null());
  CHECK(change["confirmed_cycles"] < out["cycles"]);
}

}  // namespace

}  // namespace muster::btin
