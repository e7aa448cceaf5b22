// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/btin/groups/group_network.hpp"

namespace muster::btin {
namespace {

/// The register image that a switch has for a group; all 0 if it has none.
RegisterImage loaded(GroupNetwork& net, SwitchId s, std::uint32_t gid, std::uint32_t registers) {
  for (std::uint32_t r = 0; r < registers; ++r) {
    const std::uint32_t control = net.read(s, regs::control(r));
    if ((control >> 31) == 0 || (control & 0xfff) != gid) continue;
    return {s, gid, (control >> 30 & 1) != 0, control >> 16 & 0xf,
            static_cast<std::uint16_t>(net.read(s, regs::children(r)))};
  }
  return {};
}

/// Every switch of the tree has its image and no other switch anything.
void check_loaded(GroupNetwork& net, const std::vector<NodeId>& members, std::uint32_t gid,
                  bool reflect, std::uint32_t registers) {
  const auto images = register_images(plan_tree(net.graph, members), gid, reflect);
  for (const RegisterImage& image : images) {
    CAPTURE(image.sw);
    CHECK(loaded(net, image.sw, gid, registers) == image);
  }
  CHECK(net.used_words() == 2 * images.size());
}

TEST_CASE("a group of Figure 1 is created and released only by messages", "[groups]") {
  const bool reflect = GENERATE(false, true);
  GroupNetwork net(figure1(), 4);
  const auto members = paper_group(net.graph);
  net.create(5, members, {reflect});
  CHECK(net.alive(5));
  REQUIRE(net.drain());
  check_loaded(net, members, 5, reflect, 4);

  net.release(5);
  CHECK(net.manager->group(5).verdict.kind == Verdict::Kind::kGone);
  CHECK(net.used_words() == 0);  // in the very cycle, and the id is free
  net.create(5, members, {reflect});
  CHECK(net.alive(5));
}

TEST_CASE("no member is told that a group is alive before every switch of its tree is",
          "[groups]") {
  GroupNetwork net(figure1(), 4);
  const auto members = paper_group(net.graph);
  net.manager->create(0, 5, members, {});
  while (net.manager->group(5).told == 0) net.network->engine().step();
  check_loaded(net, members, 5, false, 4);
}

TEST_CASE("a creation that finds no register is undone everywhere and names the switch",
          "[groups]") {
  GroupNetwork net(figure1(), 1);
  const auto members = paper_group(net.graph);
  // A switch of the tree without members, set up by its home node, has its register taken.
  const SwitchId full = GENERATE(1u, 4u, 3u);
  net.network->switches().write_register(full, regs::children(0), 3);
  net.network->switches().write_register(full, regs::control(0), 1u << 31 | 2u << 16 | 9);
  const std::uint32_t before = net.used_words();
  net.create(5, members);
  const Verdict& verdict = net.manager->group(5).verdict;
  CHECK(verdict.kind == Verdict::Kind::kRefused);
  CHECK(verdict.reason == Outcome::kNoRegister);
  CHECK(verdict.sw == full);
  CHECK(describe(verdict) == "no free barrier register on switch " + std::to_string(full));
  REQUIRE(net.drain());
  CHECK(net.used_words() == before);
  net.network->switches().write_register(full, regs::control(0), 0);
  net.network->switches().write_register(full, regs::children(0), 0);
  net.create(5, members);  // the id is free again
  CHECK(net.alive(5));
}

TEST_CASE("a switch without permit for its nodes refuses, and nothing is left", "[groups]") {
  GroupNetwork net(figure1(), 4);
  net.network->switches().write_register(6, regs::kPermits, 0);
  net.create(5, paper_group(net.graph));
  CHECK(net.manager->group(5).verdict.reason == Outcome::kNoPermit);
  CHECK(net.manager->group(5).verdict.sw == 6);
  net.check_empty();
}

TEST_CASE("an identifier in use is refused, also to members elsewhere", "[groups]") {
  GroupNetwork net(figure1(), 4);
  net.create(5, {0, 1, 2});
  const std::uint32_t used = net.used_words();
  // Another creator, whose switch has never heard of the group.
  net.create(5, {20, 22});
  CHECK(net.manager->group(5).verdict.reason == Outcome::kIdInUse);
  REQUIRE(net.drain());
  CHECK(net.used_words() == used);
}

TEST_CASE("two creations that want the same registers never wait for each other", "[groups]") {
  // All registers but one of each switch are wanted by two groups at once.
  GroupNetwork net(figure1(), 1);
  std::vector<NodeId> all(net.graph.nodes());
  for (NodeId n = 0; n < all.size(); ++n) all[n] = n;
  const std::vector<NodeId> rest(all.begin() + 1, all.end());
  for (unsigned round = 0; round < 8; ++round) {
    net.manager->create(net.now(), 1, all, {});
    net.run(7 * round);
    net.create(2, rest);
    std::uint32_t alive = 0;
    for (const std::uint32_t gid : {1u, 2u}) {
      if (!net.alive(gid)) continue;
      ++alive;
      net.manager->release(net.now(), gid);
    }
    CHECK(alive <= 1);
    REQUIRE(net.settle());
    net.check_empty();
  }
}

TEST_CASE("random groups on random networks live, are refused and go without a trace",
          "[groups][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 77);
  std::uint32_t refused = 0, alive = 0;
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(seed, trial);
    GroupNetwork net(random_network(rng), 1 + static_cast<std::uint32_t>(rng.below(3)));
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
      CHECK((net.read(s, regs::kAgentDrops) >> 20 & 3) == 0);  // busy may be
    }
  }
  CHECK(refused > 10);
  CHECK(alive > 10);
}

/// All that a forged message could change at a switch.
std::vector<std::uint32_t> state(GroupNetwork& net, SwitchId s) {
  std::vector<std::uint32_t> words{net.read(s, regs::kHold), net.read(s, regs::kPermits)};
  for (std::uint32_t address = 0x040; address < 0x050; ++address)
    words.push_back(net.read(s, address));
  return words;
}

struct Forger {
  GroupNetwork net{figure1(), 4, false};
  const std::vector<NodeId> members = paper_group(net.graph);

  Forger() {
    net.create(5, members);
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
    net.run(400);
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
  f.net.release(5);
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
