// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/run/spec.hpp"
#include "run/deaths/health.hpp"
#include "run/links/drain_watch.hpp"
#include "run/links/table_rewrite.hpp"

namespace muster::run {

/// The manager's part after deaths (docs/systems/deaths.md, Routes). Some time after the first end
/// of a link between switches has gone down, which is long enough for all others to follow, it
/// plans routes around what is down, has packets held until none is in the network, writes the
/// tables and lets packets go again. It goes by ends of links, and by which switches answer.
/// Barriers go on.
class Reroute {
 public:
  /// `settling`: cycles from the first end to the plan. `routes` are those in force and are kept
  /// so. All outlive this. REQUIRES: before the first cycle.
  Reroute(const RunSpec& spec, fabric::Network& network, const Health& health,
          topology::Routes& routes, std::uint64_t settling);
  /// Before every cycle. `free`: no other change restarts links or holds packets. True if in this
  /// one the tables stand and packets may go again.
  bool step(std::uint64_t cycle, bool free);
  /// Packets are to be held.
  bool holds() const { return step_ == Step::kEmptying || step_ == Step::kWriting; }
  const std::vector<Casualties::Rerouting>& results() const { return results_; }

 private:
  enum class Step : std::uint8_t { kNone, kSettling, kEmptying, kWriting };
  void look_for_losses();
  void plan(std::uint64_t cycle);
  double bound_of(const topology::Routes& routes) const;
  bool between_switches(core::ChannelId end) const;

  fabric::Network& network_;
  const Health& health_;
  topology::Routes& routes_;
  std::uint64_t settling_;
  DrainWatch drain_;
  TableRewrite rewrite_;
  std::size_t seen_ = 0;     ///< of Health::down()
  std::uint64_t first_ = 0;  ///< cycle in which the first of those went down
  Step step_ = Step::kNone;
  std::vector<Casualties::Rerouting> results_;
};

}  // namespace muster::run
