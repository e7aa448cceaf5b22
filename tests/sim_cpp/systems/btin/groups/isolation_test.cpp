// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "muster/topology/load_file.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"

namespace muster::btin {
namespace {

namespace regs = fabric::registers;

/// All that a forged message could change at a switch.
std::vector<std::uint32_t> state(GroupNetwork& net, SwitchId s) {
  std::vector<std::uint32_t> words{net.read(s, regs::kHold), net.read(s, regs::kPermits)};
  for (std::uint32_t address = 0x040; address < 0x050; ++address)
    words.push_back(net.read(s, address));
  return words;
}

struct Forger {
  GroupNetwork net{topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json"), 4, false};
  std::vector<NodeId> members;

  Forger() {
    members = net.graph.groups.at("paper");
    std::sort(members.begin(), members.end());
    net.manager->create(0, 5, members, {false});
    REQUIRE(net.settle());
    REQUIRE(net.drain());
  }
  NodeId at(SwitchId s, std::uint32_t port) const { return net.graph.node_at({s, port}).value(); }
  void write_from(NodeId node, SwitchId s, std::uint32_t address, std::uint32_t value) {
    fabric::RegisterAccess access;
    access.destination = net.graph.nodes() + s;
    access.source = node;
    access.write = true;
    access.address = address;
    access.old = net.read(s, address);
    access.value = value;
    net.network->endpoints().send_packet(node, fabric::register_request(access, 0));
    for (int i = 0; i < 400; ++i) net.network->engine().step();
    REQUIRE(net.drain());
  }
};

TEST_CASE("a register write from any node of another switch changes nothing and is counted",
          "[groups][isolation]") {
  Forger f;
  for (NodeId n = 0; n < f.net.graph.nodes(); ++n) {
    for (SwitchId s = 0; s < f.net.graph.switches(); ++s) {
      if (f.net.graph.node(n).at.sw == s) continue;
      const auto before = state(f.net, s);
      f.write_from(n, s, regs::control(0), 0);
      CHECK(state(f.net, s) == before);
    }
  }
  for (SwitchId s = 0; s < f.net.graph.switches(); ++s) {
    const std::uint32_t drops = f.net.read(s, regs::kAgentDrops);
    CHECK(regs::kDropsCount.of(drops) > 0);
    CHECK((drops >> 20 & 3) == 2);  // the first was refused, and came from another switch
    CHECK(f.net.graph.peer(s, regs::kDropsPort.of(drops)).kind != topology::Peer::Kind::kNode);
  }
}

TEST_CASE("barrier messages from nodes outside, and stale ones, change nothing and are counted",
          "[groups][isolation]") {
  Forger f;
  const fabric::Formats formats(16, 8);
  for (NodeId n = 0; n < f.net.graph.nodes(); ++n) {
    const bool member = std::binary_search(f.members.begin(), f.members.end(), n);
    const topology::PortRef at = f.net.graph.node(n).at;
    const bool root = at == topology::PortRef{3, 4};
    for (const auto type : {fabric::MessageType::kReduction, fabric::MessageType::kDistribution,
                            fabric::MessageType::kSpillPlace, fabric::MessageType::kSpillData}) {
      if (member && !root && type == fabric::MessageType::kReduction) continue;  // its arrival
      for (const std::uint32_t gid : {5u, 6u}) {
        CAPTURE(n, static_cast<int>(type), gid);
        const auto before = state(f.net, at.sw);
        f.net.network->switches().write_register(at.sw, regs::kDrops, 0);
        f.net.network->endpoints().send_sync(n, formats.barrier_flit({type, gid, {63, 0}}, 0));
        f.net.network->engine().step();
        REQUIRE(f.net.drain());
        CHECK(state(f.net, at.sw) == before);
        const std::uint32_t drops = f.net.read(at.sw, regs::kDrops);
        CHECK(regs::kDropsCount.of(drops) == 1);
        CHECK(regs::kDropsPort.of(drops) == at.port);
        CHECK((drops >> 20 & 3) == static_cast<std::uint32_t>(type));
        CHECK((drops & 0xfff) == gid);
      }
    }
  }
}

TEST_CASE("messages of a group that has been released find nothing", "[groups][isolation]") {
  Forger f;
  f.net.manager->release(f.net.now(), 5);
  REQUIRE(f.net.settle());
  REQUIRE(f.net.drain());
  const fabric::Formats formats(16, 8);
  for (const NodeId n : f.members) {
    const topology::PortRef at = f.net.graph.node(n).at;
    f.net.network->switches().write_register(at.sw, regs::kDrops, 0);
    f.net.network->endpoints().send_sync(
        n, formats.barrier_flit({fabric::MessageType::kReduction, 5, {1, 0}}, 0));
    f.net.network->engine().step();
    REQUIRE(f.net.drain());
    CHECK(f.net.read(at.sw, regs::kDrops) == (1u << 24 | at.port << 16 | 5));  // of no register
  }
  CHECK(f.net.used_words() == 0);
}

}  // namespace
}  // namespace muster::btin
