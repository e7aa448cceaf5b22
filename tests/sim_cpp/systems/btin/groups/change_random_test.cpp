// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/btin/groups/change_bench.hpp"

namespace muster::btin {
namespace {

TEST_CASE("trees leave dead links and no other register is written", "[groups][change][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 82);
  std::uint32_t moved = 0, kept = 0;
  for (int trial = 0; trial < 25; ++trial) {
    CAPTURE(seed, trial);
    Changing net(random_network(rng), 4);
    if (net.graph.links().empty()) continue;
    const topology::Link link = net.graph.links()[rng.below(net.graph.links().size())];
    topology::Graph rest;
    try {
      rest = topology::without_link(net.graph, link.a, link.b);
    } catch (const InputError&) {
      continue;
    }
    for (std::uint32_t gid = 0; gid < 4; ++gid) {
      std::vector<NodeId> members = random_group(net.graph, rng);
      std::sort(members.begin(), members.end());
      net.start(gid, members);
    }
    const auto before = net.words();
    CHECK(net.manager->uses(link.a) ==
          std::any_of(before.begin(), before.end(), [&](const auto& word) {
            const auto& [place, words] = word;
            const bool parent = (words.first >> 16 & 15) == link.a.port;
            return place.first == link.a.sw && (parent || (words.second >> link.a.port & 1) != 0);
          }));
    net.manager->declare_dead(link.a, rest);
    net.finish();
    CHECK_FALSE(net.manager->uses(link.a));
    std::set<std::uint32_t> gone;
    for (const ChangeRecord& r : net.program.records) {
      CHECK(r.outcome == Outcome::kDone);
      CHECK(r.link);
      CHECK(gone.insert(r.gid).second);
    }
    for (const auto& [place, words] : net.words()) {
      const auto was = before.find(place);
      if (gone.count(place.second) == 0) CHECK((was != before.end() && was->second == words));
    }
    for (std::uint32_t gid = 0; gid < 4; ++gid) {
      if (gone.count(gid) == 0) {
        ++kept;
        continue;
      }
      ++moved;
      for (const auto& image : btin::register_images(
               btin::plan_tree(rest, net.manager->group(gid).members), gid, false)) {
        const auto words = net.words();
        REQUIRE(words.count({image.sw, gid}) == 1);
        CHECK(words.at({image.sw, gid}).second == image.child_mask);
      }
    }
  }
  CHECK(moved > 5);
  CHECK(kept > 5);
}

TEST_CASE("random joins and leaves of several groups leave the registers of their plans",
          "[groups][change][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 81);
  std::uint32_t done = 0, refused = 0;
  for (int trial = 0; trial < 25; ++trial) {
    CAPTURE(seed, trial);
    Changing net(random_network(rng), 1 + static_cast<std::uint32_t>(rng.below(3)));
    const bool reflect = rng.below(2) == 0;
    std::set<std::uint32_t> alive;
    for (std::uint32_t gid = 0; gid < 4; ++gid) {
      std::vector<NodeId> members = random_group(net.graph, rng);
      std::sort(members.begin(), members.end());
      for (const NodeId n : members) net.program.groups[gid].left[n] = 0;
      net.manager->create(net.now(), gid, members, {reflect});
      REQUIRE(net.settle());
      if (net.manager->group(gid).alive()) alive.insert(gid);
    }
    for (int round = 0; round < 6; ++round) {
      for (const std::uint32_t gid : alive) {
        const std::vector<NodeId> members = net.manager->group(gid).members;
        const std::uint64_t next = net.program.next(gid);
        std::set<NodeId> who;
        for (std::uint64_t i = 0; i < 1 + rng.below(3); ++i)
          who.insert(static_cast<NodeId>(rng.below(net.graph.nodes())));
        for (const NodeId n : who)
          net.manager->request(gid, n, !std::binary_search(members.begin(), members.end(), n),
                               std::max<std::uint64_t>(1, next + rng.below(4)));
        for (std::uint64_t i = rng.below(100); i > 0; --i) {
          net.program.clock(net.now(), 50);
          net.network->engine().step();
        }
      }
      net.finish();
      net.check_registers(alive, net.graph, reflect);
    }
    for (const ChangeRecord& r : net.program.records) {
      done += r.outcome == Outcome::kDone;
      refused += r.outcome != Outcome::kDone;
    }
    for (const std::uint32_t gid : alive) net.manager->release(net.now(), gid);
    REQUIRE(net.settle());
    REQUIRE(net.drain());
    CHECK(net.used_words() == 0);
  }
  CHECK(done > 100);
  CHECK(refused > 5);
}

}  // namespace
}  // namespace muster::btin
