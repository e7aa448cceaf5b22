// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

void sweep_golden(std::uint32_t pes, std::uint32_t n, std::size_t at_most) {
  Random rng(muster_seed());
  sweep_faults(golden_boxes(), {.size = n, .depth = 4}, pes,
               some_faults(Cube(pes, n), at_most, rng));
}

}  // namespace

TEST_CASE("packets reach every PE through boxes of which any one part is dead", "[esc][faults]") {
  for (const auto& [pes, n] : {Size{4, 2}, {4, 4}, {8, 2}, {8, 8}, {16, 2}, {64, 2}, {64, 4}})
    sweep_golden(pes, n, 10000);
}

TEST_CASE("packets pass 256 PEs with a sample of dead parts", "[esc][faults]") {
  sweep_golden(256, 4, 40);
}

TEST_CASE("packets pass 256 PEs with any one part dead", "[esc][faults][soak]") {
  sweep_golden(256, 4, 10000);
}

TEST_CASE("a dead part swallows exactly what comes to it", "[esc][faults]") {
  Random rng(muster_seed());
  for (const auto& [pes, n] : {Size{4, 4}, {8, 2}, {16, 4}, {64, 4}}) {
    const Cube cube(pes, n);
    for (const Fault& fault : some_faults(cube, pes < 64 ? 10000 : 50, rng))
      for (const OuterStages& stages : kSettings) {
        const FaultRouting unaware(cube, stages, {});
        std::vector<unsigned> expected(std::size_t{pes} * pes);
        for (std::uint32_t s = 0; s < pes; ++s)
          for (std::uint32_t d = 0; d < pes; ++d)
            expected[s * pes + d] =
                !walk(cube, stages, fault, s, *tag_of(cube, unaware, s, d), 0).met;
        INFO(pes << " PEs, boxes of " << n << ", fault " << fault_text(fault) << ", input stage "
                 << stages.input << ", output stage " << stages.output);
        const auto copies = [&](const std::vector<std::vector<BoxPacket>>& queues) {
          return send_all(golden_boxes(), {.size = n, .depth = 4}, cube, stages, {fault}, queues);
        };
        REQUIRE((copies(to_each(cube, unaware)) == expected));
        REQUIRE((copies(to_all(cube, unaware)) == expected));
      }
  }
}

namespace {

Spec with_faults(Spec spec, const std::vector<std::string>& faults) {
  for (const std::string& text : faults) spec.faults.push_back(fault_named(text));
  return spec;
}

/// What validate() says; empty if it has no objection.
std::string refusal(const Spec& spec) {
  try {
    validate(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sessions pass all checks with any one fault, under every policy", "[esc][faults]") {
  Random rng(muster_seed());
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {16u, 2u}, {64u, 4u}}) {
    for (const char* policy : {"bypass", "isolated-bg", "isolated-hs", "hot-section:2"}) {
      for (const Fault& fault : some_faults(Cube(pes, n), 12, rng)) {
        Spec spec = small_spec(pes, n, policy);
        spec.faults = {fault};
        spec.rate = 0.6;
        spec.sessions = 1;
        spec.release = rng.below(2) == 0 ? Release::kDirect : Release::kNetwork;
        CAPTURE(pes, n, policy, fault_text(fault));
        const BatchResult result = run_golden(spec);
        CHECK(result.violation_texts == std::vector<std::string>{});
        CHECK(result.violations == 0);
        CHECK(result.packets > pes);
        CHECK((result.checks.size() == 3) == spec.policy_acts());
      }
    }
  }
}

TEST_CASE("a fault in a stage that a policy bypasses anyway changes nothing", "[esc][faults]") {
  Spec spec = small_spec(64, 4, "bypass");
  const std::uint64_t digest = run_golden(spec).digest;
  for (const char* fault : {"box:3:7", "link:4:5", "bypass:0:9"})
    CHECK(run_golden(with_faults(spec, {fault})).digest == digest);
  CHECK(run_golden(with_faults(spec, {"box:1:7"})).digest != digest);
}

TEST_CASE("a fault in an outer stage takes the policy out of action", "[esc][faults]") {
  const Spec bypass = small_spec(64, 4, "bypass");
  const Spec policy = small_spec(64, 4, "isolated-hs");
  CHECK(policy.policy_acts());
  CHECK(with_faults(policy, {"box:2:7"}).policy_acts());
  CHECK(with_faults(policy, {"bypass:3:7"}).policy_acts());
  for (const char* fault : {"box:3:7", "link:4:5"}) {
    const Spec faulty = with_faults(policy, {fault});
    CHECK_FALSE(faulty.policy_acts());
    CHECK(run_golden(faulty).digest == run_golden(bypass).digest);
    CHECK(capacity(faulty) == 1.0);
  }
  for (const char* fault : {"box:0:7", "link:0:5"}) {
    const Spec faulty = with_faults(policy, {fault});
    CHECK_FALSE(faulty.policy_acts());
    CHECK(run_golden(faulty).digest == run_golden(with_faults(bypass, {fault})).digest);
    CHECK(run_golden(faulty).digest != run_golden(bypass).digest);
  }
}

TEST_CASE("faults that leave a pair without a route are refused", "[esc][faults]") {
  const Spec spec = small_spec(16, 2, "bypass");
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
  Spec spec = with_faults(small_spec(16, 2, "bypass"), {"link:2:0", "link:2:5"});
  CHECK(refusal(spec).empty());
  spec.release = Release::kNetwork;
  CHECK_THAT(refusal(spec), Catch::Matchers::Contains("PE 0 takes"));
  spec.hot = 7;
  CHECK(refusal(spec).empty());
}

TEST_CASE("a rate beyond what a fault leaves is a warning", "[esc][faults]") {
  Spec spec = with_faults(small_spec(64, 4, "bypass"), {"box:1:3"});
  spec.rate = 0.75;
  CHECK(capacity_warning(spec).empty());
  spec.rate = 0.76;
  CHECK_THAT(capacity_warning(spec), Catch::Matchers::Contains("around the faults (0.750)"));
  for (const char* fault : {"box:3:3", "box:0:3", "bypass:3:3", "bypass:0:3"}) {
    spec.faults = {fault_named(fault)};
    CHECK(capacity_warning(spec).empty());
  }
}
