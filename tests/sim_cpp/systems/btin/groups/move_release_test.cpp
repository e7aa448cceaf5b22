// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/btin/groups/change_bench.hpp"

namespace muster::btin {
namespace {

/// One switch with one register, which the first of two groups has.
struct OneRegister : GroupNetwork {
  Program program;

  OneRegister() : GroupNetwork(four(), 1, true, true, 500) {
    manager->use(program);
    for (const std::uint32_t gid : {0u, 1u}) {
      const std::vector<NodeId> members{2 * gid, 2 * gid + 1};
      for (const NodeId n : members) program.groups[gid].left[n] = 0;
      manager->create(now(), gid, members, {false, fabric::ReduceOp::kOr, true});
      REQUIRE(settle());
    }
  }
  static topology::Graph four() {
    topology::Graph graph;
    graph.add_switch(4);
    for (std::uint32_t port = 0; port < 4; ++port) graph.add_node({0, port});
    return graph;
  }
  std::uint32_t holder() { return read(0, regs::control(0)) & 0xfff; }
};

TEST_CASE("a group that has been created without register gets that of an idle one",
          "[groups][moves]") {
  OneRegister net;
  CHECK(net.holder() == 0);
  REQUIRE(net.spill->find(0, 1) != nullptr);
  for (int i = 0; i < 5000 && (net.manager->keepers_wanted() || net.manager->changing()); ++i)
    net.network->engine().step();
  CHECK(net.holder() == 1);
  CHECK(net.spill->find(0, 1) == nullptr);
  REQUIRE(net.spill->find(0, 0) != nullptr);
  CHECK(net.spill->find(0, 0)->at_rest());
  REQUIRE(net.program.records.size() == 2);
  CHECK(net.manager->moves_refused() == 0);
}

TEST_CASE("a release in the middle of a move leaves nothing, whenever it comes",
          "[groups][moves]") {
  std::uint32_t during = 0;
  for (int delay = 0; delay < 400; delay += 7) {
    CAPTURE(delay);
    OneRegister net;
    for (int i = 0; i < delay; ++i) net.network->engine().step();
    during += net.manager->changing();
    for (const std::uint32_t gid : {0u, 1u}) net.manager->release(net.now(), gid);
    REQUIRE(net.settle());
    for (int i = 0; i < 5000 && net.manager->changing(); ++i) net.network->engine().step();
    CHECK_FALSE(net.manager->changing());
    REQUIRE(net.drain());
    CHECK(net.used_words() == 0);
    CHECK(net.spill->held() == 0);
    for (const std::uint32_t gid : {0u, 1u})
      CHECK(net.manager->group(gid).verdict.kind == Verdict::Kind::kGone);
  }
  CHECK(during > 10);
}

}  // namespace
}  // namespace muster::btin
