// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "run/links/link_losses.hpp"
#include "systems/btin/groups/barrier_changes.hpp"

namespace muster::btin {

/// The trees of groups on links that die: nodes move them away, with the routes of what is left.
class TreesOnLinks final : public run::LinkUsers {
 public:
  explicit TreesOnLinks(GroupManager& manager) : manager_(manager) {}
  std::vector<std::uint16_t> permits(const topology::Routes& routes) const override {
    return manager_.permits(routes);
  }
  bool declare_dead(const run::DeadLink& dead) override {
    manager_.declare_dead(dead.link.a, dead.rest);
    return false;
  }
  bool uses(const run::KilledLink& link) override { return manager_.uses(link.a); }

 private:
  GroupManager& manager_;
};

/// What changes in a run while its groups are alive: members by their requests, and links that are
/// declared dead.
class Dynamics {
 public:
  /// All outlive this.
  Dynamics(const run::RunSpec& spec, fabric::Network& network, BtinScheme& scheme,
           run::Members& members, GroupManager& manager, topology::Routes& routes);
  void tell(checkers::CheckerList& checkers) { changes_.tell(checkers); }
  /// The groups are alive: nodes send their requests.
  void begin();
  /// Before every cycle, from the first on.
  void step(std::uint64_t cycle);
  /// Nothing is under way but a link that will be free when the groups are released.
  bool settled() const { return !manager_.changing() && links_.settled(); }
  /// All links are out.
  bool done() const { return links_.done(); }
  /// What will never come to an end, or makes no progress for longer than `hang_limit` cycles;
  /// empty if all is well. A link that waits for the release of groups is no trouble until they are
  /// `released`.
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const;
  const std::vector<run::LinkResult>& links() const { return links_.results(); }
  void fill(Result& result) const;

 private:
  /// Registers of all groups as planned now, with the routes in force, have no dependency
  /// cycle.
  void check_waits() const;
  /// Changes and steps of links so far.
  std::uint64_t steps() const;

  const run::RunSpec& spec_;
  BtinScheme& scheme_;
  const run::Members& members_;
  GroupManager& manager_;
  const topology::Routes& routes_;
  BarrierChanges changes_;
  TreesOnLinks trees_;
  run::LinkLosses links_;
  std::uint64_t seen_steps_ = 0, moved_ = 0;
};

}  // namespace muster::btin
