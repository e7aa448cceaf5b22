// SPDX-License-Identifier: Apache-2.0
// docs/systems/lost-messages.md
#include <catch2/catch.hpp>

#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "sim_cpp/systems/btin/groups/phased_arrivals.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/seed.hpp"
#include "systems/btin/groups/peer_channels.hpp"

namespace muster::run {
namespace {

using btin::GroupMessage;
using btin::Kind;

TEST_CASE("messages between two nodes come once and in order, whatever is lost",
          "[groups][loss][random]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(seed, trial);
    Rng rng(seed + 5, trial);
    const double loss = 0.6 * rng.uniform();
    std::vector<GroupMessage> wires[2];  // to node 0, to node 1
    std::vector<std::uint32_t> taken[2];
    const auto to = [&](std::uint32_t end) {
      return [&, end](std::vector<core::Flit> flits) {
        if (rng.uniform() >= loss) wires[end].push_back(btin::decode(flits));
      };
    };
    btin::PeerChannels ends[2] = {btin::PeerChannels(to(1)), btin::PeerChannels(to(0))};
    for (std::uint32_t i = 0; i < 50; ++i)
      for (const std::uint32_t e : {0u, 1u})
        ends[e].send({Kind::kReport, 3, e, 1 - e, {i, 1000 + e}});
    for (std::uint64_t cycle = 0; cycle < 10'000'000 && !(ends[0].done() && ends[1].done());
         cycle += 50) {
      for (const std::uint32_t e : {0u, 1u}) {
        const std::vector<GroupMessage> come = std::exchange(wires[e], {});
        for (GroupMessage m : come) {
          if (!ends[e].receive(m)) continue;
          REQUIRE(m.words.size() == 2);
          REQUIRE(m.words[1] == 1000 + (1 - e));
          taken[e].push_back(m.words[0]);
        }
        ends[e].clock(cycle);
      }
    }
    for (const std::uint32_t e : {0u, 1u}) {
      REQUIRE(taken[e].size() == 50);
      for (std::uint32_t i = 0; i < 50; ++i) CHECK(taken[e][i] == i);
    }
    CHECK(ends[0].idle());
  }
}

TEST_CASE("groups are created, moved, changed and released though packets of theirs are lost",
          "[groups][loss][random]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t lost = 0, repeated = 0;
  std::size_t moves = 0, changes = 0;
  for (std::uint64_t index = 0; index < 8; ++index) {
    test::RandomRun run(seed + 95, index, 12);
    Rng rng(seed, 2300 + index);
    const auto engine = run::make_golden_engine();
    run.spec.engine = engine;
    run.spec.load_flits = std::min(run.spec.load_flits, 0.3 * run.spec.load_flits);
    run.spec.parts.make<btin::Spec>().in_band = true;
    run.spec.parts.make<btin::Spec>().setup_drop = 0.25 * rng.uniform();
    if (index % 2 == 0) run.spill(static_cast<std::uint32_t>(3 + rng.below(8)), seed + index);
    run.spec.barriers = 12;
    const test::PhasedArrivals arrivals =
        test::random_phases(rng, run.spec.groups.size(), run.spec.barriers, 6000);
    run.spec.arrivals = core::borrowed(static_cast<const Arrivals&>(arrivals));
    if (index % 2 == 0) run.spec.parts.make<btin::Spec>().evict_after = 200 + rng.below(1000);
    if (index % 4 > 1) test::add_random_changes(run.spec, rng, 1);
    CAPTURE(seed, index, run.text(), run.spec.parts.get<btin::Spec>().setup_drop);
    const RunResult result = run_barriers(run.spec);
    CHECK(result.violations == std::vector<std::string>{});
    const auto own = result.parts.get<btin::Result>();
    lost += own.lost_packets;
    repeated += own.repeated_messages;
    moves += own.moves.size();
    changes += own.changes.size();
  }
  CAPTURE(seed);
  CHECK(lost > 500);
  CHECK(repeated > 500);
  CHECK(moves > 3);
  CHECK(changes > 3);
}

TEST_CASE("nothing is numbered, repeated or lost without the option", "[groups][loss]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.parts.make<btin::Spec>().in_band = true;
  const auto without = run_barriers(spec).parts.get<btin::Result>();
  CHECK(without.repeated_messages == 0);
  CHECK(without.lost_packets == 0);
  spec.parts.make<btin::Spec>().setup_drop = 0.1;
  const auto with = run_barriers(spec).parts.get<btin::Result>();
  CHECK(with.lost_packets > 0);
  CHECK(with.times[0].creation_cycles > without.times[0].creation_cycles);
}

}  // namespace
}  // namespace muster::run
