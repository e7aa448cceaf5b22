// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/system.hpp"

#include <catch2/catch.hpp>

#include "muster/run/result.hpp"
#include "muster/systems/preempt.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "sim_cpp/systems/preempt/link_runs.hpp"
#include "support/folder.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::preempt {
namespace {

using nlohmann::json;

json run_json(const std::string& scheme, double load,
              const std::function<void(run::RunSpec&)>& change = {}) {
  static const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"paper", "random:3"});
  spec.scheme = scheme;
  spec.load_flits = load * subject.route_bound();
  if (change) change(spec);
  const run::RunResult result = run::run_barriers(spec);
  return test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
}

constexpr const char* kFields[] = {
    "preemptions",      "padding_flits",        "max_hop_wait_cycles", "bound_hop_wait_cycles",
    "theorem_2_cycles", "barrier_buffer_flits", "data_channels"};

TEST_CASE("the JSON has the settings of preempting switches, as given or after reset",
          "[preempt][json]") {
  CHECK(run_json("bsr-2", 0)["parameters"]["preempt"] == json{{"idle_cycles", 16},
                                                              {"gap_cycles", 2},
                                                              {"longest_cycles", 256},
                                                              {"choice", "last"},
                                                              {"padding", "on"}});
  const json chosen = run_json("bsr-1", 0, [](run::RunSpec& spec) {
    Spec& policy = run::own<Spec>(spec);
    policy.idle = 40;
    policy.gap = 5;
    policy.longest = 64;
    policy.random = true;
    policy.padding = false;
  });
  CHECK(chosen["parameters"]["preempt"] == json{{"idle_cycles", 40},
                                                {"gap_cycles", 5},
                                                {"longest_cycles", 64},
                                                {"choice", "random"},
                                                {"padding", "off"}});
}

TEST_CASE("under load the JSON has cuts, pads, and the longest wait within its bound",
          "[preempt][json]") {
  for (const char* scheme : {"bsr-1", "bsr-2", "bsr-3"}) {
    CAPTURE(scheme);
    const json out = run_json(scheme, 0.5);
    CHECK(out["violations"] == 0);
    CHECK(out["preemptions"] > 0);
    CHECK(out["padding_flits"] > 0);
    CHECK(out["max_hop_wait_cycles"] > 0);
    // Switch III waits for a channel whose flits move: its wait has no bound.
    CHECK(out.contains("bound_hop_wait_cycles") == (std::string(scheme) != "bsr-3"));
    if (out.contains("bound_hop_wait_cycles"))
      CHECK(out["max_hop_wait_cycles"] <= out["bound_hop_wait_cycles"]);
    CHECK(out["barrier_buffer_flits"] == 3);
    CHECK(out["data_channels"] == 2);
    REQUIRE(out["theorem_2_cycles"].size() == 2);
    CHECK(out["theorem_2_cycles"][0] >= out["theorem_2_cycles"][1]);  // the larger group first
  }
}

TEST_CASE("the bound of a hop is that of the architecture and its channels", "[preempt][json]") {
  const auto bound = [](const std::string& scheme, std::uint32_t vcs) {
    const json out = run_json(scheme, 0.5, [&](run::RunSpec& spec) {
      spec.config = fabric::SwitchConfig{
          .name = "test", .vcs = vcs, .kind = scheme == "bsr-1" ? &kBsr1 : &kBsr2};
    });
    CHECK(out["violations"] == 0);
    CHECK(out["data_channels"] == vcs);
    return out["bound_hop_wait_cycles"];
  };
  CHECK(bound("bsr-1", 1) == 19);
  CHECK(bound("bsr-2", 1) == 19);
  CHECK(bound("bsr-1", 2) == 3);
  CHECK(bound("bsr-2", 2) == 20);
}

TEST_CASE("groups that no built configuration has entries for leave I and II different machines",
          "[preempt][json]") {
  for (const auto& [scheme, bound] : {std::pair{"bsr-1", 3}, std::pair{"bsr-2", 20}}) {
    const json out = run_json(scheme, 0.2, [](run::RunSpec& spec) {
      spec.groups.assign(5, spec.groups.front());
      spec.barriers = 2;
    });
    CAPTURE(scheme);
    CHECK(out["parameters"]["config"]["name"] == "fit");
    CHECK(out["data_channels"] == 2);
    CHECK(out["bound_hop_wait_cycles"] == bound);
    CHECK(out["max_hop_wait_cycles"] <= bound);
  }
}

TEST_CASE("what no checker measures of barrier messages is null", "[preempt][json]") {
  const json waits = run_json("bsr-2", 0.2)["waits"];
  CHECK(waits["longest_barrier_cycles"].is_null());
  CHECK(waits["longest_packet_cycles"] > 0);
  CHECK(run_json("btin", 0.2)["waits"]["longest_barrier_cycles"] > 0);
}

TEST_CASE("without data nothing is cut, and without pads none is counted", "[preempt][json]") {
  const json quiet = run_json("bsr-1", 0);
  CHECK(quiet["preemptions"] == 0);
  CHECK(quiet["padding_flits"] == 0);
  CHECK(quiet["max_hop_wait_cycles"] == 0);
  const json bare =
      run_json("bsr-1", 0.5, [](run::RunSpec& spec) { run::own<Spec>(spec).padding = false; });
  CHECK(bare["padding_flits"] == 0);
}

TEST_CASE("results of other schemes have no field of preempting switches", "[preempt][json]") {
  for (const char* scheme : {"btin", "nic-gather", "star"}) {
    CAPTURE(scheme);
    const json out = run_json(scheme, 0.2);
    CHECK(out["parameters"]["preempt"].is_null());
    for (const char* field : kFields) {
      CAPTURE(field);
      CHECK_FALSE(out.contains(field));
    }
  }
}

using Catch::Matchers::Contains;

run::RunSpec spec_of(const test::Subject& subject) {
  run::RunSpec spec = subject.spec({"paper", "2:1,2:2"});
  spec.scheme = "bsr-2";
  spec.barriers = 20;
  return spec;
}

TEST_CASE("JSON and summary tell which groups avoid a dead link, and when it is out",
          "[preempt][links][json]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject);
  spec.killed = {{{0, 1}, {3, 0}, 700}};
  const run::RunResult result = run::run_barriers(spec);
  const json out = test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
  CHECK(out["violations"] == 0);
  const json& changes = out["changes"];
  CHECK(changes["wishes"].empty());
  REQUIRE(changes["groups"].size() == 1);
  const json& group = changes["groups"][0];
  CHECK(group["group"] == "paper");
  CHECK(group["dead_link"] == true);
  CHECK(group["refused"].is_null());
  CHECK(group["first_barrier"] > 0);
  CHECK(group["registers"]["kept"] > 3);
  CHECK(group["registers"]["rewritten"] == 0);
  CHECK(group["messages"] == 0);
  CHECK(group["decided_in_cycle"] == 700);
  CHECK(group["confirmed_cycles"] > 0);
  CHECK(group["first_barrier_cycles"] > 0);
  REQUIRE(changes["links"].size() == 1);
  const json& link = changes["links"][0];
  CHECK(link["link"] == "0:1-3:0");
  CHECK(link["declared_in_cycle"] == 700);
  CHECK(link["words_written"] > 0);
  CHECK(link["groups_held"].is_boolean());
  CHECK(link["out_cycles"] >= link["routed_cycles"]);
  const std::string text = run_to_text(spec, result);
  CHECK_THAT(text, Contains("group paper avoids a dead link from barrier"));
  CHECK_THAT(text, Contains("dead link    0:1-3:0 declared in cycle 700"));
  CHECK_THAT(text, Contains("by another legal port"));
}

TEST_CASE("without a dead link there are no changes", "[preempt][links][json]") {
  const test::Subject subject = test::Subject::figure1();
  const run::RunSpec spec = spec_of(subject);
  const run::RunResult result = run::run_barriers(spec);
  const json out = test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
  CHECK(out["changes"].is_null());
  CHECK(out["detours"] == run::own<Cost>(result).detours);
}

}  // namespace

}  // namespace muster::preempt
