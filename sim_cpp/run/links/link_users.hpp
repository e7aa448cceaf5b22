// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/run/dead_links.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::run {

/// A link at the moment in which it is declared dead. The references are good for the call.
struct DeadLink {
  const KilledLink& link;          ///< `cycle` is the present one
  const topology::Graph& rest;     ///< the network without it
  const topology::Routes& before;  ///< in force
  const topology::Routes& next;    ///< of `rest`, to come
  bool acyclic;                    ///< both together have no cycle of dependencies
};

/// The barriers of a scheme, as far as links that die concern them. LinkLosses asks between two
/// cycles.
class LinkUsers {
 public:
  virtual ~LinkUsers() = default;
  /// Routes of what is left of the network, which is connected.
  virtual topology::Routes routes_of(const topology::Graph& rest) {
    return topology::routes_for(rest);
  }
  /// Messages take any bit of a mask: a dead link leaves the masks that have another at once.
  virtual bool adaptive() const { return false; }
  /// Register words that go with routes, by switch: permits; none without.
  virtual std::vector<std::uint16_t> permits(const topology::Routes&) const { return {}; }
  /// True if it holds groups until the new tables stand.
  virtual bool declare_dead(const DeadLink& dead) = 0;
  /// The tables may be rewritten; once true it stays so until they are.
  virtual bool lets_rewrite() { return true; }
  /// The new tables stand.
  virtual void rewritten(std::uint64_t /*cycle*/, const KilledLink& /*link*/) {}
  /// Barrier messages may still go by the link.
  virtual bool uses(const KilledLink& link) = 0;
  /// It is taken out in this cycle.
  virtual void taken_out(std::uint64_t /*cycle*/, const KilledLink& /*link*/) {}
};

}  // namespace muster::run
