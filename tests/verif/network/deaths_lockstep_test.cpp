// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "fabric/configurations.hpp"
#include "muster/core/pointers.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

/// Networks that lose switches and nodes: golden, RTL and both together.

using namespace muster;

namespace {

/// The same on all engines: digest, and who has noticed what, when.
void same_on_all_engines(const run::RunSpec& spec) {
  run::RunResult golden;
  test::on_engines(spec, [&](const run::RunResult& result) {
    if (result.engine == "golden") golden = result;
    const run::Casualties &found = result.casualties, &wanted = golden.casualties;
    CHECK(found.detected.size() == wanted.detected.size());
    CHECK(found.packets_lost == wanted.packets_lost);
    REQUIRE(found.recovered.size() == wanted.recovered.size());
    for (std::size_t i = 0; i < found.recovered.size(); ++i)
      CHECK(found.recovered[i].recovered == wanted.recovered[i].recovered);
  });
}

}  // namespace

TEST_CASE("deaths of switches and nodes are the same on golden and RTL",
          "[network][lockstep][death]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  for (const std::uint64_t cycle : {30, 333, 500})
    for (const bool node : {false, true})
      for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
        CAPTURE(seed, cycle, node, id);
        run::RunSpec spec = test::death_spec(subject, seed);
        spec.deaths = {{.node = node, .id = id, .cycle = cycle}};
        same_on_all_engines(spec);
      }
}

TEST_CASE("groups that go on after deaths and resets are the same on golden and RTL",
          "[network][lockstep][death][retry]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  for (const bool reflect : {false, true})
    for (const run::Death death :
         {run::Death{.id = 2, .cycle = 300}, run::Death{.node = true, .id = 5, .cycle = 333},
          run::Death{.id = 1, .cycle = 350, .reset = true}}) {
      CAPTURE(seed, reflect, death.node, death.id);
      run::RunSpec spec = test::recovery_spec(subject, seed, reflect);
      spec.deaths = {death};
      same_on_all_engines(spec);
    }
}

TEST_CASE("resets of switches are the same on golden and RTL", "[network][lockstep][death]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 41);
  for (const std::uint64_t cycle : {30, 333, 500})
    for (std::uint32_t id = 0; id < 4; ++id) {
      CAPTURE(seed, cycle, id);
      run::RunSpec spec = test::death_spec(subject, seed);
      // Sessions begin in the middle of packets.
      spec.load_flits = 0.9 * subject.route_bound();
      spec.packet_length = 3 + static_cast<std::uint32_t>(rng.below(20));
      spec.deaths = {{.id = id, .cycle = cycle, .reset = true}};
      same_on_all_engines(spec);
    }
}

namespace {

/// A fault of a run on Figure 1 under load; its report reads barrier registers of switches in
/// which data move.
struct Fault {
  std::string stopped_link;  ///< as in Layout::name; empty: a member is absent instead
  bool reflect;
};

run::RunResult run(const Fault& fault, const fabric::BankFactory& engine) {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"paper"}, muster_seed());
  spec.engine = core::borrowed(engine);
  spec.config = run::configuration("sw8");
  run::own<btin::Spec>(spec).reflect = fault.reflect;
  spec.barriers = 100;
  spec.load_flits = 0.3 * subject.route_bound();
  spec.max_wait = 3000;
  spec.checkers = false;  // they would be the first to miss what a stopped link swallows
  if (fault.stopped_link.empty()) spec.absent = {{0, 5, 3}};
  const fabric::Layout layout(subject.graph);
  for (core::ChannelId c = 0; c < layout.channels().size(); ++c) {
    if (layout.name(c) == fault.stopped_link) spec.stopped = {{c, 500}};
  }
  REQUIRE(spec.absent.size() + spec.stopped.size() == 1);
  return run::run_barriers(spec);
}

/// Golden and lockstep say the same; the text.
std::string report(const Fault& fault) {
  CAPTURE(muster_seed(), fault.stopped_link, fault.reflect);
  const run::RunResult golden = run(fault, *run::make_golden_engine());
  const run::RunResult lockstep = run(fault, *verif::make_lockstep_engine());
  const run::RunResult rtl = run(fault, *verif::make_rtl_engine());
  REQUIRE(golden.violations.size() == 1);
  CHECK(lockstep.violations == golden.violations);
  CHECK(rtl.violations == golden.violations);
  CHECK(lockstep.digest == golden.digest);
  CHECK(golden.barriers.size() < 100);
  return golden.violations[0];
}

}  // namespace

TEST_CASE("a member absent under load is reported by lockstep as by golden",
          "[network][lockstep][hang]") {
  const bool reflect = GENERATE(false, true);
  CHECK_THAT(report({"", reflect}), Catch::Contains("group 'paper'") &&
                                        Catch::Contains("barrier 3 ") &&
                                        Catch::Contains("which has not arrived"));
}

TEST_CASE("a link stopped under load is reported by lockstep as by golden",
          "[network][lockstep][hang]") {
  const bool reflect = GENERATE(false, true);
  const topology::Graph graph = test::Subject::figure1().graph;
  for (const topology::Link& link : graph.links()) {
    if (link.a.sw != 4 && link.b.sw != 4) continue;
    const auto end = [](const topology::PortRef& p) {
      return std::to_string(p.sw) + ":" + std::to_string(p.port);
    };
    const topology::PortRef to = link.a.sw == 4 ? link.b : link.a;
    if (to.sw != 1) continue;  // the edge of the tree from switch 4 to its parent
    const std::string name = end(link.a.sw == 4 ? link.a : link.b) + " -> " + end(to);
    CHECK_THAT(report({name, reflect}), Catch::Contains("group 'paper'") && Catch::Contains(name));
    return;
  }
  FAIL("no link from switch 4 to switch 1");
}

/// Held links and schemes of packets on Verilated switches.
TEST_CASE("held links do the same on RTL and golden, with data and with barriers of every kind",
          "[network][lockstep][congestion]") {
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : {"tree", "star", "btin", "multicast", "bsr-1", "bsr-3"}) {
    CAPTURE(scheme);
    run::RunSpec spec = subject.spec({"paper"});
    spec.scheme = scheme;
    spec.barriers = 4;
    spec.load_flits = 0.03;
    spec.congestion = run::CongestionSpec{3, 300};
    CHECK(test::on_engines(spec).barriers.size() == 4);
  }
}
