// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The places of nodes among the members of a group.
class Places {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Places() = default;
  /// In the order of `members`.
  explicit Places(std::span<const NodeId> members) {
    for (const NodeId node : members) add(node);
  }
  /// kNone if it is no member.
  std::uint32_t operator[](NodeId node) const {
    return node < places_.size() ? places_[node] : kNone;
  }
  /// Gives a node that has none the next place, and returns it.
  std::uint32_t add(NodeId node) {
    if (node >= places_.size()) places_.resize(node + 1, kNone);
    return places_[node] = count_++;
  }

 private:
  std::vector<std::uint32_t> places_;  ///< by node
  std::uint32_t count_ = 0;
};

}  // namespace muster::topology
