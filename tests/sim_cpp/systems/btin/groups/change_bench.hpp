// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "muster/core/error.hpp"
#include "muster/topology/load_file.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "sim_cpp/systems/btin/tree/random_network.hpp"
#include "support/seed.hpp"
#include "topology/routes/without_link.hpp"

namespace muster::btin {

namespace regs = fabric::registers;

/// Members whose barriers take `pace` cycles and no messages, as long as no member is held.
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
  bool arrived(NodeId, std::uint32_t) const override { return false; }  // and released, at once
  std::uint64_t idle(std::uint32_t) const override { return 1000; }
  std::uint64_t barriers(std::uint32_t) const override { return kBarriers; }
  void hold(NodeId node, std::uint32_t gid, std::uint64_t barrier) override {
    groups.at(gid).held[node] = barrier;
  }
  void deciding(std::uint32_t) override {}
  void changed(const ChangeRecord& record, const BarrierTree&) override {
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
struct Changing : GroupNetwork {
  Program program;
  explicit Changing(topology::Graph g, std::uint32_t registers)
      : GroupNetwork(std::move(g), registers) {
    manager->use(program);
  }
  void start(std::uint32_t gid, const std::vector<NodeId>& members, bool reflect = false) {
    for (const NodeId n : members) program.groups[gid].left[n] = 0;
    manager->create(now(), gid, members, {reflect});
    REQUIRE(settle());
    REQUIRE(manager->group(gid).alive());
  }
  /// Until no change is under way.
  void finish() {
    for (int i = 0; i < 200'000 && manager->changing(); ++i) {
      program.clock(now(), 50);
      network->engine().step();
    }
    REQUIRE_FALSE(manager->changing());
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
                       bool reflect) {
    std::size_t images = 0;
    const auto have = words();
    for (const std::uint32_t gid : gids) {
      for (const auto& image : btin::register_images(
               btin::plan_tree(planned, manager->group(gid).members), gid, reflect)) {
        ++images;
        const auto found = have.find({image.sw, gid});
        REQUIRE(found != have.end());
        CHECK(found->second.first == regs::control_word(gid, image.parent_port, image.reflect));
        CHECK(found->second.second == image.child_mask);
      }
    }
    CHECK(have.size() == images);
  }
};

inline std::vector<NodeId> without(std::vector<NodeId> members, NodeId n) {
  std::erase(members, n);
  return members;
}

inline topology::Graph figure1() {
  return topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json");
}

inline std::vector<NodeId> paper_group(const topology::Graph& graph) {
  std::vector<NodeId> members = graph.groups.at("paper");
  std::sort(members.begin(), members.end());
  return members;
}

}  // namespace muster::btin
