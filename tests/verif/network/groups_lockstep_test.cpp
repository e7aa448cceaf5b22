// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

using namespace muster;

TEST_CASE("groups are set up by messages and combine data in lockstep with the RTL",
          "[network][groups]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t index = 0; index < fabric::kReduceOps.size(); ++index) {
    test::RandomRun run(seed + 60, index, 6);
    CAPTURE(seed, index, run.text());
    run.spec.config = run::configuration("sw8");
    run::own<btin::Spec>(run.spec).op = fabric::kReduceOps[index].op;
    run::own<btin::Spec>(run.spec).in_band = true;
    run.spec.split = 50 * (index % 2);
    run.spec.load_flits = 0.3 * run.spec.load_flits;
    test::on_engines(run.spec, {"golden", "lockstep"});
  }
}

TEST_CASE("members join and leave and links are taken out in lockstep with the RTL, under load",
          "[network][change]") {
  const std::uint64_t seed = muster_seed();
  std::size_t changes = 0, written = 0;
  for (std::uint64_t index = 0; index < 5; ++index) {
    test::RandomRun run(seed + 90, index, 16);
    Rng rng(seed, 1800 + index);
    test::add_random_changes(run.spec, rng, 2);
    CAPTURE(seed, index, run.text());
    run.spec.config = run::configuration("sw8");
    run::own<btin::Spec>(run.spec).op = fabric::kReduceOps[index].op;
    run.spec.load_flits *= 0.3;
    test::on_engines(run.spec, [&](const run::RunResult& result) {
      for (const auto& c : run::own<btin::Result>(result).changes) changes += c.refused.empty();
      for (const auto& l : result.links) written += l.entries;
    });
  }
  CHECK(changes > 10);
  CHECK(written > 100);
}

namespace {

/// The same run on golden and in lockstep; the latter.
template <class Specify>
run::RunResult on_both(Specify&& specify) {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = specify(subject);
  run::own<btin::Spec>(spec).spill = true;
  return test::on_engines(spec, {"golden", "lockstep"});
}

}  // namespace

TEST_CASE("256 groups live at once on switches with 4 registers, in lockstep under load",
          "[network][spill]") {
  const std::uint64_t seed = muster_seed();
  for (const bool reflect : {false, true}) {
    CAPTURE(seed, reflect);
    const run::RunResult result = on_both([&](const test::Subject& subject) {
      run::RunSpec spec = subject.spec(std::vector<std::string>(256, "random:3"), seed);
      spec.config = run::configuration("sw8");
      run::own<btin::Spec>(spec).reflect = reflect;
      spec.barriers = 2;
      spec.load_flits = 0.3 * subject.route_bound();
      return spec;
    });
    REQUIRE(run::own<btin::Result>(result).spill);
    CHECK(result.barriers.size() == 512);
    CHECK(run::own<btin::Result>(result).spill->spilled_barriers > 450);
    CHECK(run::own<btin::Result>(result).spill->dropped == 0);
  }
}

TEST_CASE("one switch has 256 groups at once, 4 of them in its registers, in lockstep under load",
          "[network][spill]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const run::RunResult result = on_both([&](const test::Subject& subject) {
    std::vector<std::string> groups;
    for (int g = 0; g < 256; ++g)  // two or three of its four nodes: one switch is the whole tree
      groups.push_back(g % 3 == 0 ? "3:4,3:6" : g % 3 == 1 ? "3:5,3:7" : "3:4,3:5,3:7");
    run::RunSpec spec = subject.spec(groups, seed);
    spec.config = run::configuration("sw8");
    spec.barriers = 2;
    spec.load_flits = 0.3 * subject.route_bound();
    return spec;
  });
  std::size_t here = 0, spilled = 0;
  for (const btin::RegisterSlot& r : run::own<btin::Result>(result).registers) {
    here += r.image.sw == 3;
    spilled += r.image.sw == 3 && r.spilled;
  }
  CHECK(here == 256);
  CHECK(spilled == 252);
  CHECK(result.barriers.size() == 512);
  CHECK(run::own<btin::Result>(result).spill->spilled_barriers == 504);
}

TEST_CASE("groups created in band are spilled, combine data and are released in lockstep",
          "[network][spill][groups]") {
  const std::uint64_t seed = muster_seed();
  for (std::size_t op = 0; op < fabric::kReduceOps.size(); ++op) {
    CAPTURE(seed, op);
    const run::RunResult result = on_both([&](const test::Subject& subject) {
      run::RunSpec spec = subject.spec(std::vector<std::string>(10, "random:5"), seed + op);
      spec.config = run::configuration(op % 2 == 0 ? "sw8" : "sw8s");
      run::own<btin::Spec>(spec).in_band = true;
      run::own<btin::Spec>(spec).op = fabric::kReduceOps[op].op;
      run::own<btin::Spec>(spec).reflect = op % 3 == 0;
      spec.split = 40;
      spec.barriers = 4;
      spec.load_flits = 0.2 * subject.route_bound();
      return spec;
    });
    CHECK(run::own<btin::Result>(result).spill->spilled_barriers > 0);
    CHECK(run::own<btin::Result>(result).times.size() == 10);
  }
}

TEST_CASE("groups move between register and memory, change and lose packets of theirs in lockstep",
          "[network][spill][groups][moves][loss]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint32_t variant = 0; variant < 4; ++variant) {
    CAPTURE(seed, variant);
    Rng rng(seed, 3100 + variant);
    const test::PhasedArrivals arrivals = test::random_phases(rng, 12, 10, 5000);
    const run::RunResult result = on_both([&](const test::Subject& subject) {
      run::RunSpec spec = subject.spec(std::vector<std::string>(12, "random:5"), seed + variant);
      spec.config = run::configuration("sw8");
      spec.barriers = 10;
      spec.arrivals = core::borrowed(static_cast<const run::Arrivals&>(arrivals));
      spec.load_flits = 0.2 * subject.route_bound();
      btin::Spec& choice = run::own<btin::Spec>(spec);
      choice.reflect = variant % 2 == 0;
      choice.op = fabric::kReduceOps[variant].op;
      Rng changes(seed, variant);
      if (variant > 1) test::add_random_changes(spec, changes, 1);
      choice.in_band = true;
      choice.evict_after = 400;
      choice.setup_drop = variant % 2 == 0 ? 0.05 : 0.0;
      return spec;
    });
    const auto own = run::own<btin::Result>(result);
    CHECK(own.moves.size() > 4);
    CHECK(own.spill->dropped == 0);
    CHECK((own.lost_packets != 0) == (variant % 2 == 0));
    CHECK((own.changes.empty() || variant > 1));
  }
}

TEST_CASE("more groups than registers on random networks agree with golden", "[network][spill]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t spilled = 0;
  for (std::uint64_t i = 0; i < 10; ++i) {
    test::RandomRun run(seed + 4, i, 10);
    run.spill(16, seed + i);
    run.spec.config = run::configuration("sw8");  // 4 registers: perhaps too few
    while (test::RandomRun::refused(run.spec)) run.spec.groups.pop_back();
    run.spec.barriers = 2;
    run.spec.load_flits *= run.load > 0.4 ? 0.4 / run.load : 1.0;
    CAPTURE(seed, i, run.text());
    const run::RunResult result = test::on_engines(run.spec, {"lockstep"});
    spilled += run::own<btin::Result>(result).spill->spilled_barriers;
  }
  CHECK(spilled > 50);
}
