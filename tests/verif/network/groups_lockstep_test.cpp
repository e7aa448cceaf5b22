// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/deaths/death_runs.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/all_engines.hpp"

/// More groups than registers on Figure 1, in lockstep under load.

using namespace muster;

namespace {

run::RunSpec spilling(const std::vector<std::string>& groups, std::uint64_t seed,
                      std::uint32_t barriers, const char* config) {
  run::RunSpec spec = test::figure1().spec(groups, seed);
  spec.config = run::configuration(config);
  spec.barriers = barriers;
  spec.load_flits = 0.2 * test::figure1().route_bound();
  run::own<btin::Spec>(spec).spill = true;
  return spec;
}

}  // namespace

TEST_CASE("256 groups live at once on switches with 4 registers, also at a single switch",
          "[network][lockstep][spill]") {
  // Two or three of the four nodes of switch 3, which is the whole tree.
  const char* const here[] = {"3:4,3:6", "3:5,3:7", "3:4,3:5,3:7"};
  for (const bool at_one : {false, true}) {
    CAPTURE(at_one);
    std::vector<std::string> groups;
    for (int g = 0; g < 256; ++g) groups.push_back(at_one ? here[g % 3] : "random:3");
    run::RunSpec spec = spilling(groups, muster_seed(), 2, "sw8");
    run::own<btin::Spec>(spec).reflect = !at_one;
    const run::RunResult result = test::in_lockstep(spec);
    const auto& own = run::own<btin::Result>(result);
    REQUIRE(own.spill);
    CHECK(own.spill->dropped == 0);
    CHECK(own.spill->spilled_barriers >= (at_one ? 504 : 451));
    if (at_one)
      CHECK(std::ranges::count_if(
                own.registers, [](const auto& r) { return r.image.sw == 3 && r.spilled; }) == 252);
  }
}

TEST_CASE("groups that messages create are spilled, move, change and lose packets in lockstep",
          "[network][lockstep][spill][groups][moves][loss]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint32_t variant = 0; variant < 4; ++variant) {
    CAPTURE(variant);
    Random rng(seed, 3100 + variant);
    const test::PhasedArrivals arrivals = test::random_phases(rng, 12, 10, 5000);
    run::RunSpec spec = spilling(std::vector<std::string>(12, "random:5"), seed + variant, 10,
                                 variant == 3 ? "sw8s" : "sw8");
    spec.arrivals = core::borrowed(static_cast<const run::Arrivals&>(arrivals));
    btin::Spec& choice = run::own<btin::Spec>(spec);
    choice.reflect = variant % 2 == 0;
    choice.op = fabric::kReduceOps[variant].op;
    Random changes(seed, variant);
    if (variant > 1) test::add_random_changes(spec, changes, 1);
    choice.in_band = true;
    choice.evict_after = 400;
    choice.setup_drop = variant % 2 == 0 ? 0.05 : 0.0;
    const run::RunResult result = test::on_engines(spec, {"lockstep"});
    const auto& own = run::own<btin::Result>(result);
    CHECK(own.moves.size() > 4);
    CHECK(own.spill->dropped == 0);
    CHECK((own.lost_packets != 0) == (variant % 2 == 0));
  }
}

/// Networks that lose switches, nodes and messages, in lockstep with the RTL.

TEST_CASE("deaths and resets at any switch and node agree with golden",
          "[network][lockstep][death]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  std::size_t detected = 0;
  for (const std::uint64_t cycle : {30, 333, 500})
    for (const run::Death& kind : {run::Death{}, run::Death{.node = true}, {.reset = true}})
      for (std::uint32_t id = 0; id < (kind.node ? 8u : 4u); ++id) {
        CAPTURE(cycle, kind.node, kind.reset, id);
        run::RunSpec spec = test::death_spec(subject, seed);
        spec.deaths = {kind};
        spec.deaths[0].cycle = cycle;
        spec.deaths[0].id = id;
        if (kind.reset) {  // sessions begin in the middle of packets
          Random rng(seed + cycle, id);
          spec.load_flits = 0.9 * subject.route_bound();
          spec.packet_length = 3 + rng.below(20);
        }
        detected += test::on_engines(spec, {"lockstep"}).casualties.detected.size();
      }
  CHECK(detected > 30);
}

TEST_CASE("groups that go on after deaths and resets agree with golden",
          "[network][lockstep][death][retry]") {
  const test::Subject subject{test::square()};
  for (const bool reflect : {false, true})
    for (const run::Death death :
         {run::Death{.id = 2, .cycle = 300}, run::Death{.node = true, .id = 5, .cycle = 333},
          run::Death{.id = 1, .cycle = 350, .reset = true}}) {
      CAPTURE(reflect, death.node, death.id);
      run::RunSpec spec = test::recovery_spec(subject, muster_seed(), reflect);
      spec.deaths = {death};
      CHECK_FALSE(test::on_engines(spec, {"lockstep"}).casualties.recovered.empty());
    }
}

TEST_CASE("10^5 barriers complete in lockstep at a loss of 10^-3", "[network][retry][soak]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"random:6", "random:9", "random:4"}, muster_seed());
  spec.config = run::configuration("sw8r");
  spec.barriers = 33'334;
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.retry = own.reflect = true;
  own.retries = {.period = 40, .drop = 1e-3, .duplicate = 1e-3};
  test::in_lockstep(spec);
}
