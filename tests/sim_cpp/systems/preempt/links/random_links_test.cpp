// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/preempt/links/random_links.hpp"

#include <catch2/catch.hpp>

#include "muster/systems/preempt.hpp"
#include "support/seed.hpp"

/// docs/systems/bsr-tree.md, Congested and dead links: random networks, groups, data and links.

namespace muster::run {
namespace {

TEST_CASE("random links die on random networks under load", "[workload][preempt][links][random]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t out = 0, changed = 0, untouched = 0, narrowed = 0, held = 0, quiesced = 0,
                detours = 0;
  for (std::uint64_t index = 0; index < 60; ++index) {
    test::RandomLinks random(seed, index, 25);
    CAPTURE(seed, index, random.text());
    const RunResult result = run_barriers(random.spec);
    CHECK(result.violations == std::vector<std::string>{});
    CHECK(result.barriers.size() == std::size_t{random.spec.barriers} * random.spec.groups.size());
    const auto& cost = result.parts.get<preempt::Cost>();
    changed += cost.changes.size();
    untouched += random.spec.groups.size() * result.links.size() - cost.changes.size();
    detours += cost.detours;
    for (const LinkResult& link : result.links) {
      CHECK(link.out > link.link.cycle);
      out += link.out != 0;
      narrowed += link.narrowed;
      held += link.groups_held;
      quiesced += link.quiesced;
    }
  }
  CHECK(out > 60);
  CHECK(changed > 40);
  CHECK(untouched > 10);
  CHECK(narrowed > 10);
  CHECK(held > 5);
  CHECK(quiesced > 20);
  CHECK(detours > 20);
}

}  // namespace
}  // namespace muster::run
