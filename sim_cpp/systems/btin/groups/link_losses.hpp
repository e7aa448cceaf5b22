// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/routes.hpp"
#include "run/drain_watch.hpp"
#include "systems/btin/groups/group_manager.hpp"

namespace muster::btin {

/// The host's part when links are declared dead, one after the other: packets are held until none
/// is in the network, the tables of the new routes are written through the register ports, a word
/// a cycle at each switch, and packets go again. Barriers go on all the while. The nodes move the
/// trees that use the link (docs/systems/groups.md); when no register names it any more it is taken
/// out.
///
/// Packets need not be held if no next port in use changes and the old routes and the new ones have
/// no cycle of dependencies together.
class LinkLosses {
 public:
  /// `routes` are those in force and are kept so, for the checkers. All but `spec`
  /// outlive this.
  LinkLosses(const run::RunSpec& spec, fabric::Network& network, GroupManager& manager,
             topology::Routes& routes);
  /// Before every cycle.
  void step(std::uint64_t cycle);
  /// None is left, or one waits only for the trees that use it.
  bool settled() const { return done() || step_ == Step::kFreeing; }
  /// All have been taken out.
  bool done() const { return at_ == results_.size(); }
  /// One has been declared and is not out.
  bool under_way() const { return at_ < results_.size() && step_ != Step::kWaiting; }
  /// Tables are half old, half new; if together they have a cycle, no packet is there.
  bool writing() const { return step_ == Step::kWriting; }
  const std::vector<LinkResult>& results() const { return results_; }

 private:
  enum class Step : std::uint8_t { kWaiting, kEmptying, kWriting, kFreeing };
  struct Entry {
    std::uint32_t address = 0, value = 0;
  };
  void declare(std::uint64_t cycle);
  void find_entries(const topology::Routes& next);
  bool write_some();
  void take_out(std::uint64_t cycle);

  fabric::Network& network_;
  GroupManager& manager_;
  topology::Routes& routes_;
  topology::Graph graph_;  ///< what is left
  run::DrainWatch drain_;
  std::vector<LinkResult> results_;
  std::size_t at_ = 0;  ///< the link in hand
  Step step_ = Step::kWaiting;
  topology::Routes next_{0, 0};
  std::vector<std::deque<Entry>> entries_;  ///< to be written, by switch
};

}  // namespace muster::btin
