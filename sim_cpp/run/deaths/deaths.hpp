// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/run/checker_list.hpp"
#include "muster/run/resolve.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/hit_groups.hpp"
#include "run/deaths/reroute.hpp"
#include "run/deaths/restart.hpp"
#include "run/deaths/rounds.hpp"

namespace muster::run {

/// What hears of deaths. All outlive Deaths; the pointers may be null.
struct Affected {
  fabric::Network& network;
  Health& health;
  Members& members;
  Scheme& scheme;
  DataTraffic* traffic;
  checkers::CheckerList* checkers;
  topology::Routes& routes;  ///< in force, kept so
};

/// Switches, nodes and links that die or are reset in a run, RunSpec::deaths
/// (docs/systems/deaths.md), and the consequences.
class Deaths {
 public:
  /// `run` outlives this. REQUIRES: before the first cycle, the checkers observe already.
  Deaths(const ResolvedRun& run, const Affected& affected);
  /// Before every cycle.
  void step(std::uint64_t cycle);
  /// Packets are held: a switch that was reset is being taken back, or tables are rewritten.
  bool under_way() const { return holding_; }
  /// The first cycle of that. REQUIRES: under_way().
  std::uint64_t held_since() const { return held_since_; }
  /// See HitGroups.
  bool hit(std::uint32_t group) const { return groups_.hit(group); }
  bool all_given_up(std::uint64_t cycle) const { return groups_.all_given_up(cycle, patience_); }
  /// The block at the other end of its link is dead, or the link is cut, or this or that block is
  /// being restarted.
  bool expects_down(core::ChannelId end) const;
  /// Until this cycle nothing may move, and everything be well: a neighbour may not have noticed a
  /// death, or packets are held until a switch is taken back.
  std::uint64_t still_until() const { return still_until_; }
  Casualties results() const;

 private:
  void happen(const Death& death);
  void reset(const Death& death);
  void taken_back(std::uint64_t cycle);
  std::uint64_t cause_of(const Casualties::Recovery& recovery) const;
  void add_detections(Casualties& casualties) const;

  Affected on_;
  const RunSpec& spec_;
  const fabric::HomeNodes& homes_;
  std::uint32_t dests_;        ///< entries of a routing table
  std::uint64_t patience_;     ///< cycles without an event until a group that is hit is given up
  std::vector<Death> deaths_;  ///< all that was asked for, by cycle
  std::size_t next_ = 0;       ///< of them
  HitGroups groups_;
  Restart restart_;
  Rounds rounds_;
  Reroute reroute_;
  bool holding_ = false;
  std::uint64_t held_since_ = 0;
  std::uint64_t still_until_ = 0;
  std::vector<Casualties::Event> events_;
};

}  // namespace muster::run
