// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/link_bank.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/reroute.hpp"

namespace muster::run {

/// Which groups have lost a member, or a switch or link that their messages use, while they had
/// barriers to do. Such a group may never be done; it is waited for while its members are on their
/// way and for a time after its last event.
class AffectedGroups {
 public:
  /// All outlive this.
  AffectedGroups(const RunSpec& spec, const SchemePlan& plan, const fabric::Layout& layout,
                 const Members& members);
  /// `routes`: in force. Again when they have been rewritten: what is dead stays so.
  void lose(const Death& death, const topology::Routes& routes);
  /// It is a member of the group, or a part of its network that the group uses with these routes.
  bool has(std::uint32_t group, const Death& death, const topology::Routes& routes) const;
  bool hit(std::uint32_t group) const { return hits_[group].has_value(); }
  /// Every group is done or has been hit and has had no event for `limit` cycles.
  bool all_given_up(std::uint64_t cycle, std::uint64_t limit) const;
  /// Fills in `groups_hit` and `untouched`. REQUIRES: `recovered` is.
  void fill(Casualties& casualties) const;

 private:
  const topology::Graph& graph_;
  const std::vector<RunGroup>& groups_;
  const SchemePlan& plan_;
  const fabric::Layout& layout_;
  const Members& members_;
  std::vector<std::optional<Death>> hits_;  ///< by group: the first
};

/// "sw3", "n17"
std::string block_name(bool node, std::uint32_t id);
/// What has died: as above, or the link, "3:0-1:2" or "3:4-n17".
std::string name_of(const topology::Graph& graph, const Death& death);

/// The hosts' part after a reset (docs/systems/deaths.md, Reset): the ends at the other side of the
/// switch's links go down, and are asked to restart until all are up. Hosts know what registers and
/// interrupts of link ends say.
///
/// An end restarts in the first pause of what its block sends, inside a packet or not; meanwhile
/// nodes start no packet, so that there is one soon. An end that has not found the other
/// one in four times the longest hold of a link end is put down by its host: it would call for
/// ever, its link is cut.
class Restart {
 public:
  /// `network` and `health` outlive this. REQUIRES: before the first cycle.
  Restart(const RunSpec& spec, fabric::Network& network, const Health& health);
  /// These switches have been reset now, and are restarted together with those under way.
  void begin(std::uint64_t cycle, topology::SwitchId sw);
  /// Before every cycle. True if in this one all switches that were reset are taken back.
  bool step(std::uint64_t cycle);
  /// Some are not yet.
  bool under_way() const { return under_way_; }
  /// The end is of a link of a switch that is being restarted.
  bool concerns(core::ChannelId end) const;

 private:
  bool all_started(std::uint64_t cycle);

  fabric::Network& network_;
  const Health& health_;
  std::vector<std::uint8_t> restarting_;  ///< by switch
  bool under_way_ = false;
  std::uint64_t patience_;  ///< cycles for an end to find the other one
  /// By end: the last cycle in which it did not call, or the other end was waiting.
  std::vector<std::uint64_t> silent_since_;
};

/// The manager of the network polls: now and then it reads a register of each switch and asks
/// the host of each node. Of a block that has not answered twice it has the ends at the other side
/// of its links put down, if they are not; and the other end of a link of which one is down. An end
/// whose flits are all acknowledged waits for nothing, and would not notice, even if its block
/// waits for credits.
class Polling {
 public:
  /// `network` and `restart` outlive this. REQUIRES: link ends.
  Polling(fabric::Network& network, const Restart& restart);
  /// Before every cycle.
  void step(std::uint64_t cycle) {
    if (cycle % period_ == 0) poll();
  }
  /// Cycles from a death until all ends behind its links are down, at the latest.
  std::uint64_t longest() const { return 2 * period_; }

 private:
  void poll();
  fabric::link_registers::LinkState state(core::ChannelId end) const;
  std::uint8_t& missed(const fabric::End& block) {
    return missed_[block.node ? network_.graph().switches() + block.id : block.id];
  }

  bool calls_in_vain(core::ChannelId end);

  fabric::Network& network_;
  const Restart& restart_;
  std::uint64_t period_;               ///< cycles; longer than an end takes to notice
  std::vector<std::uint8_t> missed_;   ///< by switch, then by node: silent the last time
  std::vector<std::uint8_t> calling_;  ///< by channel: the end looked for the other the last time
};

/// What hears of deaths. All outlive Deaths; the pointers may be null.
struct Affected {
  fabric::Network& network;
  Health& health;
  Members& members;
  FaultHandler& handler;  ///< of the scheme
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
  /// See AffectedGroups.
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
  AffectedGroups groups_;
  Restart restart_;
  Polling polling_;
  Reroute reroute_;
  bool holding_ = false;
  std::uint64_t held_since_ = 0;
  std::uint64_t still_until_ = 0;
  std::vector<Casualties::Event> events_;
};

}  // namespace muster::run
