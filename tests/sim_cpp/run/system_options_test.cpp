// SPDX-License-Identifier: Apache-2.0
// What only one system has, set and read with public headers only.
#include <catch2/catch.hpp>
#include <memory>

#include "muster/core/error.hpp"
#include "muster/result.hpp"
#include "muster/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/systems/nic.hpp"
#include "muster/systems/preempt.hpp"
#include "muster/topology.hpp"

namespace muster::run {
namespace {

RunSpec on_mesh(const char* scheme) {
  RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(3, 3));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", 1)}};
  spec.scheme = scheme;
  return spec;
}

TEST_CASE("a program sets what barrier trees offer and reads their result", "[run][spec]") {
  RunSpec spec = on_mesh("btin");
  spec.parts.set(btin::Spec{.in_band = true, .requests = {{.node = 8, .barrier = 2}}});
  const RunResult result = run_barriers(spec);
  CHECK(result.violations.empty());
  const auto* own = result.parts.find<btin::Result>();
  REQUIRE(own != nullptr);
  CHECK(own->times.at(0).creation_cycles > 0);
  REQUIRE(own->changes.size() == 1);
  CHECK(own->changes[0].record.left == std::vector<topology::NodeId>{8});
  CHECK(own->spilled_switches(0).empty());
}

TEST_CASE("a program sets what preempting switches offer and reads their cost", "[run][spec]") {
  RunSpec spec = on_mesh("bsr-2");
  spec.load_flits = 0.2;
  CHECK(run_barriers(spec).parts.get<preempt::Cost>().padding_flits > 0);
  spec.parts.set(preempt::Spec{.padding = false});
  CHECK(run_barriers(spec).parts.get<preempt::Cost>().padding_flits == 0);
}

TEST_CASE("a program sets what NICs offer and reads their cost", "[run][spec]") {
  RunSpec spec = on_mesh("nic-dissemination");
  spec.parts.set(nic::NicSpec{.timeout = 5000, .faults = nic::FaultRates{.drop = 0.1}});
  const auto cost = run_barriers(spec).parts.get<nic::NicCost>();
  CHECK(cost.timeout == 5000);
  CHECK(cost.faults.dropped > 0);
  CHECK(cost.nacks > 0);
}

TEST_CASE("what only another system has is refused", "[run][spec]") {
  RunSpec spec = on_mesh("btin");
  spec.parts.set(preempt::Spec{});
  CHECK_THROWS_WITH(run_barriers(spec), "preempt::Spec: scheme 'btin' has no preempting switches");
  spec = on_mesh("btin");
  spec.parts.set(nic::NicSpec{});
  CHECK_THROWS_WITH(run_barriers(spec), "nic::NicSpec: scheme 'btin' has no NICs");
  spec = on_mesh("btin");
  spec.parts.set(btin::Spec{.in_band = true, .requests = {{.group = 1, .barrier = 2}}});
  CHECK_THROWS_AS(run_barriers(spec), InputError);
}

}  // namespace
}  // namespace muster::run
