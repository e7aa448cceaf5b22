// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "systems/packets/scheme/unicast_scheme.hpp"
#include "systems/packets/switch_kinds.hpp"

namespace muster::packets {

/// What one barrier by packets to and from a root node asks of the network: the deterministic
/// routes between it and the other members.
struct BaselinePaths {
  std::uint32_t others = 0;      ///< members but the root node
  std::uint32_t hops_up = 0;     ///< links of all routes to the root node together
  std::uint32_t hops_worms = 0;  ///< links that worms from the root node traverse, each once a worm
  std::uint32_t worms = 0;       ///< of at most `worm_addresses`, in the order of `members`
};

/// REQUIRES: delivery_fault(graph, routes) finds none; `root` is one of `members`.
BaselinePaths baseline_paths(const topology::Graph& graph, const topology::Routes& routes,
                             std::span<const topology::NodeId> members, topology::NodeId root,
                             std::uint32_t worm_addresses);

/// The multicast scheme (BTIN section 4.3, Table 2): arrivals as by unicast, releases by worms that
/// multicast switches replicate; docs/systems/baselines.md.
class MulticastPlan : public UnicastPlan {
 public:
  explicit MulticastPlan(const run::ResolvedRun& run);

  const fabric::SwitchKind& switch_kind() const override { return kMulticastSwitch; }
  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  run::PlanTimes times(const fabric::SwitchConfig&) const override {
    return {.packet_flits = packet_flits_};
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  std::vector<std::uint32_t> hops_;
  std::uint64_t packet_flits_ = 0;
};

/// Nodes as in UnicastScheme, but the root node sends worms, each to the next 64 of the others in
/// the order of the group, in the worm channel.
class MulticastScheme : public UnicastScheme {
 public:
  MulticastScheme(const std::vector<RootedGroup>& groups, const run::SchemeParts& parts);

 private:
  void send_releases(std::uint32_t group) override;

  std::uint8_t worm_channel_;
};

}  // namespace muster::packets
