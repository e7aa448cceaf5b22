// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "systems/preempt/golden/bsr_table.hpp"
#include "systems/preempt/scheme/bsr_tree.hpp"

/// Status tables of a whole network with only queues between them: one for each channel of
/// a link, taken in any order from one queue to the next, in order within one. No cycles, no
/// switches: what holds here holds for every timing.
class BsrNetwork {
 public:
  using Message = muster::preempt::BsrMessage;
  using NodeId = muster::topology::NodeId;
  using SwitchId = muster::topology::SwitchId;

  /// How a network is broken on purpose.
  struct Faults {
    bool overtaking;                      ///< messages of a channel overtake each other
    std::function<void(Message&)> spoil;  ///< changes what stands at the head of a queue
  };

  struct Group {
    muster::preempt::BsrTree tree;
    std::uint32_t gid = 0, barriers = 1;
    std::vector<std::uint32_t> arrived, released;  ///< members, by barrier
    bool refused = false;                          ///< the center member was told so
  };

  BsrNetwork(const muster::topology::Graph& graph, const muster::topology::Routes& routes,
             std::uint32_t entries, muster::Rng& rng)
      : BsrNetwork(graph, routes, entries, rng, Faults{false, {}}) {}
  BsrNetwork(const muster::topology::Graph& graph, const muster::topology::Routes& routes,
             std::uint32_t entries, muster::Rng& rng, Faults faults);

  /// Writes the entries of the members' switches. Returns false, and writes none, if one is full.
  bool create(const muster::preempt::BsrTree& tree, std::uint32_t gid, std::uint32_t barriers);
  /// Removes every entry of the group from the tables.
  void remove(std::uint32_t gid);

  /// Runs until nothing is under way, in an order drawn from the rng, members arriving in between.
  /// Returns the steps. Throws std::runtime_error on an early or second release, or if it does not
  /// come to an end.
  std::uint64_t run();

  /// What differs from the tree; empty if nothing does. After run().
  std::string difference(const Group& group) const;
  const Group& group(std::uint32_t gid) const { return groups_.at(gid); }
  const muster::golden::BsrTable& table(SwitchId s) const { return tables_[s]; }
  std::uint64_t drops() const { return drops_; }

 private:
  struct Queue {
    SwitchId sw = 0;
    std::uint32_t port = 0;
    std::deque<Message> messages;
  };
  struct Arrival {
    NodeId node;
    std::uint32_t gid, barrier;
  };
  void arrive(const Arrival& arrival);
  void pass(Queue& queue);
  void forward(SwitchId s, const Message& message);
  void release(NodeId node, const Message& message);
  std::optional<std::uint32_t> entry_of(SwitchId s, std::uint32_t gid) const;

  const muster::topology::Graph& graph_;
  const muster::topology::Routes& routes_;
  muster::Rng& rng_;
  Faults faults_;
  std::vector<muster::golden::BsrTable> tables_;
  std::vector<Queue> queues_;
  std::vector<std::vector<std::size_t>> queue_at_;  // by switch and input port
  std::vector<Arrival> arrivals_;
  std::map<std::uint32_t, Group> groups_;
  std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> barrier_of_;  // that a member waits at
  std::uint64_t drops_ = 0;
};
