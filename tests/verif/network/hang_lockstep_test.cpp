// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "core/borrowed.hpp"
#include "fabric/configurations.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

using namespace muster;

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
  spec.parts.make<btin::Spec>().reflect = fault.reflect;
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
