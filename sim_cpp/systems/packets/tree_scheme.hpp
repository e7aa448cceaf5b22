// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/packets/unicast_scheme.hpp"

namespace muster::packets {

/// A binomial tree over `count` places has its root at place 0; the parent of place i is i less its
/// lowest set bit. The children of a place, the farthest first, which has most to tell.
std::vector<std::uint32_t> binomial_children(std::uint32_t place, std::uint32_t count);

/// Unicasts from member to member that reach all of a group in ceil(log2 n) steps, over the members
/// in switch-based order: by switch, those of a switch side by side, so that the last steps stay
/// within switches (the baseline of docs/systems/preempting-switches.md): a binomial tree in this
/// order, which begins with the root, cyclic.
struct BinomialTree {
  std::vector<topology::NodeId> members;  ///< ascending; all other fields are by place in here
  std::uint32_t root = 0;
  std::vector<std::uint32_t> parent;                 ///< the root's is itself
  std::vector<std::vector<std::uint32_t>> children;  ///< in the order in which they are told
};

/// Throws InputError if the group is empty, names a node that is not there or one twice, or if the
/// root is no member.
BinomialTree plan_binomial_tree(const topology::Graph& graph,
                                std::span<const topology::NodeId> members, topology::NodeId root);

/// The tree barrier without preemption, [4] of the paper on preempting switches: members combine
/// along a binomial tree in switch-based order, multicast back, and acknowledge
/// (docs/systems/preempting-switches.md, Baselines). Packets between nodes, in virtual channel 0.
class TreePlan : public PacketPlan {
 public:
  /// Throws InputError for members that are none, and for options that packets have no use for.
  explicit TreePlan(const run::ResolvedRun& run);

  /// On the ways between members and their parents.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override;
  std::unique_ptr<const run::CheckedGroups> checked() const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  std::vector<BinomialTree> trees_;
};

}  // namespace muster::packets
