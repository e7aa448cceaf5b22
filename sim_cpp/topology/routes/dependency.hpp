// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// One direction of a link between two switches.
struct Channel {
  PortRef from, to;
};

/// The channel dependency graph of Dally and Seitz: an edge from channel c to channel d where some
/// packet may hold c and wait for d. All bits of all masks count, so that acyclic means free of
/// deadlock for adaptive messages too. Node channels are left out: nothing waits in front of an
/// injection channel and nodes always drain, so no cycle contains one.
class DependencyGraph {
 public:
  DependencyGraph(const Graph& graph, const Routes& routes, const Steps& steps = {});

  const std::vector<Channel>& channels() const { return channels_; }
  /// Channels that packets in `channel` may wait for, as places in channels().
  const std::vector<std::uint32_t>& successors(std::uint32_t channel) const {
    return successors_[channel];
  }

  /// The channels of one cycle, each waiting for the next and the last for the first; empty if
  /// there is none.
  std::vector<Channel> cycle() const;
  bool deadlock_free() const { return cycle().empty(); }

 private:
  std::vector<Channel> channels_;
  std::vector<std::vector<std::uint32_t>> successors_;
};

/// "0:1 -> 3:0, 3:2 -> 1:1, ...": for a message.
std::string describe(const std::vector<Channel>& channels);

}  // namespace muster::topology
