// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "systems/preempt/scheme/bsr_tree.hpp"

namespace muster::preempt {

/// Two sets of routes of one network, and where they part for the messages of a group
/// (docs/systems/bsr-tree.md, Dead links). The references outlive this.
class BsrWays {
 public:
  BsrWays(const topology::Graph& graph, const topology::Routes& before,
          const topology::Routes& next)
      : graph_(graph), before_(before), next_(next) {}

  /// First messages, and *free*, meet a switch whose deterministic port differs: the messages of a
  /// first barrier that is not over could find another tree than they have begun.
  bool first_differ(const BsrTree& tree) const;
  /// Messages between a BSR node and its parent meet a switch whose mask differs, on some way that
  /// the old masks allow. If they meet none, all their ways are as they were.
  bool later_differ(const BsrTree& tree) const;

 private:
  bool meets(topology::SwitchId from, topology::SwitchId to) const;

  const topology::Graph& graph_;
  const topology::Routes& before_;
  const topology::Routes& next_;
};

}  // namespace muster::preempt
