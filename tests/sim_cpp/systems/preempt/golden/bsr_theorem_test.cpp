// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/generate.hpp"
#include "muster/topology/routes.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "systems/preempt/bsr_tree.hpp"
#include "systems/preempt/golden/bsr_table.hpp"

using namespace muster;
using namespace muster::topology;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

namespace {

/// How a network is broken on purpose.
struct Faults {
  bool overtaking = false;                      ///< messages of a channel overtake each other
  std::function<void(BsrMessage&)> spoil = {};  ///< changes what stands at the head of a queue
};

/// Status tables of a whole network with only queues between them: one for each channel of
/// a link, taken in any order from one queue to the next, in order within one. No cycles, no
/// switches: what holds here holds for every timing.
class BsrNetwork {
 public:
  struct Group {
    preempt::BsrTree tree;
    std::uint32_t gid = 0, barriers = 1;
    std::vector<std::uint32_t> arrived, released;  ///< members, by barrier
    bool refused = false;                          ///< the center member was told so
  };

  BsrNetwork(const Graph& graph, const Routes& routes, std::uint32_t entries, Random& rng,
             Faults faults = {})
      : graph_(graph),
        routes_(routes),
        rng_(rng),
        faults_(std::move(faults)),
        tables_(graph.switches(), golden::BsrTable(entries)),
        queue_at_(graph.switches()) {
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      tables_[s].set_address(graph.nodes() + s);
      for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
        queue_at_[s].push_back(queues_.size());
        queues_.push_back({s, p, {}});
      }
    }
  }

  /// Writes the entries of the members' switches. Returns false, and writes none, if one is full.
  bool create(const preempt::BsrTree& tree, std::uint32_t gid, std::uint32_t barriers) {
    std::map<SwitchId, std::uint32_t> places;
    for (SwitchId s = 0; s < graph_.switches(); ++s) {
      if (tree.switches[s].locals == 0) continue;
      std::uint32_t e = 0;
      while (e < tables_[s].size() && tables_[s].at(e).valid) ++e;
      if (e == tables_[s].size()) return false;
      places[s] = e;
    }
    for (const auto& [s, e] : places) {
      golden::BsrEntry entry{.valid = true,
                             .center = s == tree.center_switch,
                             .gid = static_cast<std::uint8_t>(gid),
                             .locals = tree.switches[s].locals};
      if (entry.center) entry.count = static_cast<std::uint16_t>(tree.members.size());
      tables_[s].write(e, entry);
    }
    const std::vector<std::uint32_t> none(barriers, 0);
    groups_[gid] = {tree, gid, barriers, none, none, false};
    for (const NodeId n : tree.members) arrivals_.push_back({n, gid, 0});
    return true;
  }

  /// Removes every entry of the group from the tables.
  void remove(std::uint32_t gid) {
    for (SwitchId s = 0; s < graph_.switches(); ++s)
      if (const auto e = entry_of(s, gid)) tables_[s].write(*e, golden::BsrEntry{});
  }

  /// Runs until nothing is under way, in an order drawn from the rng, members arriving in between.
  /// Returns the steps. Throws std::runtime_error on an early or second release, or if it does not
  /// come to an end.
  std::uint64_t run() {
    for (std::uint64_t steps = 0;; ++steps) {
      if (steps == 10'000'000) throw std::runtime_error("no end");
      std::vector<std::size_t> queues;
      for (std::size_t q = 0; q < queues_.size(); ++q)
        if (!queues_[q].messages.empty()) queues.push_back(q);
      std::vector<SwitchId> owing;
      for (SwitchId s = 0; s < graph_.switches(); ++s)
        if (tables_[s].next()) owing.push_back(s);
      const std::size_t choices = queues.size() + owing.size() + arrivals_.size();
      if (choices == 0) return steps;
      std::size_t choice = rng_.below(choices);
      if (choice < queues.size()) {
        pass(queues_[queues[choice]]);
      } else if ((choice -= queues.size()) < owing.size()) {
        const SwitchId s = owing[choice];
        const auto [message, port] = tables_[s].send(*tables_[s].next());
        if (port)
          release(graph_.peer(s, *port).id, message);
        else
          forward(s, message);
      } else {
        const auto at = arrivals_.begin() + static_cast<std::ptrdiff_t>(choice - owing.size());
        const Arrival arrival = *at;
        arrivals_.erase(at);
        arrive(arrival);
      }
    }
  }

  /// What differs from the tree; empty if nothing does. After run().
  std::string difference(const Group& group) const {
    for (SwitchId s = 0; s < graph_.switches(); ++s) {
      const preempt::BsrSwitch& planned = group.tree.switches[s];
      const auto e = entry_of(s, group.gid);
      if (e.has_value() != planned.bsr_node)
        return fmt::format("switch {}: {}", s, e ? "an entry too many" : "no entry");
      if (!e) continue;
      const golden::BsrEntry& entry = tables_[s].at(*e);
      std::vector<preempt::BsrChild> children;
      for (std::uint32_t p = 0; p < graph_.ports(s); ++p)
        if (entry.children >> p & 1) children.push_back({p, entry.child[p] - graph_.nodes()});
      const bool center = s == group.tree.center_switch;
      if (children != planned.children || !entry.tree || entry.locals != planned.locals ||
          entry.center != center ||
          (!center && entry.parent != graph_.nodes() + planned.parent.value()))
        return fmt::format("switch {}: {}", s, golden::describe(entry));
    }
    return "";
  }

  const Group& group(std::uint32_t gid) const { return groups_.at(gid); }
  std::uint64_t drops() const { return drops_; }

 private:
  struct Queue {
    SwitchId sw = 0;
    std::uint32_t port = 0;
    std::deque<BsrMessage> messages;
  };
  struct Arrival {
    NodeId node;
    std::uint32_t gid, barrier;
  };

  void arrive(const Arrival& arrival) {
    const PortRef at = graph_.node(arrival.node).at;
    Group& group = groups_.at(arrival.gid);
    ++group.arrived[arrival.barrier];
    barrier_of_[{arrival.node, arrival.gid}] = arrival.barrier;
    BsrMessage message;
    message.gid = arrival.gid;
    if (arrival.barrier == 0) {
      message.type = BsrType::kFirst;
      message.source = message.new_node = tables_[at.sw].address();
      message.destination = tables_[group.tree.center_switch].address();
    } else {
      message.source = arrival.node;
      message.destination = tables_[at.sw].address();
    }
    queues_[queue_at_[at.sw][at.port]].messages.push_back(message);
  }

  void pass(Queue& queue) {
    auto at = queue.messages.begin();
    if (faults_.overtaking) at += static_cast<std::ptrdiff_t>(rng_.below(queue.messages.size()));
    BsrMessage message = *at;
    queue.messages.erase(at);
    if (faults_.spoil) faults_.spoil(message);
    golden::BsrTable& table = tables_[queue.sw];
    const bool here = message.destination == table.address();
    if (message.type != BsrType::kFirst && !here) return forward(queue.sw, message);
    const auto on = table.take(queue.port, message);
    drops_ += table.dropped().has_value();
    if (on) forward(queue.sw, *on);
  }

  void forward(SwitchId s, const BsrMessage& message) {
    const core::PortMask mask = routes_.mask(s, message.destination);
    if (mask == 0) throw std::runtime_error("a message without a way");
    std::uint32_t port = routes_.next_port(s, message.destination);
    if (message.type != BsrType::kFirst)  // adaptive
      do port = rng_.below(graph_.ports(s));
      while (!(mask >> port & 1));
    const Peer& next = graph_.peer(s, port);
    queues_[queue_at_[next.id][next.port]].messages.push_back(message);
  }

  void release(NodeId node, const BsrMessage& message) {
    Group& group = groups_.at(message.gid);
    if (message.type == BsrType::kFirst) {
      group.refused = true;
      return;
    }
    const auto at = barrier_of_.find({node, message.gid});
    if (at == barrier_of_.end()) throw std::runtime_error("a release without a waiting member");
    const std::uint32_t barrier = at->second;
    barrier_of_.erase(at);
    if (group.arrived[barrier] != group.tree.members.size())
      throw std::runtime_error(fmt::format("node {} released early", node));
    ++group.released[barrier];
    if (barrier + 1 < group.barriers) arrivals_.push_back({node, message.gid, barrier + 1});
  }

  std::optional<std::uint32_t> entry_of(SwitchId s, std::uint32_t gid) const {
    for (std::uint32_t e = 0; e < tables_[s].size(); ++e)
      if (tables_[s].at(e).valid && tables_[s].at(e).gid == gid) return e;
    return std::nullopt;
  }

  const Graph& graph_;
  const Routes& routes_;
  Random& rng_;
  Faults faults_;
  std::vector<golden::BsrTable> tables_;
  std::vector<Queue> queues_;
  std::vector<std::vector<std::size_t>> queue_at_;  // by switch and input port
  std::vector<Arrival> arrivals_;
  std::map<std::uint32_t, Group> groups_;
  std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> barrier_of_;  // that a member waits at
  std::uint64_t drops_ = 0;
};

/// Theorem 1 of the paper: the first barrier's messages find the BSR tree, whatever their order.

Graph any_network(Random& rng) {
  const auto side = [&] { return 1 + rng.below(7); };
  if (rng.below(4) == 0) return generate_mesh(side(), side(), rng.below(3) == 0 ? 2 : 1);
  return random_network(rng);
}

preempt::BsrTree any_tree(const Graph& graph, const Routes& routes, Random& rng) {
  const std::vector<NodeId> members = random_group(graph, rng);
  return preempt::build_bsr_tree(graph, routes, members, members[rng.below(members.size())]);
}

constexpr int kTrials = 300;

/// Of the trials with a fault, those whose tables differ, or that released a member early or never.
int with_faults(const Faults& faults, Random& rng) {
  int wrong = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Graph graph = generate_mesh(6, 6);
    const Routes routes = routes_for(graph);
    BsrNetwork net(graph, routes, 1, rng, faults);
    net.create(any_tree(graph, routes, rng), 7, 1);
    try {
      net.run();
      const BsrNetwork::Group& group = net.group(7);
      wrong += group.released[0] != group.tree.members.size() || net.difference(group) != "";
    } catch (const std::runtime_error&) {
      ++wrong;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("the first barrier finds the tree of the routes, others go by it on any legal way",
          "[golden][bsr]") {
  Random rng(muster_seed());
  for (int trial = 0; trial < 5000; ++trial) {
    CAPTURE(trial);
    const Graph graph = any_network(rng);
    const Routes routes = routes_for(graph);
    const std::uint32_t groups = 1 + rng.below(3);
    BsrNetwork net(graph, routes, groups, rng);
    const std::uint32_t barriers = trial % 8 == 0 ? 2 + rng.below(9) : 1;
    for (std::uint32_t gid = 200; gid < 200 + groups; ++gid)
      REQUIRE(net.create(any_tree(graph, routes, rng), gid, barriers));
    net.run();
    for (std::uint32_t gid = 200; gid < 200 + groups; ++gid) {
      const BsrNetwork::Group& group = net.group(gid);
      REQUIRE(net.difference(group) == "");
      REQUIRE(group.released ==
              std::vector<std::uint32_t>(barriers,
                                         static_cast<std::uint32_t>(group.tree.members.size())));
      REQUIRE_FALSE(group.refused);
    }
    REQUIRE(net.drops() == 0);
  }
}

TEST_CASE("a full table refuses a group and touches no other", "[golden][bsr]") {
  Random rng(muster_seed());
  int refused = 0, made = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    CAPTURE(trial);
    const Graph graph = any_network(rng);
    const Routes routes = routes_for(graph);
    BsrNetwork net(graph, routes, 1 + rng.below(2), rng);
    std::vector<std::uint32_t> gids;
    for (std::uint32_t gid = 0; gid < 4; ++gid)
      if (net.create(any_tree(graph, routes, rng), gid, 1)) gids.push_back(gid);
    net.run();
    std::vector<std::uint32_t> again;
    for (const std::uint32_t gid : gids) {
      const BsrNetwork::Group& group = net.group(gid);
      if (group.refused) {
        CHECK(group.released[0] == 0);
        again.push_back(gid);
        net.remove(gid);
      }
    }
    for (const std::uint32_t gid : gids) {
      const BsrNetwork::Group& group = net.group(gid);
      if (group.refused) continue;
      REQUIRE(net.difference(group) == "");
      REQUIRE(group.released[0] == group.tree.members.size());
      net.remove(gid);
      ++made;
    }
    // What was refused leaves no trace: alone, it is made.
    refused += static_cast<int>(again.size());
    for (const std::uint32_t gid : again) {
      const preempt::BsrTree tree = net.group(gid).tree;
      REQUIRE(net.create(tree, gid, 2));
      net.run();
      REQUIRE(net.difference(net.group(gid)) == "");
      REQUIRE(net.group(gid).released[1] == tree.members.size());
      net.remove(gid);
    }
  }
  CHECK(refused > 50);
  CHECK(made > 1000);
}

TEST_CASE("without the order of a channel, or any one of the rules, the theorem fails",
          "[golden][bsr]") {
  Random rng(muster_seed());
  CHECK(with_faults({}, rng) == 0);
  CHECK(with_faults({.overtaking = true}, rng) > kTrials * 7 / 100);
  const auto wrong = [&](Bnt from, Bnt to) {
    Faults faults;
    faults.spoil = [&](BsrMessage& m) {
      if (m.type == BsrType::kFirst && m.bnt == from) m.bnt = to;
    };
    return with_faults(faults, rng);
  };
  CHECK(wrong(Bnt::kSource, Bnt::kNothing) > 200);  // no source is recorded
  CHECK(wrong(Bnt::kNewNode, Bnt::kNothing) > 50);  // rule 2: a branch stays unknown above
  CHECK(wrong(Bnt::kNewNode, Bnt::kSource) > 50);   // rule 2 taken for rule 1
  CHECK(wrong(Bnt::kNothing, Bnt::kSource) > 50);   // rule 3: the child is overwritten
  CHECK(wrong(Bnt::kFree, Bnt::kNothing) > 50);     // intermediate entries stay
}
