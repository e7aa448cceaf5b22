// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "common/error.hpp"
#include "sim_cpp/barrier/random_network.hpp"
#include "sim_cpp/life/life_network.hpp"
#include "support/seed.hpp"
#include "topology/load_file.hpp"
#include "topology/without_link.hpp"

namespace muster::life {
namespace {

namespace regs = network::registers;

/// Members whose barriers take `pace` cycles and no messages, as long as nobody is held.
class Program : public GroupUser {
 public:
  struct Group {
    std::map<NodeId, std::uint64_t> left, held;
    std::uint64_t next = 0;
  };
  std::map<std::uint32_t, Group> groups;
  std::vector<ChangeRecord> records;
  std::uint32_t refusals = 0;

  void clock(std::uint64_t cycle, std::uint64_t pace) {
    if (cycle % pace != 0) return;
    for (auto& [gid, g] : groups) {
      bool all = g.next < kBarriers;
      for (const auto& [node, limit] : g.held) all &= limit > g.next;
      if (!all) continue;
      ++g.next;
      for (auto& [node, left] : g.left) left = g.next;
    }
  }
  std::uint64_t next(std::uint32_t gid) const override { return groups.at(gid).next; }
  std::uint64_t left(NodeId node, std::uint32_t gid) const override {
    return groups.at(gid).left.at(node);
  }
  std::uint64_t barriers(std::uint32_t) const override { return kBarriers; }
  void hold(NodeId node, std::uint32_t gid, std::uint64_t barrier) override {
    groups.at(gid).held[node] = barrier;
  }
  void deciding(std::uint32_t) override {}
  void changed(const ChangeRecord& record, const barrier::BarrierTree&) override {
    records.push_back(record);
    if (record.outcome != Outcome::kDone) return;
    Group& g = groups.at(record.gid);
    REQUIRE(g.next == record.first_barrier);
    // Everybody who was a member is held until told.
    for (const auto& [node, left] : g.left) REQUIRE(g.held.at(node) <= g.next);
  }
  void told(NodeId node, std::uint32_t gid, Membership membership, std::uint64_t first) override {
    Group& g = groups.at(gid);
    switch (membership) {
      case Membership::kJoins:
        REQUIRE(g.left.emplace(node, first).second);
        break;
      case Membership::kLeaves:
        REQUIRE(g.left.erase(node) == 1);
        g.held.erase(node);
        break;
      case Membership::kStays:
        REQUIRE(g.left.count(node) == 1);
    }
  }
  void refused(NodeId, std::uint32_t, Outcome, SwitchId) override { ++refusals; }
  static constexpr std::uint64_t kBarriers = 1000;
};

/// A network with one program for all groups.
struct Changing : LifeNetwork {
  Program program;
  explicit Changing(topology::Graph g, std::uint32_t registers)
      : LifeNetwork(std::move(g), registers) {
    life->use(program);
  }
  void start(std::uint32_t gid, const std::vector<NodeId>& members, bool turn = false) {
    for (const NodeId n : members) program.groups[gid].left[n] = 0;
    life->create(now(), gid, members, {turn});
    REQUIRE(settle());
    REQUIRE(life->group(gid).alive());
  }
  /// Until no change is under way.
  void finish() {
    for (int i = 0; i < 200'000 && life->changing(); ++i) {
      program.clock(now(), 50);
      network->engine().step();
    }
    REQUIRE_FALSE(life->changing());
  }
  /// What is in the barrier registers, by switch and group.
  std::map<std::pair<SwitchId, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> words() {
    std::map<std::pair<SwitchId, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> words;
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      for (std::uint32_t r = 0; r < read(s, regs::kSizes) >> 24; ++r) {
        const std::uint32_t control = read(s, regs::control(r));
        if (control == 0) {
          CHECK(read(s, regs::children(r)) == 0);
          continue;
        }
        CHECK(words
                  .emplace(std::pair{s, control & 0xfff},
                           std::pair{control, read(s, regs::children(r))})
                  .second);
      }
    }
    return words;
  }
  /// The registers are exactly those of the plans of all groups.
  void check_registers(const std::set<std::uint32_t>& gids, const topology::Graph& planned,
                       bool turn) {
    std::size_t images = 0;
    const auto have = words();
    for (const std::uint32_t gid : gids) {
      for (const auto& image : barrier::register_images(
               barrier::plan_tree(planned, life->group(gid).members), gid, turn)) {
        ++images;
        const auto found = have.find({image.sw, gid});
        REQUIRE(found != have.end());
        CHECK(found->second.first == regs::control_word(gid, image.parent_port, image.turn));
        CHECK(found->second.second == image.child_mask);
      }
    }
    CHECK(have.size() == images);
  }
};

std::vector<NodeId> without(std::vector<NodeId> members, NodeId n) {
  std::erase(members, n);
  return members;
}

topology::Graph figure1() {
  return topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json");
}

std::vector<NodeId> paper_group(const topology::Graph& graph) {
  std::vector<NodeId> members = graph.groups.at("paper");
  std::sort(members.begin(), members.end());
  return members;
}

TEST_CASE("a member joins between two barriers: registers that stay are not written",
          "[life][change]") {
  const bool turn = GENERATE(false, true);
  Changing net(figure1(), 4);
  const std::vector<NodeId> members = paper_group(net.graph);
  const NodeId late = members[3];
  net.start(5, without(members, late), turn);
  const auto before = net.words();
  net.life->wish(5, late, true, 4);
  net.finish();
  REQUIRE(net.program.records.size() == 1);
  const ChangeRecord& record = net.program.records[0];
  CHECK(record.outcome == Outcome::kDone);
  CHECK(record.first_barrier == 4);
  CHECK(record.joined == std::vector<NodeId>{late});
  CHECK(net.life->group(5).members == members);
  net.check_registers({5}, net.graph, turn);
  std::uint32_t same = 0;
  for (const auto& [place, words] : net.words())
    same += before.count(place) && before.at(place) == words;
  CHECK(record.kept == same);
  CHECK(record.kept > 0);
  CHECK(record.messages > 0);
  CHECK(record.finished > record.decided);

  net.life->wish(5, late, false, 100);
  net.finish();
  CHECK(net.program.records.back().first_barrier == 100);
  CHECK(net.words() == before);
  net.life->release(net.now(), 5);
  REQUIRE(net.settle());
  REQUIRE(net.drain());
  CHECK(net.used_words() == 0);
}

TEST_CASE("the root node itself leaves, and another leads the next change", "[life][change]") {
  Changing net(figure1(), 4);
  std::vector<NodeId> members = paper_group(net.graph);
  net.start(5, members);
  while (members.size() > 1) {
    const NodeId root = barrier::plan_tree(net.graph, members).root_node;
    net.life->wish(5, root, false, 1);
    net.finish();
    members = without(members, root);
    CHECK(net.life->group(5).members == members);
    net.check_registers({5}, net.graph, false);
  }
  CHECK(net.used_words() == 0);  // a group of one needs none
  net.life->wish(5, members[0], false, 1);
  net.finish();
  CHECK(net.program.records.back().outcome == Outcome::kEmpty);
  CHECK(net.program.refusals == 1);
  net.life->wish(5, members[0] + 1, true, 1);  // grows again
  net.finish();
  CHECK(net.life->group(5).members.size() == 2);
  net.check_registers({5}, net.graph, false);
  net.life->release(net.now(), 5);
  REQUIRE(net.settle());
  REQUIRE(net.drain());
  CHECK(net.used_words() == 0);
}

TEST_CASE("one leaves while another joins: at the same barrier it is one change",
          "[life][change]") {
  Changing net(figure1(), 4);
  const std::vector<NodeId> members = paper_group(net.graph);
  net.start(5, without(members, members[2]));
  net.life->wish(5, members[2], true, 6);
  net.life->wish(5, members[4], false, 6);
  net.finish();
  REQUIRE(net.program.records.size() == 1);
  CHECK(net.life->group(5).members == without(members, members[4]));
  net.check_registers({5}, net.graph, false);
  net.life->wish(5, members[4], true, 9);
  net.life->wish(5, members[2], false, 10);
  net.finish();
  REQUIRE(net.program.records.size() == 3);
  CHECK(net.program.records[1].first_barrier == 9);
  CHECK(net.program.records[2].first_barrier == 10);
  CHECK(net.life->group(5).members == without(members, members[2]));
}

TEST_CASE("a change that lacks a register is refused as a whole", "[life][change]") {
  Changing net(figure1(), 1);
  const std::vector<NodeId> members = paper_group(net.graph);
  // The only register of a switch outside the group's tree is another's.
  std::set<SwitchId> used;
  for (const SwitchId s :
       barrier::plan_tree(net.graph, {members.begin(), members.begin() + 2}).order)
    used.insert(s);
  std::vector<NodeId> pair;
  for (SwitchId s = 0; s < net.graph.switches() && pair.size() < 2; ++s) {
    if (used.count(s)) continue;
    pair.clear();
    for (NodeId n = 0; n < net.graph.nodes(); ++n)
      if (net.graph.node(n).at.sw == s) pair.push_back(n);
  }
  REQUIRE(pair.size() >= 2);
  pair.resize(2);
  net.start(1, {members[0], members[1]});
  net.start(2, pair);
  const auto before = net.words();
  net.life->wish(1, pair[0], true, 3);
  net.life->wish(1, members[1], false, 3);
  net.finish();
  REQUIRE(net.program.records.size() == 1);
  CHECK(net.program.records[0].outcome == Outcome::kNoRegister);
  CHECK(net.program.records[0].sw == net.graph.node(pair[0]).at.sw);
  CHECK(net.program.refusals == 2);
  CHECK(net.words() == before);
  // Nobody is held for it.
  const std::uint64_t at = net.program.next(1);
  for (int i = 0; i < 500; ++i) {
    net.program.clock(net.now(), 50);
    net.network->engine().step();
  }
  CHECK(net.program.next(1) > at + 5);
}

TEST_CASE("wishes that make no sense are refused", "[life][change]") {
  Changing net(figure1(), 4);
  const std::vector<NodeId> members = paper_group(net.graph);
  net.start(5, members);
  NodeId outside = 0;
  while (std::binary_search(members.begin(), members.end(), outside)) ++outside;
  net.life->wish(5, members[0], true, 3);
  net.life->wish(5, outside, false, 3);
  net.life->wish(5, outside, true, Program::kBarriers + 1);
  net.program.groups[6].left = {};
  net.life->wish(6, outside, true, 1);  // no such group
  net.finish();
  CHECK(net.program.refusals == 4);
  CHECK(net.program.records.empty());
  const NodeId root = barrier::plan_tree(net.graph, members).root_node;
  CHECK(net.program.groups.at(5).held.at(root) == GroupUser::kNever);
}

TEST_CASE("trees leave dead links and no other register is written", "[life][change][random]") {
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
    CHECK(net.life->uses(link.a) ==
          std::any_of(before.begin(), before.end(), [&](const auto& word) {
            const auto& [place, words] = word;
            const bool parent = (words.first >> 16 & 15) == link.a.port;
            return place.first == link.a.sw && (parent || (words.second >> link.a.port & 1) != 0);
          }));
    net.life->declare_dead(link.a, rest);
    net.finish();
    CHECK_FALSE(net.life->uses(link.a));
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
      for (const auto& image : barrier::register_images(
               barrier::plan_tree(rest, net.life->group(gid).members), gid, false)) {
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
          "[life][change][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 81);
  std::uint32_t done = 0, refused = 0;
  for (int trial = 0; trial < 25; ++trial) {
    CAPTURE(seed, trial);
    Changing net(random_network(rng), 1 + static_cast<std::uint32_t>(rng.below(3)));
    const bool turn = rng.below(2) == 0;
    std::set<std::uint32_t> alive;
    for (std::uint32_t gid = 0; gid < 4; ++gid) {
      std::vector<NodeId> members = random_group(net.graph, rng);
      std::sort(members.begin(), members.end());
      for (const NodeId n : members) net.program.groups[gid].left[n] = 0;
      net.life->create(net.now(), gid, members, {turn});
      REQUIRE(net.settle());
      if (net.life->group(gid).alive()) alive.insert(gid);
    }
    for (int round = 0; round < 6; ++round) {
      for (const std::uint32_t gid : alive) {
        const std::vector<NodeId> members = net.life->group(gid).members;
        const std::uint64_t next = net.program.next(gid);
        std::set<NodeId> who;
        for (std::uint64_t i = 0; i < 1 + rng.below(3); ++i)
          who.insert(static_cast<NodeId>(rng.below(net.graph.nodes())));
        for (const NodeId n : who)
          net.life->wish(gid, n, !std::binary_search(members.begin(), members.end(), n),
                         std::max<std::uint64_t>(1, next + rng.below(4)));
        for (std::uint64_t i = rng.below(100); i > 0; --i) {
          net.program.clock(net.now(), 50);
          net.network->engine().step();
        }
      }
      net.finish();
      net.check_registers(alive, net.graph, turn);
    }
    for (const ChangeRecord& r : net.program.records) {
      done += r.outcome == Outcome::kDone;
      refused += r.outcome != Outcome::kDone;
    }
    for (const std::uint32_t gid : alive) net.life->release(net.now(), gid);
    REQUIRE(net.settle());
    REQUIRE(net.drain());
    CHECK(net.used_words() == 0);
  }
  CHECK(done > 100);
  CHECK(refused > 5);
}

}  // namespace
}  // namespace muster::life
