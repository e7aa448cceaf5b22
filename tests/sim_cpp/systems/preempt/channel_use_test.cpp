// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/channel_use.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "muster/topology/generate.hpp"

namespace muster::preempt {
namespace {

using Catch::Matchers::WithinAbs;
using core::Flit;

TEST_CASE("shares of a link's time, and the time of a preemption", "[workload][bsr]") {
  const topology::Graph graph = topology::generate_mesh(2, 1);
  const fabric::Layout layout(graph);
  ChannelUse use(layout, 2, 2, false);
  CHECK(use.model().hops == 0);
  CHECK_FALSE(use.model().preemption_cycles);

  // Link 0 joins the switches: a packet owns channel 1 from cycle 10 on, has no credit from its
  // second flit in 14 on, and one again 2 cycles after 22. A message cuts the channel in 30.
  std::map<std::uint64_t, Flit> flits;
  flits[10] = {.vc = 1, .kind = Flit::kHead};
  flits[14] = {.vc = 1};
  flits[30] = control_flit({false, 1});
  flits[33] = {.vc = 1, .kind = Flit::kFirst};
  flits[40] = {.vc = 1, .kind = Flit::kTail};
  flits[50] = {.vc = 0, .kind = Flit::kFirst};
  for (std::uint64_t cycle = 1; cycle < 60; ++cycle) {
    std::vector<core::FlitEvent> events;
    if (flits.count(cycle)) events.push_back({0, flits[cycle]});
    events.push_back({layout.into_node(0), {.kind = Flit::kFirst}});  // no link between switches
    std::vector<core::CreditEvent> credits;
    if (cycle == 22) credits.push_back({0, 0b110});
    use.observe(cycle, events, credits);
  }
  const Model m = use.model();
  CHECK(m.hops == 2);
  CHECK_THAT(m.occupied, WithinAbs(30.0 / (50 * 2), 1e-9));
  CHECK_THAT(*m.blocked, WithinAbs(10.0 / 30, 1e-9));
  CHECK_THAT(*m.blocked_cycles, WithinAbs(5, 1e-9));
  CHECK_THAT(m.cut, WithinAbs(0.5, 1e-9));
  CHECK_THAT(*m.preemption_cycles, WithinAbs(3, 1e-9));
}

}  // namespace
}  // namespace muster::preempt
