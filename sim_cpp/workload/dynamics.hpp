// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "workload/barrier_changes.hpp"
#include "workload/link_losses.hpp"

namespace muster::workload {

/// What changes in a run while its groups are alive: members by their wishes, and links that are
/// declared dead.
class Dynamics {
 public:
  /// All outlive this. Throws InputError if the scheme has no trees.
  Dynamics(const RunSpec& spec, network::Network& network, Scheme& scheme, Members& members,
           life::GroupLife& life, topology::Routes& routes);
  void tell(checkers::CheckerSuite& checkers) { changes_.tell(checkers); }
  /// The groups are alive: nodes send their wishes.
  void begin();
  /// Before every cycle, from the first on.
  void step(std::uint64_t cycle);
  /// Nothing is under way but a link that will be free when the groups are released.
  bool settled() const { return !life_.changing() && links_.settled(); }
  /// All links are out.
  bool done() const { return links_.done(); }
  /// What will never come to an end, or stands still for longer than `patience` cycles; empty if
  /// all is well. A link that waits for the release of groups is no trouble until they are
  /// `released`.
  std::string trouble(std::uint64_t cycle, std::uint64_t patience, bool released) const;
  void fill(RunResult& result) const;

 private:
  /// Registers of all groups as planned now, with the routes in force, wait for nothing in a
  /// circle.
  void check_waits() const;
  /// Changes and steps of links so far.
  std::uint64_t steps() const;

  const RunSpec& spec_;
  BtinScheme& scheme_;
  const Members& members_;
  life::GroupLife& life_;
  const topology::Routes& routes_;
  BarrierChanges changes_;
  LinkLosses links_;
  std::uint64_t seen_steps_ = 0, moved_ = 0;
};

}  // namespace muster::workload
