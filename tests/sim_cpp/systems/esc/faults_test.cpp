// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/faults.hpp"

#include <set>

#include "sim_cpp/systems/esc/esc_fixture.hpp"

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

}  // namespace

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
  const auto setting = [&](const std::string& fault, const OuterStages& preferred = {}) {
    const OuterStages stages = choose_stages(cube, std::vector{fault_named(fault)}, preferred);
    return std::pair(stages.input, stages.output);
  };
  const OuterStages both{.input = true, .output = true};
  const std::pair normal{false, true}, enabled{true, true}, late{true, false};
  CHECK(setting("box:3:5") == normal);
  CHECK(setting("link:4:63") == normal);
  CHECK(setting("bypass:0:63") == normal);
  CHECK(setting("box:2:0") == enabled);
  CHECK(setting("box:1:15") == enabled);
  CHECK(setting("link:3:0") == enabled);
  CHECK(setting("link:2:9") == enabled);
  CHECK(setting("link:1:9") == enabled);
  CHECK(setting("bypass:3:9") == enabled);
  CHECK(setting("box:0:5") == late);
  CHECK(setting("link:0:63") == late);
  CHECK(setting("box:3:5", both) == normal);
  CHECK(setting("link:4:5", both) == normal);
  CHECK(setting("box:1:5", both) == enabled);
  CHECK(setting("bypass:0:5", both) == enabled);
  CHECK(setting("box:0:5", both) == late);
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
        std::sort(by_broadcast.begin(), by_broadcast.end());
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
