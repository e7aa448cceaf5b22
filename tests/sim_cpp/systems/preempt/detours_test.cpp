// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/preempt/link_runs.hpp"

namespace muster::run {

/// docs/systems/bsr-tree.md, Congested and dead links: what a switch does by itself.
namespace {

using test::kBsrSchemes;
using test::Subject;
using test::twin_links;

/// 60 barriers of all nodes among packets of 40 flits.
RunSpec among_data(const Subject& subject, const std::string& scheme, double load) {
  RunSpec spec = subject.by(scheme, {"all"});
  spec.barriers = 60;
  spec.load_flits = load * subject.route_bound();
  spec.packet_length = 40;
  return spec;
}

std::uint64_t detours(const RunSpec& spec) {
  return own<preempt::Cost>(test::passes(spec)).detours;
}

TEST_CASE("later messages avoid a congested link that their mask allows",
          "[workload][preempt][links]") {
  const Subject twins(twin_links()), mesh(topology::generate_mesh(4, 2));
  for (const char* scheme : kBsrSchemes) {
    CAPTURE(scheme);
    // Packets take the lower link alone, so with both channels of it full the other is free.
    CHECK(detours(among_data(twins, scheme, 1.2)) > 20);
    CHECK(detours(among_data(mesh, scheme, 1.2)) == 0);  // masks of one bit
    RunSpec held = among_data(twins, scheme, 0.0);
    held.congestion = CongestionSpec{2, 60};
    CHECK_NOTHROW(detours(held));
  }
}

TEST_CASE("a dead link that is not the deterministic one leaves the masks at once, no group waits",
          "[workload][preempt][links]") {
  const Subject twins(twin_links());
  const fabric::Layout layout(twins.graph);
  for (const char* scheme : kBsrSchemes)
    for (const double load : {0.0, 0.8}) {
      CAPTURE(scheme, load);
      RunSpec spec = among_data(twins, scheme, load);
      spec.killed = {{{0, 1}, {1, 1}, 1000}};
      test::LastFlit last(layout, spec.killed[0]);
      spec.observers.push_back(test::kept(last));
      const RunResult result = test::passes(spec);
      const LinkResult& link = result.links[0];
      CHECK(link.narrowed == 10);  // 4 nodes and a switch on each side
      CHECK(link.entries == 10);   // and that is all
      CHECK(link.acyclic);
      CHECK_FALSE(link.quiesced);
      CHECK_FALSE(link.groups_held);
      CHECK(link.routed - link.link.cycle < 10);
      CHECK(last.last < link.out);
      if (load > 0.0) CHECK(last.last > 100);  // it was used before
      CHECK(link.out > 0);
    }
}

TEST_CASE("a dead link that is the deterministic one is left with packets held, barriers go on",
          "[workload][preempt][links]") {
  const Subject twins(twin_links());
  for (const char* scheme : kBsrSchemes) {
    CAPTURE(scheme);
    RunSpec spec = among_data(twins, scheme, 0.8);
    spec.killed = {{{0, 0}, {1, 0}, 1000}};
    const RunResult result = test::passes(spec);
    const LinkResult& link = result.links[0];
    CHECK(link.narrowed == 0);
    CHECK(link.entries == 10);
    CHECK(link.quiesced);
    CHECK_FALSE(link.groups_held);
    CHECK(link.empty > link.link.cycle);
    CHECK(link.out > link.routed);
  }
}

TEST_CASE("on a mesh groups with other ways stand between two barriers while tables are written",
          "[workload][preempt][links]") {
  const Subject mesh(topology::generate_mesh(4, 4));
  for (const char* scheme : kBsrSchemes) {
    std::size_t held = 0;
    for (std::size_t l = 0; l < mesh.graph.links().size(); l += 3) {
      CAPTURE(scheme, l);
      RunSpec spec = mesh.by(scheme, {"n0,n3,n9,n14", "n5,n6"});
      spec.barriers = 60;
      spec.load_flits = 0.2 * mesh.route_bound();
      spec.killed = {{mesh.graph.links()[l].a, mesh.graph.links()[l].b, 1000}};
      const RunResult result = test::passes(spec);
      CHECK(result.links[0].quiesced);
      const auto& changes = own<preempt::Cost>(result).changes;
      CHECK(result.links[0].groups_held == (!changes.empty() && !result.links[0].acyclic));
      if (!result.links[0].groups_held) continue;
      // No member has arrived at a barrier between the last on old ways and the new tables.
      for (const preempt::Change& change : changes)
        CHECK(change.confirmed <= result.links[0].routed + 10);
      held += changes.size();
    }
    CHECK(held > 2);
  }
}

TEST_CASE("a link that dies in silence is found by the watchdog: no switch sees it",
          "[workload][preempt][links]") {
  const Subject twins(twin_links());
  RunSpec spec = among_data(twins, "bsr-1", 0.0);
  spec.max_wait = 3000;
  const fabric::Layout layout(twins.graph);
  for (core::ChannelId c = 0; c < 2; ++c) spec.stopped.push_back({c, 1000});
  const RunResult result = run_barriers(spec);
  CHECK(result.end == End::kHang);
  CHECK_THAT(test::breach_of(result), Catch::Contains("makes no progress"));
}

/// docs/systems/bsr-tree.md, Congested and dead links: random networks, groups, data and links.
TEST_CASE("random links die on random networks under load", "[workload][preempt][links][random]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t out = 0, changed = 0, untouched = 0, narrowed = 0, held = 0, quiesced = 0,
                detours = 0;
  for (std::uint64_t index = 0; index < 60; ++index) {
    test::RandomLinks random(seed, index, 25);
    CAPTURE(seed, index, random.text());
    const RunResult result = test::completes(random.spec);
    const auto& cost = own<preempt::Cost>(result);
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
