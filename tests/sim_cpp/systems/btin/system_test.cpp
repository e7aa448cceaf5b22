// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/system.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "muster/run/result.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/folder.hpp"
#include "systems/btin/switch_kinds.hpp"

namespace muster::btin {
namespace {

using nlohmann::json;

const test::Subject& subject() {
  static const test::Subject figure1 = test::Subject::figure1();
  return figure1;
}

json json_of(const run::RunSpec& spec) {
  const run::RunResult result = run::run_barriers(spec);
  return test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
}

topology::NodeId node(topology::SwitchId sw, std::uint32_t port) {
  return subject().graph.node_at({sw, port}).value();
}

TEST_CASE("the JSON names the groups that were spilled, with switches, messages and latencies",
          "[groups][json]") {
  run::RunSpec spec = subject().spec({"0:3,0:4", "0:3,0:4,0:5", "6:2,6:3"});
  spec.config = run::configuration("sw8");
  spec.config->regs = 1;
  spec.spread = 50;
  run::own<Spec>(spec).spill = true;
  const json out = json_of(spec);
  CHECK(out["parameters"]["spill"] == true);
  // Switch 0 has a register for one of two groups; groups take registers in their order.
  CHECK(out["spill"]["groups"] ==
        json::array({{{"group", "0:3,0:4,0:5"}, {"switches", json::array({0})}}}));
  for (const json& barrier : out["barriers"])
    CHECK(barrier["spilled_switches"] == (barrier["group"] == "0:3,0:4,0:5" ? 1 : 0));
  const json& spill = out["spill"];
  CHECK(spill["messages_handed_over"] > 0);
  CHECK(spill["messages_answered"] > 0);
  CHECK(spill["messages_dropped"] == 0);
  double spilled = 0, others = 0;
  for (const json& barrier : out["barriers"])
    (barrier["spilled_switches"] == 0 ? others : spilled) +=
        barrier["latency_cycles"].get<double>();
  CHECK(spill["latency_spilled_cycles"]["barriers"] == 10);
  CHECK(spill["latency_spilled_cycles"]["mean"].get<double>() == Approx(spilled / 10));
  CHECK(spill["latency_others_cycles"]["barriers"] == 20);
  CHECK(spill["latency_others_cycles"]["mean"].get<double>() == Approx(others / 20));
}

TEST_CASE("the JSON of groups that move tells each move, and what the losses of packets cost",
          "[groups][json]") {
  run::RunSpec spec = subject().spec({"0:3,0:4", "0:3,0:5"});
  spec.config = fabric::SwitchConfig{
      .name = "few", .ports = 8, .regs = 1, .dests = 64, .kind = &kBarrierSwitch};
  spec.barriers = 40;
  test::PhasedArrivals arrivals;
  arrivals.times = {std::vector<std::uint64_t>(40, 8000), std::vector<std::uint64_t>(40, 3000)};
  spec.arrivals = core::borrowed(static_cast<const run::Arrivals&>(arrivals));
  Spec& choice = run::own<Spec>(spec);
  choice.in_band = choice.spill = true;
  choice.evict_after = 2500;
  choice.setup_drop = 0.02;
  const json out = json_of(spec);
  CHECK(out["violations"] == 0);
  CHECK(out["parameters"]["evict_after"] == 2500);
  CHECK(out["parameters"]["setup_drop"] == 0.02);
  CHECK(out["changes"].is_null());
  CHECK(out["setup"]["lost_packets"] > 0);
  CHECK(out["setup"]["repeated_messages"] > 0);
  const json& moves = out["spill"]["moves"];
  REQUIRE(moves.size() == 4);
  const char* const first = "0:3,0:4";
  const char* const second = "0:3,0:5";
  for (const std::size_t i : {0u, 1u, 2u, 3u}) {
    CAPTURE(i);
    CHECK(moves[i]["group"] == (i == 0 || i == 3 ? first : second));
    CHECK(moves[i]["to"] == (i % 2 == 0 ? "memory" : "register"));
    CHECK(moves[i]["switch"] == 0);
    CHECK(moves[i]["messages"] > 0);
    CHECK(moves[i]["register_requests"] > 0);
    CHECK(moves[i]["confirmed_cycles"] > 0);
  }
  CHECK(moves[0]["first_barrier"] == 0);
  CHECK(moves[1]["decided_in_cycle"] > 3000);
  CHECK(out["spill"]["moves_refused"] == 0);
  // The barriers before the group came into its register are those that were spilled.
  for (const json& barrier : out["barriers"]) {
    const json& came = moves[barrier["group"] == first ? 3 : 1]["first_barrier"];
    CHECK(barrier["spilled_switches"] == (barrier["number"] < came ? 1 : 0));
  }
}

TEST_CASE("with registers for all there is nothing in the JSON of spill but zeros and a null mean",
          "[groups][json]") {
  run::RunSpec spec = subject().spec({"paper"});
  run::own<Spec>(spec).spill = true;
  const json out = json_of(spec);
  CHECK(out["spill"]["groups"].empty());
  CHECK(out["spill"]["messages_handed_over"] == 0);
  CHECK(out["spill"]["latency_spilled_cycles"] == json{{"barriers", 0}, {"mean", nullptr}});
  CHECK(out["spill"]["latency_others_cycles"]["barriers"] == 10);
}

TEST_CASE("groups set up by the host have null for spill, set-up and changes", "[groups][json]") {
  for (const char* scheme : {"btin", "unicast"}) {
    CAPTURE(scheme);
    run::RunSpec spec = subject().spec({"paper"});
    spec.scheme = scheme;
    const json out = json_of(spec);
    for (const char* field : {"spill", "setup", "changes"}) CHECK(out[field].is_null());
    CHECK(out["parameters"]["setup"] == "host");
    CHECK(out["parameters"]["spill"] == false);
    for (const json& barrier : out["barriers"]) CHECK(barrier["spilled_switches"] == 0);
  }
}

TEST_CASE("the JSON has reflection and each operation by the names of the options",
          "[groups][json]") {
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    run::RunSpec spec = subject().spec({"random:3"});
    run::own<Spec>(spec).op = named.op;
    run::own<Spec>(spec).reflect = true;
    const json out = json_of(spec);
    CHECK(out["parameters"]["op"] == named.name);
    CHECK(out["parameters"]["turn"] == true);
  }
}

TEST_CASE("the JSON of an in-band set-up has the times of each group", "[groups][json]") {
  run::RunSpec spec = subject().spec({"paper", "random:4"});
  run::own<Spec>(spec).in_band = true;
  const json out = json_of(spec);
  CHECK(out["parameters"]["setup"] == "in-band");
  CHECK(out["changes"].is_null());
  REQUIRE(out["setup"]["groups"].size() == 2);
  std::set<std::string> names;
  for (const json& group : out["setup"]["groups"]) {
    names.insert(group["group"]);
    CHECK(group["creation_cycles"] > group["release_cycles"]);
    CHECK(group["release_cycles"] > 0);
  }
  CHECK(names == std::set<std::string>{"paper", "random:4"});
}

TEST_CASE("the JSON of changes tells requests, changes of trees and links", "[groups][json]") {
  run::RunSpec spec = subject().spec({"paper"});
  spec.barriers = 30;
  Spec& choice = run::own<Spec>(spec);
  choice.in_band = true;
  choice.requests = {{0, node(0, 3), false, 3}, {0, node(8, 2), true, 5}};
  spec.killed = {{{1, 1}, {3, 1}, 700}};
  const json out = json_of(spec);
  CHECK(out["violations"] == 0);
  const json& changes = out["changes"];
  REQUIRE(changes["wishes"].size() == 2);
  for (const json& wish : changes["wishes"]) {
    const bool join = wish["wish"] == "join";
    CHECK(wish["node"] == (join ? "8:2" : "0:3"));
    CHECK(wish["barrier"] == (join ? 5 : 3));
    CHECK(wish["first_barrier"] >= wish["barrier"]);
    CHECK(wish["refused"].is_null());
  }
  bool joined = false, left = false, link = false;
  for (const json& change : changes["groups"]) {
    CHECK(change["refused"].is_null());
    CHECK(change["confirmed_cycles"] < out["cycles"]);
    CHECK(change["first_barrier_cycles"] < out["cycles"]);
    joined |= change["joined"] == json{"8:2"};
    left |= change["left"] == json{"0:3"};
    link |= change["dead_link"] == true;
  }
  CHECK((joined && left && link));
  REQUIRE(changes["links"].size() == 1);
  CHECK(changes["links"][0]["link"] == "1:1-3:1");
  CHECK(changes["links"][0]["declared_in_cycle"] >= 700);
  CHECK(changes["links"][0]["words_written"] > 0);
  CHECK(changes["links"][0]["routed_cycles"] <= changes["links"][0]["out_cycles"]);
}

TEST_CASE("the JSON of a refused request has the reason and no first barrier", "[groups][json]") {
  // The one register of switch 3 is the first group's; a member there would need it for the second.
  run::RunSpec spec = subject().spec({"3:4,3:6", "0:3,0:4"});
  spec.config = fabric::SwitchConfig{
      .name = "few", .ports = 8, .regs = 1, .dests = 64, .kind = &kBarrierSwitch};
  spec.barriers = 30;
  Spec& choice = run::own<Spec>(spec);
  choice.in_band = true;
  choice.requests = {{1, node(3, 5), true, 3}};
  const json out = json_of(spec);
  CHECK(out["violations"] == 0);
  const json& request = out["changes"]["wishes"].at(0);
  CHECK(request["first_barrier"].is_null());
  CHECK_THAT(request["refused"], Catch::Contains("no free barrier register on switch"));
  const json& change = out["changes"]["groups"].at(0);
  CHECK_THAT(change["refused"], Catch::Contains("no free barrier register on switch"));
  CHECK(change["first_barrier_cycles"].is_null());
  CHECK(change["confirmed_cycles"] < out["cycles"]);
}

}  // namespace

}  // namespace muster::btin
