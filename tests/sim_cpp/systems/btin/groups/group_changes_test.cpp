// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/btin/groups/group_network.hpp"

namespace muster::btin {
namespace {

TEST_CASE("a member joins between two barriers: registers that stay are not written",
          "[groups][change]") {
  const bool reflect = GENERATE(false, true);
  Changing net(figure1_graph(), 4);
  const std::vector<NodeId> members = paper_group(net.graph);
  const NodeId late = members[3];
  net.start(5, without(members, late), reflect);
  const auto before = net.words();
  net.manager->request(5, late, true, 4);
  net.finish();
  REQUIRE(net.program.records.size() == 1);
  const ChangeRecord& record = net.program.records[0];
  CHECK(record.outcome == Outcome::kDone);
  CHECK(record.first_barrier == 4);
  CHECK(record.joined == std::vector<NodeId>{late});
  CHECK(net.manager->group(5).members == members);
  net.check_registers({5}, net.graph, reflect);
  std::uint32_t same = 0;
  for (const auto& [place, words] : net.words())
    same += before.count(place) && before.at(place) == words;
  CHECK(record.kept == same);
  CHECK(record.kept > 0);
  CHECK(record.messages > 0);
  CHECK(record.finished > record.decided);

  net.manager->request(5, late, false, 100);
  net.finish();
  CHECK(net.program.records.back().first_barrier == 100);
  CHECK(net.words() == before);
  net.release(5);
  net.check_empty();
}

TEST_CASE("the root node itself leaves, and another leads the next change", "[groups][change]") {
  Changing net(figure1_graph(), 4);
  std::vector<NodeId> members = paper_group(net.graph);
  net.start(5, members);
  while (members.size() > 1) {
    const NodeId root = plan_tree(net.graph, members).root_node;
    net.manager->request(5, root, false, 1);
    net.finish();
    members = without(members, root);
    CHECK(net.manager->group(5).members == members);
    net.check_registers({5}, net.graph, false);
  }
  CHECK(net.used_words() == 0);  // a group of one needs none
  net.manager->request(5, members[0], false, 1);
  net.finish();
  const ChangeRecord& before = net.program.records.end()[-2];
  const ChangeRecord& empty = net.program.records.back();
  CHECK(empty.outcome == Outcome::kEmpty);
  CHECK(empty.first_barrier > before.first_barrier);
  CHECK(empty.decided > before.finished);
  CHECK(empty.finished == empty.decided);  // no switch is asked
  CHECK(empty.requests == 0);
  CHECK(net.program.refusals == 1);
  net.manager->request(5, members[0] + 1, true, 1);  // grows again
  net.finish();
  CHECK(net.manager->group(5).members.size() == 2);
  net.check_registers({5}, net.graph, false);
  net.release(5);
  net.check_empty();
}

TEST_CASE("a tree leaves a dead link although a request for the same barrier is refused",
          "[groups][change]") {
  // A triangle with a switch at its end, three nodes each, one register each.
  topology::Graph graph;
  for (SwitchId s = 0; s < 4; ++s) graph.add_switch(8);
  for (SwitchId s = 0; s < 4; ++s)
    for (std::uint32_t port = 0; port < 3; ++port) graph.add_node({s, port});
  graph.add_link({0, 4}, {1, 4});
  graph.add_link({1, 5}, {2, 5});
  graph.add_link({2, 6}, {0, 6});
  graph.add_link({2, 7}, {3, 7});
  Changing net(graph, 1);
  net.start(1, {0, 1, 3});
  net.start(2, {9, 10});  // has the only register of the switch at the end
  net.manager->request(1, 1, false, 3);
  net.manager->request(1, 11, true, 4);
  while (net.program.next(1) < 2) net.step();
  // The first change is under way: the move and the second request wait for its end, both.
  net.manager->declare_dead({0, 4}, topology::without_link(graph, {0, 4}, {1, 4}));
  net.finish();
  const std::vector<ChangeRecord>& records = net.program.records;
  REQUIRE(records.size() == 3);
  CHECK(records[0].left == std::vector<NodeId>{1});
  CHECK(records[1].link);
  CHECK(records[1].outcome == Outcome::kDone);
  CHECK(records[1].first_barrier == 4);
  CHECK_FALSE(records[2].link);
  CHECK(records[2].outcome == Outcome::kNoRegister);
  CHECK(records[2].first_barrier == 5);
  CHECK(net.program.refusals == 1);
  CHECK_FALSE(net.manager->uses({0, 4}));
}

TEST_CASE("membership requests that make no sense are refused", "[groups][change]") {
  Changing net(figure1_graph(), 4);
  const std::vector<NodeId> members = paper_group(net.graph);
  net.start(5, members);
  NodeId outside = 0;
  while (std::ranges::binary_search(members, outside)) ++outside;
  net.manager->request(5, members[0], true, 3);
  net.manager->request(5, outside, false, 3);
  net.manager->request(5, outside, true, Program::kBarriers + 1);
  net.program.groups[6].left = {};
  net.manager->request(6, outside, true, 1);  // no such group
  net.finish();
  CHECK(net.program.refusals == 4);
  CHECK(net.program.records.empty());
  const NodeId root = plan_tree(net.graph, members).root_node;
  CHECK(net.program.groups.at(5).held.at(root) == GroupUser::kNever);
}

TEST_CASE("trees leave dead links and no other register is written", "[groups][change][random]") {
  Random rng(muster_seed(), 82);
  std::uint32_t moved = 0, kept = 0;
  for (int trial = 0; trial < 25; ++trial) {
    CAPTURE(trial);
    Changing net(random_network(rng), 4);
    if (net.graph.links().empty()) continue;
    const topology::Link link = net.graph.links()[rng.below(net.graph.links().size())];
    topology::Graph rest;
    try {
      rest = topology::without_link(net.graph, link.a, link.b);
    } catch (const InputError&) {
      continue;
    }
    for (std::uint32_t gid = 0; gid < 4; ++gid) net.start(gid, sorted_group(net.graph, rng));
    const auto before = net.words();
    CHECK(net.manager->uses(link.a) == std::ranges::any_of(before, [&](const auto& word) {
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
      for (const auto& image :
           register_images(plan_tree(rest, net.manager->group(gid).members), gid, false)) {
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
  Random rng(muster_seed(), 81);
  std::uint32_t done = 0, refused = 0;
  for (int trial = 0; trial < 25; ++trial) {
    CAPTURE(trial);
    Changing net(random_network(rng), 1 + rng.below(3));
    const bool reflect = rng.below(2) == 0;
    std::set<std::uint32_t> alive;
    for (std::uint32_t gid = 0; gid < 4; ++gid) {
      const std::vector<NodeId> members = sorted_group(net.graph, rng);
      for (const NodeId n : members) net.program.groups[gid].left[n] = 0;
      net.create(gid, members, {reflect});
      if (net.alive(gid)) alive.insert(gid);
    }
    for (int round = 0; round < 6; ++round) {
      for (const std::uint32_t gid : alive) {
        const std::vector<NodeId> members = net.manager->group(gid).members;
        const std::uint64_t next = net.program.next(gid);
        std::set<NodeId> who;
        for (std::uint64_t i = 0; i < 1 + rng.below(3); ++i)
          who.insert(static_cast<NodeId>(rng.below(net.graph.nodes())));
        for (const NodeId n : who)
          net.manager->request(gid, n, !std::ranges::binary_search(members, n),
                               std::max<std::uint64_t>(1, next + rng.below(4)));
        for (std::uint64_t i = rng.below(100); i > 0; --i) net.step();
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
    net.check_empty();
  }
  CHECK(done > 100);
  CHECK(refused > 5);
}

}  // namespace
}  // namespace muster::btin
