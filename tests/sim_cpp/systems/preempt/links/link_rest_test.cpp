// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/link_rest.hpp"

#include <catch2/catch.hpp>

#include "muster/fabric/link_control.hpp"

namespace muster::preempt {
namespace {

/// Two switches, link 0 of latency 3 between them, link 1 of latency 1.
struct Bench {
  topology::Graph graph;
  fabric::Layout layout{make(graph)};
  LinkRest rest{layout, 0};
  std::uint64_t cycle = 0;

  static const topology::Graph& make(topology::Graph& g) {
    g.add_switch(3);
    g.add_switch(3);
    g.add_link({0, 0}, {1, 0}, 3);
    g.add_link({0, 1}, {1, 1});
    return g;
  }
  void flit(core::ChannelId channel, const core::Flit& flit) {
    const core::FlitEvent event{channel, flit};
    rest.observe(cycle++, {&event, 1}, {});
  }
  void credit(core::ChannelId channel) {
    const core::CreditEvent event{channel, 1};
    rest.observe(cycle++, {}, {&event, 1});
  }
  /// Cycles until it is at rest.
  std::uint64_t waits() {
    const std::uint64_t start = cycle;
    while (!rest.at_rest(cycle) && cycle < start + 100) rest.observe(cycle++, {}, {});
    return cycle - start;
  }
};

core::Flit body() {
  core::Flit flit;
  flit.kind = 0;
  return flit;
}

TEST_CASE("a link is at rest when its last flit or credit has come through it",
          "[preempt][links]") {
  Bench b;
  b.rest.watch(b.cycle, {{0, 0}, {1, 0}, 0});
  CHECK(b.waits() == 5);
  for (const core::ChannelId own : {0, 1}) {
    b.flit(own, body());
    CHECK_FALSE(b.rest.at_rest(b.cycle));
    CHECK(b.waits() == 4);
    b.credit(own);
    CHECK(b.waits() == 4);
  }
  b.flit(2, body());  // another link's
  b.credit(3);
  CHECK(b.waits() == 0);
}

TEST_CASE("a link with a channel that is cut is not at rest", "[preempt][links]") {
  Bench b;
  b.flit(1, fabric::control_flit({false, 1}));  // before watch() is called for the link
  b.flit(3, fabric::control_flit({false, 0}));
  b.rest.watch(b.cycle, {{0, 0}, {1, 0}, 0});
  CHECK(b.waits() == 100);
  b.flit(1, fabric::control_flit({true, 1}));
  CHECK(b.waits() == 4);
}

}  // namespace
}  // namespace muster::preempt
