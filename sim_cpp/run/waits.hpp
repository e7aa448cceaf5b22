// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/fabric/barrier_registers.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/plan.hpp"
#include "muster/topology/routes.hpp"

namespace muster::run {

/// Share of the busiest channel's capacity that the background data ask for, 0 without data. A link
/// whose buffers cover less than its credit loop has so much less of it.
double utilisation(const RunSpec& spec, const fabric::SwitchConfig& config);

/// Up to here waits have a close bound: queues are short and what waits has its turn soon.
inline constexpr double kCalm = 0.4;

/// Cycles that the longest link takes.
std::uint32_t longest_latency(const topology::Graph& graph);
/// Cycles from the spending of a credit until it can be spent again, on the longest link.
std::uint64_t credit_loop(const topology::Graph& graph, const fabric::SwitchConfig& config);

/// The longest that anything may take in this run, for the checker of bounded waits;
/// docs/reference/runs.md has the formulas. Up to kCalm they grow with length of packets, way,
/// credit loop and groups; above, where single nodes starve, only with the size of the network.
checkers::Bounds wait_bounds(const RunSpec& spec, const fabric::SwitchConfig& config,
                             const PlanTimes& times);

/// The channel dependency graph of a network extended by its barrier registers: who may have to
/// wait for whom before it can move (docs/reference/deadlock.md). Acyclic means
/// that one barrier, many at once, and barriers among wormhole packets all come to their end.
///
/// Vertices: every direction of every link, node links included, and of every register what it
/// collects on the way up and what it hands down. Edges, "waits for":
///  - a channel for the channels that a packet in it may take next (all bits of all masks);
///  - what a register collects for each child: the channel from it, and what the child collects;
///  - what a register hands down for the channel from its parent and what the parent hands down; at
///    the root switch for its own collection, and without `reflect` for the root node's two
///    channels.
/// There is no edge from a channel to a register: a barrier message is in no queue, so that no
/// packet waits for a barrier.
///
/// It is built from the registers as they are loaded, not from trees, so it finds wrong registers
/// too.
class WaitGraph {
 public:
  /// `images`: the registers in use of all switches. Throws InternalError if a child or a parent
  /// named by a register is an open port or a switch without a register of the group.
  WaitGraph(const topology::Graph& graph, const topology::Routes& routes,
            std::span<const fabric::RegisterImage> images);

  std::size_t vertices() const { return successors_.size(); }
  std::size_t edges() const;
  /// One cycle as text, "channel 0:1, group 3 up at switch 4, ..."; empty if there is none.
  std::string cycle() const;

 private:
  using Vertex = std::uint32_t;
  Vertex out_of(topology::PortRef at) const { return out_[at.sw][at.port]; }
  Vertex into(topology::PortRef at) const;
  Vertex up(const fabric::RegisterImage& image, topology::SwitchId sw) const;
  void add_channels(const topology::Routes& routes);
  void add_collection(const fabric::RegisterImage& image);
  void add_distribution(const fabric::RegisterImage& image);
  std::string name(Vertex vertex) const;

  const topology::Graph& graph_;
  std::vector<std::vector<Vertex>> out_;  ///< the channel out of a port of a switch
  Vertex first_node_ = 0;                 ///< the channels out of the nodes, by node
  Vertex first_register_ = 0;             ///< two for each image: up, down
  std::map<std::pair<topology::SwitchId, std::uint32_t>, Vertex> register_of_;  ///< switch, group
  std::span<const fabric::RegisterImage> images_;
  std::vector<std::vector<Vertex>> successors_;
};

}  // namespace muster::run
