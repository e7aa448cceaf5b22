// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/faults.hpp"

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

/// Link on which a packet leaves `stage`, for a packet from PE `source` whose tag is `tag`.
std::uint32_t link_after(const Cube& cube, const OuterStages& stages, std::uint32_t source,
                         std::uint32_t tag, unsigned stage) {
  std::uint32_t link = source;
  for (unsigned s = stages.first(cube) + 1; s-- > stage;)
    link = cube.with_digit(link, cube.exchanged(s), cube.digit(tag, s));
  return link;
}

const std::vector<Size> kCubes = {{4, 2},  {4, 4},  {8, 2},  {8, 8},   {16, 2}, {16, 4},
                                  {64, 2}, {64, 4}, {64, 8}, {256, 4}, {512, 8}};

TEST_CASE("the network of Figure 2 has these boxes", "[esc]") {
  const Cube cube(8, 2);
  CHECK(cube.input_stage() == 3);
  // Links that meet in a box: 0 and 1 in stages 3 and 0, 0 and 4 in stage 2, 0 and 2 in stage 1.
  const auto partner = [&](unsigned stage, std::uint32_t link) {
    return cube.link(stage, cube.box(stage, link), 1 - cube.port(stage, link));
  };
  CHECK(partner(3, 0) == 1);
  CHECK(partner(2, 0) == 4);
  CHECK(partner(1, 0) == 2);
  CHECK(partner(0, 0) == 1);
  CHECK(partner(2, 3) == 7);
  CHECK(partner(1, 5) == 7);
}

TEST_CASE("tags lead from every PE to every PE on n paths without a common inner link", "[esc]") {
  for (const auto& [pes, n] : kCubes) {
    if (pes > 64) continue;
    const Cube cube(pes, n);
    const OuterStages normal{.input = false, .output = true}, both{.input = true, .output = true},
        late{.input = true, .output = false};
    for (std::uint32_t s = 0; s < pes; ++s)
      for (std::uint32_t d = 0; d < pes; ++d) {
        REQUIRE(link_after(cube, normal, s, cube.tag(d, 0), 0) == d);
        REQUIRE(link_after(cube, late, s, cube.tag(d, cube.digit(d, 0)), 1) == d);
        std::set<std::uint32_t> inner;
        for (std::uint32_t x = 0; x < n; ++x) {
          REQUIRE(link_after(cube, both, s, cube.tag(d, x), 0) == d);
          for (unsigned stage = 1; stage <= cube.input_stage(); ++stage) {
            const std::uint32_t link = link_after(cube, both, s, cube.tag(d, x), stage);
            REQUIRE(cube.digit(link, 0) == x);
            inner.insert(stage * pes + link);
          }
        }
        REQUIRE(inner.size() == n * cube.input_stage());
      }
  }
}

TEST_CASE("the setting is the one of Adams and Siegel", "[esc][faults]") {
  const Cube cube(64, 4);
  const auto check = [&](const OuterStages& set, const std::vector<std::string>& faults,
                         const OuterStages& preferred = {}) {
    for (const std::string& fault : faults) {
      CAPTURE(fault, preferred.output);
      const OuterStages stages = choose_stages(cube, std::vector{fault_named(fault)}, preferred);
      CHECK(stages.input == set.input);
      CHECK(stages.output == set.output);
    }
  };
  const OuterStages &normal = kSettings[0], &both = kSettings[1], &late = kSettings[2];
  check(normal, {"box:3:5", "link:4:63", "bypass:0:63"});
  check(both, {"box:2:0", "box:1:15", "link:3:0", "link:2:9", "link:1:9", "bypass:3:9"});
  check(late, {"box:0:5", "link:0:63"});
  check(normal, {"box:3:5", "link:4:5"}, both);
  check(both, {"box:1:5", "bypass:0:5"}, both);
  check(late, {"box:0:5"}, both);
}

TEST_CASE("a cut is what a walk through the network meets, in every setting", "[esc][faults]") {
  Random rng(muster_seed());
  for (const auto& [pes, n] : {Size{4, 2}, {4, 4}, {8, 2}, {8, 8}, {16, 4}, {64, 4}}) {
    const Cube cube(pes, n);
    for (const Fault& fault : some_faults(cube, pes < 64 ? 10000 : 20, rng))
      for (const OuterStages& stages : kSettings) {
        const FaultRouting routing(cube, stages, std::vector{fault});
        CAPTURE(pes, n, fault_text(fault), stages.input, stages.output);
        for (std::uint32_t s = 0; s < pes; ++s) {
          for (std::uint32_t d = 0; d < pes; ++d)
            for (std::uint32_t x = 0; x < n; ++x) {
              if (!stages.output && x != cube.digit(d, 0)) continue;
              if (walk(cube, stages, fault, s, cube.tag(d, x), 0).met != routing.is_cut(s, d, x))
                FAIL("from " << s << " to " << d << " by " << x);
            }
          const std::uint32_t mask = broadcast_mask(cube, stages);
          for (std::uint32_t x = 0; x < n && stages.output; ++x)
            if (walk(cube, stages, fault, s, cube.tag(0, x), mask).met !=
                routing.is_cut(s, 0, x, pes - 1))
              FAIL("broadcast from " << s << " by " << x);
        }
      }
  }
}

TEST_CASE("with several faults tags and broadcasts reach what a way leads to", "[esc][faults]") {
  Random rng(muster_seed());
  std::size_t several = 0;
  for (const auto& [pes, n] : {std::pair{8u, 2u}, {16u, 4u}, {8u, 8u}, {64u, 2u}, {64u, 4u}}) {
    const Cube cube(pes, n);
    for (unsigned trial = 0; trial < 60; ++trial) {
      const auto faults = some_faults(cube, 2 + rng.below(pes), rng);
      const OuterStages& stages = kSettings[rng.below(3)];
      const FaultRouting routing(cube, stages, faults);
      CAPTURE(pes, n, trial, faults.size(), stages.input, stages.output);
      std::uint64_t pairs = 0;
      for (std::uint32_t s = 0; s < pes; ++s) {
        std::vector<std::uint32_t> to, by_broadcast;
        for (std::uint32_t d = 0; d < pes; ++d)
          if (routing.output(s, d, cube.digit(s, 0))) to.push_back(d);
        pairs += to.size();
        const auto packets = routing.broadcast(s);
        several += packets.size() > 1;
        for (const Broadcast& packet : packets) {
          Walk tree;
          for (const Fault& fault : faults) {
            tree = walk(cube, stages, fault, s, packet.tag, packet.mask);
            REQUIRE_FALSE(tree.met);
          }
          by_broadcast.insert(by_broadcast.end(), tree.reached.begin(), tree.reached.end());
        }
        std::ranges::sort(by_broadcast);
        REQUIRE(by_broadcast == to);
      }
      REQUIRE(pairs == connected_pairs(cube, stages, faults));
    }
  }
  CHECK(several > 100);
}

TEST_CASE("a packet keeps the output it asks for unless a fault is on that way", "[esc][faults]") {
  const Cube cube(64, 4);
  // Box 2 of stage 1 has the links 2, 6, 10, 14: digit 0 is 2, digit 2 is 0.
  const std::vector faults = {fault_named("box:1:2")};
  const FaultRouting routing(cube, {.input = true, .output = true}, faults);
  for (std::uint32_t s = 0; s < 64; ++s)
    for (std::uint32_t d = 0; d < 64; ++d)
      for (std::uint32_t wanted = 0; wanted < 4; ++wanted) {
        const bool cut = d < 16 && wanted == 2;
        CHECK((routing.output(s, d, wanted) == wanted) != cut);
        const auto kept = routing.output(s, d, wanted, true);
        CHECK((cut ? kept == 1u || kept == 3u : kept == wanted));
      }
  const std::vector more = {fault_named("box:1:2"), fault_named("box:1:3"),
                            fault_named("link:3:5")};
  const FaultRouting fewer(cube, {.input = true, .output = true}, more);
  CHECK(fewer.output(0, 0, 2, true) == 1u);  // 3 is faulty, 0 is kept while 1 is whole
  CHECK(fewer.output(5, 0, 2, true) == 0u);  // 1 is faulty on the first link
  CHECK(fewer.output(5, 0, 2) == 0u);
  CHECK(fewer.output(5, 16, 1, true) != 0u);
}

TEST_CASE("what avoids a fault is spread evenly over the other ways", "[esc][faults]") {
  for (const auto& [pes, n] : {Size{64, 4}, {256, 4}, {512, 8}})
    for (const char* text : {"box:1:2", "box:1:0", "link:1:2", "link:2:5"}) {
      const Cube cube(pes, n);
      const Fault fault = fault_named(text);
      const FaultRouting routing(cube, {.input = true, .output = true}, std::vector{fault});
      const std::uint32_t f =
          cube.digit(fault.kind == FaultKind::kBox ? cube.link(1, fault.index, 0) : fault.index, 0);
      std::vector<double> taken(n);
      double cut = 0;
      for (std::uint32_t s = 0; s < pes; ++s)
        for (std::uint32_t d = 0; d < pes; ++d) {
          if (!routing.is_cut(s, d, f)) continue;
          ++taken[*routing.output(s, d, f)];
          ++cut;
        }
      CAPTURE(pes, n, text, cut);
      for (std::uint32_t x = 0; x < n; ++x)
        CHECK(taken[x] == Approx(x == f ? 0 : cut / (n - 1)).epsilon(0.05));
    }
}

TEST_CASE("a fault is written as kind, stage and number", "[esc][faults]") {
  const Cube cube(64, 4);
  CHECK(all_faults(cube).size() == 4 * 16 + 5 * 64 + 2 * 64);
  for (const Fault& fault : all_faults(cube)) {
    CHECK(fault_named(fault_text(fault)) == fault);
    CHECK_NOTHROW(require_exists(cube, fault));
  }
  for (const char* text : {"", "box", "box:", "box:1", "box:1:", "box::1", "box:1:2:3", "box:1:2 ",
                           "Box:1:2", "link:-1:2", "wire:1:2", "bypass:0:99999999999", "box:1:x"})
    CHECK_THROWS_AS(fault_named(text), InputError);
  for (const char* text : {"box:4:0", "box:0:16", "link:5:0", "link:0:64", "bypass:1:0",
                           "bypass:0:64", "box:4294967295:0", "link:4294967295:0"})
    CHECK_THROWS_AS(require_exists(cube, fault_named(text)), InputError);
}

void sweep_golden(std::uint32_t pes, std::uint32_t n, std::size_t at_most) {
  Random rng(muster_seed());
  sweep_faults(golden_boxes(), {.size = n, .depth = 4}, pes,
               some_faults(Cube(pes, n), at_most, rng));
}

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
  CHECK_THAT(refusal(spec), Contains("PE 0 takes"));
  spec.hot = 7;
  CHECK(refusal(spec).empty());
}

TEST_CASE("a rate beyond what a fault leaves is a warning", "[esc][faults]") {
  Spec spec = with_faults(small_spec(64, 4, "bypass"), {"box:1:3"});
  spec.rate = 0.75;
  CHECK(capacity_warning(spec).empty());
  spec.rate = 0.76;
  CHECK_THAT(capacity_warning(spec), Contains("around the faults (0.750)"));
  for (const char* fault : {"box:3:3", "box:0:3", "bypass:3:3", "bypass:0:3"}) {
    spec.faults = {fault_named(fault)};
    CHECK(capacity_warning(spec).empty());
  }
}

}  // namespace
