// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "systems/btin/figures/btin_latency.hpp"

namespace muster::packets {

/// What one barrier by packets to and from a root node asks of the network: the deterministic
/// routes between it and the other members.
struct BaselinePaths {
  std::uint32_t others = 0;         ///< members but the root node
  std::uint32_t farthest = 0;       ///< links of the longest route to the root node
  std::uint32_t farthest_down = 0;  ///< and from it
  std::uint32_t busiest_port = 0;   ///< messages through the busiest port of the root switch that
                                    ///< leads to another switch, on the way to the root node
  std::uint32_t hops_up = 0;        ///< links of all routes to the root node together
  std::uint32_t hops_down = 0;      ///< and from it
  std::uint32_t hops_worms = 0;  ///< links that worms from the root node traverse, each once a worm
  std::uint32_t worms = 0;       ///< of at most `worm_addresses`, in the order of `members`
};

/// REQUIRES: delivery_fault(graph, routes) finds none; `root` is one of `members`.
BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const topology::NodeId> members, topology::NodeId root,
                             std::uint32_t worm_addresses);

/// Where messages to the root node stand in each other's way, one every t_r + t_p.
enum class Contention {
  kOff,       ///< nowhere, as the paper claims (section 5.1)
  kRootPort,  ///< at the busiest inter-switch port of the root switch
  kRootNode   ///< at the root node's one link: the one-port model taken at its word
};

/// Nanoseconds of a barrier of the multicast scheme by the formula of section 5.1: unicasts to the
/// root node, the last of them delayed by those before it, and worms back that wait for nothing.
std::uint64_t multicast_latency_ns(const BaselinePaths& paths, Contention contention,
                                   const btin::BtinDelays& delays = {});

}  // namespace muster::packets
