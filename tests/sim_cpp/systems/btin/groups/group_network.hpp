// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "muster/run/checker_list.hpp"
#include "run/run_parts.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "systems/btin/groups/group_manager.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {

/// A network of golden switches whose nodes run the software of group membership and nothing else.
class GroupNetwork : public fabric::SyncClient {
 public:
  /// `checked`: under all checkers, which object to forged barrier messages. `spills`: groups that
  /// find no register may live in spill nodes, and if `evict_after` is not 0, move.
  GroupNetwork(topology::Graph g, std::uint32_t registers, bool checked = true, bool spills = false,
               std::uint64_t evict_after = 0)
      : graph(std::move(g)),
        routes(topology::routes_for(graph)),
        homes(fabric::plan_home_nodes(graph, routes)) {
    run::RunSpec spec;
    spec.graph = core::borrowed(graph);
    spec.routes = core::borrowed(routes);
    spec.engine = engine_;
    const fabric::SwitchConfig config{.name = "groups",
                                      .ports = 16,
                                      .regs = registers,
                                      .kind = &kBarrierSwitch,
                                      .variant = values({.spill = spills})};
    network = run::build_network(spec, config);
    if (spills)
      for (topology::SwitchId s = 0; s < graph.switches(); ++s)
        network->switches().write_register(s, fabric::registers::kSpill, homes.home_ports[s]);
    spill =
        std::make_unique<SpillNodes>(graph, homes, network->endpoints(), fabric::Formats(16, 8));
    manager =
        std::make_unique<GroupManager>(graph, routes, network->endpoints(),
                                       spills ? spill.get() : nullptr, spec_of(evict_after), 0);
    network->endpoints().attach(this, nullptr);
    const checkers::Subject subject{.graph = graph,
                                    .layout = network->layout(),
                                    .routes = routes,
                                    .vcs = 2,
                                    .depth = 4,
                                    .formats = fabric::Formats(16, 8),
                                    .sync_credits = fabric::sync_credits(config)};
    checkers_ = run::make_checkers(subject, {100'000, 100'000}, {});
    if (checked) network->engine().observe_with(*checkers_);
    registers_ = registers;
  }

  void receive_sync(std::uint64_t, std::uint32_t node, const core::Flit& flit) override {
    spill->take(node, fabric::Formats(16, 8).barrier_message(flit));
  }
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    manager->receive_packet(cycle, node, flits);
  }
  void clock(std::uint64_t cycle) override { manager->clock(cycle); }

  std::uint64_t now() const { return network->engine().cycle(); }
  void run(std::uint64_t cycles) {
    for (; cycles > 0; --cycles) network->engine().step();
  }
  /// Until the creation has ended.
  void create(std::uint32_t gid, const std::vector<NodeId>& members,
              const GroupOptions& options = {}) {
    manager->create(now(), gid, members, options);
    REQUIRE(settle());
  }
  void release(std::uint32_t gid) {
    manager->release(now(), gid);
    REQUIRE(settle());
  }
  bool alive(std::uint32_t gid) const { return manager->group(gid).alive(); }
  /// No message is under way, and no register is used.
  void check_empty() {
    REQUIRE(drain());
    CHECK(used_words() == 0);
  }
  /// Until all groups are settled; false if that takes more than `limit` cycles.
  bool settle(std::uint64_t limit = 200'000) {
    for (std::uint64_t i = 0; i < limit && !manager->settled(); ++i) network->engine().step();
    return manager->settled();
  }
  bool drain() {
    for (int i = 0; i < 10'000; ++i) {
      if (network->engine().idle() && network->endpoints().drained()) {
        checkers_->finish(now(), true);
        return true;
      }
      network->engine().step();
    }
    return false;
  }
  /// Words of barrier registers that are not 0, of all switches.
  std::uint32_t used_words() {
    std::uint32_t used = 0;
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t address = 0x100; address < 0x100 + 16 * registers_; ++address)
        used += network->switches().read_register(s, address) != 0;
    return used;
  }
  std::uint32_t read(SwitchId s, std::uint32_t address) {
    return network->switches().read_register(s, address);
  }

  const topology::Graph graph;
  const topology::Routes routes;
  const fabric::HomeNodes homes;
  std::unique_ptr<fabric::Network> network;
  std::unique_ptr<SpillNodes> spill;
  std::unique_ptr<GroupManager> manager;

 private:
  static Spec spec_of(std::uint64_t evict_after) {
    Spec spec;
    spec.evict_after = evict_after;
    return spec;
  }
  std::shared_ptr<const fabric::BankFactory> engine_ = run::make_golden_engine();
  std::uint32_t registers_ = 0;
  std::unique_ptr<checkers::CheckerList> checkers_;
};

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
    create(gid, members, {reflect});
    REQUIRE(alive(gid));
  }
  void step() {
    program.clock(now(), 50);
    network->engine().step();
  }
  /// Until no change is under way.
  void finish() {
    for (int i = 0; i < 200'000 && manager->changing(); ++i) step();
    REQUIRE_FALSE(manager->changing());
  }
  /// What is in the barrier registers, by switch and group.
  using Words =
      std::map<std::pair<SwitchId, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>;
  Words words() {
    Words words;
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      for (std::uint32_t r = 0; r < read(s, regs::kSizes) >> 24; ++r) {
        const std::uint32_t control = read(s, regs::control(r)),
                            children = read(s, regs::children(r));
        if (control == 0) CHECK(children == 0);
        if (control == 0) continue;
        CHECK(words.try_emplace({s, control & 0xfff}, control, children).second);
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
      for (const auto& image :
           register_images(plan_tree(planned, manager->group(gid).members), gid, reflect)) {
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

/// Creations have their members in order.
inline std::vector<NodeId> sorted_group(const topology::Graph& graph, Random& rng) {
  std::vector<NodeId> members = random_group(graph, rng);
  std::ranges::sort(members);
  return members;
}

inline std::vector<NodeId> without(std::vector<NodeId> members, NodeId n) {
  std::erase(members, n);
  return members;
}

/// Configuration sw8 with another number of registers.
inline fabric::SwitchConfig sw8_with(std::uint32_t registers) {
  fabric::SwitchConfig config = run::configuration("sw8");
  config.regs = registers;
  return config;
}

/// Two switches with three nodes each, and one between them without.
inline topology::Graph bare_middle() {
  topology::Graph graph;
  for (int s = 0; s < 3; ++s) graph.add_switch(4);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({1, 1}, {2, 0});
  for (const SwitchId s : {0u, 2u})
    for (std::uint32_t port = 1; port < 4; ++port) graph.add_node({s, port});
  return graph;
}

inline std::vector<NodeId> paper_group(const topology::Graph& graph) {
  std::vector<NodeId> members = graph.groups.at("paper");
  std::ranges::sort(members);
  return members;
}

}  // namespace muster::btin
