// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/run/run.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "support/folder.hpp"
#include "support/seed.hpp"
#include "systems/esc/batch.hpp"
#include "systems/esc/box_factory.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

void sweep_golden(std::uint32_t pes, std::uint32_t n, std::size_t at_most) {
  Rng rng(muster_seed());
  const auto engine = run::make_golden_engine();
  sweep_faults(*esc::boxes_of(*engine), {.size = n, .depth = 4}, pes,
               some_faults(esc::Cube(pes, n), at_most, rng));
}

}  // namespace

TEST_CASE("packets reach every PE through boxes of which any one part is dead", "[esc][faults]") {
  for (const auto& [pes, n] : {std::pair{4u, 2u}, {4u, 4u}, {8u, 2u}, {8u, 8u}, {16u, 2u}})
    sweep_golden(pes, n, 10000);
  sweep_golden(64, 2, 10000);
  sweep_golden(64, 4, 10000);
}

TEST_CASE("packets pass 256 PEs with a sample of dead parts", "[esc][faults]") {
  sweep_golden(256, 4, 40);
}

TEST_CASE("packets pass 256 PEs with any one part dead", "[esc][faults][soak]") {
  sweep_golden(256, 4, 10000);
}

TEST_CASE("a dead part swallows exactly what comes to it", "[esc][faults]") {
  const auto engine = run::make_golden_engine();
  Rng rng(muster_seed());
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {8u, 2u}, {16u, 4u}, {64u, 4u}}) {
    const esc::Cube cube(pes, n);
    for (const esc::Fault& fault : some_faults(cube, pes < 64 ? 10000 : 50, rng)) {
      for (const esc::OuterStages& stages : kSettings) {
        const esc::FaultRouting unaware(cube, stages, {});
        std::vector<unsigned> expected(std::size_t{pes} * pes);
        for (std::uint32_t s = 0; s < pes; ++s)
          for (std::uint32_t d = 0; d < pes; ++d)
            expected[s * pes + d] = !walk(cube, stages, fault, s, *unaware.tag(s, d), 0).met;
        const std::vector<esc::Fault> faults = {fault};
        INFO(pes << " PEs, boxes of " << n << ", fault " << esc::fault_text(fault)
                 << ", input stage " << stages.input << ", output stage " << stages.output);
        const esc::BoxConfig box{.size = n, .depth = 4};
        const bool each = send_all(*esc::boxes_of(*engine), box, cube, stages, faults,
                                   to_each(cube, unaware)) == expected;
        const bool all = send_all(*esc::boxes_of(*engine), box, cube, stages, faults,
                                  to_all(cube, unaware)) == expected;
        REQUIRE(each);
        REQUIRE(all);
      }
    }
  }
}

namespace {

esc::Spec with_faults(esc::Spec spec, const std::vector<std::string>& faults) {
  for (const std::string& text : faults) spec.faults.push_back(esc::fault_named(text));
  return spec;
}

/// What validate() says; empty if it has no objection.
std::string refusal(const esc::Spec& spec) {
  try {
    esc::validate(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sessions pass all checks with any one fault, under every policy", "[esc][faults]") {
  Rng rng(muster_seed());
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {16u, 2u}, {64u, 4u}}) {
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"}) {
      for (const esc::Fault& fault : some_faults(esc::Cube(pes, n), 12, rng)) {
        esc::Spec spec = small_spec(pes, n, policy);
        spec.faults = {fault};
        spec.rate = 0.6;
        spec.sessions = 1;
        spec.release = rng.below(2) == 0 ? esc::Release::kDirect : esc::Release::kNetwork;
        CAPTURE(pes, n, policy, esc::fault_text(fault));
        const esc::BatchResult result = run_golden(spec);
        CHECK(result.violation_texts == std::vector<std::string>{});
        CHECK(result.violations == 0);
        CHECK(result.packets > pes);
        CHECK((result.checks.size() == 3) == spec.policy_acts());
      }
    }
  }
}

TEST_CASE("a fault in a stage that a policy bypasses anyway changes nothing", "[esc][faults]") {
  esc::Spec spec = small_spec(64, 4, "bypass");
  const std::uint64_t digest = run_golden(spec).digest;
  for (const char* fault : {"box:3:7", "link:4:5", "bypass:0:9"})
    CHECK(run_golden(with_faults(spec, {fault})).digest == digest);
  CHECK(run_golden(with_faults(spec, {"box:1:7"})).digest != digest);
}

TEST_CASE("a fault in an outer stage takes the policy out of action", "[esc][faults]") {
  const esc::Spec bypass = small_spec(64, 4, "bypass");
  const esc::Spec policy = small_spec(64, 4, "isolated-hs");
  CHECK(policy.policy_acts());
  CHECK(with_faults(policy, {"box:2:7"}).policy_acts());
  CHECK(with_faults(policy, {"bypass:3:7"}).policy_acts());
  for (const char* fault : {"box:3:7", "link:4:5"}) {
    const esc::Spec faulty = with_faults(policy, {fault});
    CHECK_FALSE(faulty.policy_acts());
    CHECK(run_golden(faulty).digest == run_golden(bypass).digest);
    CHECK(esc::capacity(faulty) == 1.0);
  }
  for (const char* fault : {"box:0:7", "link:0:5"}) {
    const esc::Spec faulty = with_faults(policy, {fault});
    CHECK_FALSE(faulty.policy_acts());
    CHECK(run_golden(faulty).digest == run_golden(with_faults(bypass, {fault})).digest);
    CHECK(run_golden(faulty).digest != run_golden(bypass).digest);
  }
}

TEST_CASE("the result of a session does not depend on threads with faults either",
          "[esc][faults]") {
  esc::Spec spec = with_faults(small_spec(64, 4, "hot-section:4"), {"box:1:3", "link:2:5"});
  spec.sessions = 4;
  const std::uint64_t digest = run_golden(spec).digest;
  spec.threads = 3;
  CHECK(run_golden(spec).digest == digest);
}

TEST_CASE("faults that leave a pair without a route are refused", "[esc][faults]") {
  const esc::Spec spec = small_spec(16, 2, "bypass");
  using Catch::Matchers::Contains;
  CHECK_THAT(refusal(with_faults(spec, {"box:1:3", "box:4:2"})), Contains("without a route"));
  CHECK(refusal(with_faults(spec, {"box:4:3", "box:4:1", "bypass:0:2"})).empty());
  CHECK_THAT(refusal(with_faults(spec, {"box:4:3", "box:0:1"})), Contains("of 256 pairs"));
  CHECK_THAT(refusal(with_faults(spec, {"box:5:0"})), Contains("stages with boxes are 0 to 4"));
  CHECK_THAT(refusal(with_faults(spec, {"box:0:8"})), Contains("boxes 0 to 7"));
  CHECK_THAT(refusal(with_faults(spec, {"link:1:16"})), Contains("0 to 15"));
}

TEST_CASE("a broadcast that would take several packets is refused as a release", "[esc][faults]") {
  // From PEs whose digit 1 is 0, output 0 does not lead to PEs 0 to 3 and output 1 not to 4 to 7.
  esc::Spec spec = with_faults(small_spec(16, 2, "bypass"), {"link:2:0", "link:2:5"});
  CHECK(refusal(spec).empty());
  spec.release = esc::Release::kNetwork;
  CHECK_THAT(refusal(spec), Catch::Matchers::Contains("PE 0 takes"));
  spec.hot = 7;
  CHECK(refusal(spec).empty());
}

TEST_CASE("the results name the faults and what they cost", "[esc][faults]") {
  const esc::Spec spec = with_faults(small_spec(16, 4, "isolated-bg"), {"box:0:2"});
  const esc::BatchResult result = run_golden(spec);
  const auto json = valid_json(esc::batch_to_json(spec, result, {"muster esc", "0.1", 1}));
  CHECK(json["parameters"]["faults"] == std::vector<std::string>{"box:0:2"});
  CHECK(json["parameters"]["input_stage_enabled"] == true);
  CHECK(json["parameters"]["output_stage_enabled"] == false);
  CHECK(json["parameters"]["policy_acts"] == false);
  CHECK_THAT(esc::batch_to_text(spec, result),
             Catch::Matchers::Contains("box:0:2: input stage enabled, output stage bypassed, so "
                                       "the policy does not act"));
}

TEST_CASE("a rate beyond what a fault leaves is a warning", "[esc][faults]") {
  esc::Spec spec = with_faults(small_spec(64, 4, "bypass"), {"box:1:3"});
  spec.rate = 0.75;
  CHECK(esc::capacity_warning(spec).empty());
  spec.rate = 0.76;
  CHECK_THAT(esc::capacity_warning(spec), Catch::Matchers::Contains("around the faults (0.750)"));
  for (const char* fault : {"box:3:3", "box:0:3", "bypass:3:3", "bypass:0:3"}) {
    spec.faults = {esc::fault_named(fault)};
    CHECK(esc::capacity_warning(spec).empty());
  }
}
