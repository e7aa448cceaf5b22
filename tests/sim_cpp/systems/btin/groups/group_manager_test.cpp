// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "support/random.hpp"

namespace muster::btin {
namespace {

TEST_CASE("a switch without permit for its nodes refuses, and nothing is left", "[groups]") {
  GroupNetwork net(figure1_graph(), 4);
  net.network->switches().write_register(6, regs::kPermits, 0);
  net.create(5, paper_group(net.graph));
  CHECK(net.manager->group(5).verdict.reason == Outcome::kNoPermit);
  CHECK(net.manager->group(5).verdict.sw == 6);
  net.check_empty();
}

TEST_CASE("an identifier in use is refused, also to members elsewhere", "[groups]") {
  GroupNetwork net(figure1_graph(), 4);
  net.create(5, {0, 1, 2});
  const std::uint32_t used = net.used_words();
  // Another creator, whose switch has never heard of the group.
  net.create(5, {20, 22});
  CHECK(net.manager->group(5).verdict.reason == Outcome::kIdInUse);
  REQUIRE(net.drain());
  CHECK(net.used_words() == used);
}

TEST_CASE("random groups on random networks live, are refused and go without a trace",
          "[groups][random]") {
  Random rng(muster_seed(), 77);
  std::uint32_t refused = 0, alive = 0;
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(trial);
    GroupNetwork net(random_network(rng), 1 + rng.below(3));
    constexpr std::uint32_t kGroups = 5;
    for (std::uint32_t gid = 0; gid < kGroups; ++gid) {
      const std::vector<NodeId> members = sorted_group(net.graph, rng);
      net.manager->create(net.now(), gid, members, {rng.below(2) == 0});
      net.run(rng.below(200));
    }
    REQUIRE(net.settle());
    for (std::uint32_t gid = 0; gid < kGroups; ++gid) {
      if (!net.alive(gid)) {
        CHECK(net.manager->group(gid).verdict.reason == Outcome::kNoRegister);
        ++refused;
        continue;
      }
      ++alive;
      net.manager->release(net.now(), gid);
    }
    REQUIRE(net.settle());
    net.check_empty();
    for (SwitchId s = 0; s < net.graph.switches(); ++s) {
      CHECK(net.read(s, regs::kDrops) == 0);
      CHECK(regs::kAgentDropsWhat.of(net.read(s, regs::kAgentDrops)) == 0);  // busy may be
    }
  }
  CHECK(refused > 10);
  CHECK(alive > 10);
}

TEST_CASE("a register write from any node of another switch changes nothing and is counted",
          "[groups][isolation]") {
  GroupNetwork net(figure1_graph(), 4, false);
  net.create(5, paper_group(net.graph));
  REQUIRE(net.drain());
  const auto state = [&](SwitchId s) {
    std::vector<std::uint32_t> words{net.read(s, regs::kHold), net.read(s, regs::kPermits)};
    for (std::uint32_t address = 0x100; address < 0x140; ++address)
      words.push_back(net.read(s, address));
    return words;
  };
  for (NodeId n = 0; n < net.graph.nodes(); ++n)
    for (SwitchId s = 0; s < net.graph.switches(); ++s) {
      if (net.graph.node(n).at.sw == s) continue;
      const auto before = state(s);
      fabric::RegisterAccess access{.destination = net.graph.nodes() + s,
                                    .source = n,
                                    .write = true,
                                    .address = regs::control(0)};
      access.old = net.read(s, access.address);
      net.network->endpoints().send_packet(n, fabric::register_request(access, 0));
      net.run(400);
      REQUIRE(net.drain());
      CHECK(state(s) == before);
    }
  for (SwitchId s = 0; s < net.graph.switches(); ++s) {
    const std::uint32_t drops = net.read(s, regs::kAgentDrops);
    CHECK(regs::kDropsCount.of(drops) > 0);
    CHECK(regs::kAgentDropsWhat.of(drops) ==
          2);  // the first was refused, and came from another switch
    CHECK(net.graph.peer(s, regs::kDropsPort.of(drops)).kind != topology::Peer::Kind::kNode);
  }
}

}  // namespace

}  // namespace muster::btin
