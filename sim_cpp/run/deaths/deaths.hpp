// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "core/text.hpp"
#include "muster/run/checker_list.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/reroute.hpp"
#include "run/links/link_plan.hpp"

namespace muster::run {

/// "sw3", "n17"
inline std::string block_name(bool node, std::uint32_t id) {
  return fmt::format("{}{}", node ? "n" : "sw", id);
}
/// What has died: as above, or the link, "3:0-1:2" or "3:4-n17".
inline std::string name_of(const topology::Graph& graph, const Death& death) {
  if (!death.link) return block_name(death.node, death.id);
  const auto links = static_cast<std::uint32_t>(graph.links().size());
  if (death.id >= links) {
    const topology::NodeId node = death.id - links;
    return fmt::format("{}-n{}", topology::node_name(graph, node), node);
  }
  const auto& [a, b, latency] = graph.links()[death.id];
  return fmt::format("{}:{}-{}:{}", a.sw, a.port, b.sw, b.port);
}

/// What name_of() gives, with its label: `sw3 "spine-2"`; of a link as it is.
inline std::string labelled(const topology::Graph& graph, const std::string& block) {
  const bool node = block.starts_with('n');
  const auto id = topology::whole_number(std::string_view(block).substr(node ? 1 : 2));
  if (!id) return block;
  return block + topology::label_of(node ? graph.node_names : graph.switch_names, *id);
}

namespace ends = fabric::link_registers;

/// The hosts' part after a reset (docs/reliability.md, Reset): the ends at the other side of the
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
  Restart(const RunSpec& spec, fabric::Network& network, const Health& health)
      : network_(network),
        health_(health),
        restarting_(spec.graph->switches(), 0),
        patience_(4 * network.longest_hold()) {}
  /// These switches have been reset now, and are restarted together with those under way.
  void begin(std::uint64_t cycle, topology::SwitchId sw) {
    restarting_[sw] = 1;
    under_way_ = true;
    silent_since_.assign(network_.channels(), cycle);
  }
  /// Before every cycle. True if in this one all switches that were reset are taken back.
  bool step(std::uint64_t cycle) {
    if (!under_way_ || !all_started(cycle)) return false;
    under_way_ = false;
    restarting_.assign(restarting_.size(), 0);
    return true;
  }
  /// Some are not yet.
  bool under_way() const { return under_way_; }
  /// The end is of a link of a switch that is being restarted.
  bool concerns(core::ChannelId end) const {
    const fabric::Channel& channel = network_.layout().channels()[end];
    return (!channel.from.node && restarting_[channel.from.id]) ||
           (!channel.to.node && restarting_[channel.to.id]);
  }

 private:
  /// Asks those that are down to restart. One that the host has put down has a dead block behind
  /// it, or a link that is cut. All are read before any is written: a port has one access a cycle.
  bool all_started(std::uint64_t cycle) {
    std::vector<std::uint32_t> words(network_.channels(), 0);  // 0 of those that do not matter
    for (core::ChannelId c = 0; c < words.size(); ++c)
      if (concerns(c) && network_.end_alive(c)) words[c] = status_of(network_, c);
    const auto waits = [&](core::ChannelId c) {  // for a pause of its block
      return ends::state(words[c]) == ends::LinkState::kDown &&
             ends::kStatusRestart.of(words[c]) != 0;
    };
    bool all = true;
    for (core::ChannelId c = 0; c < words.size(); ++c) {
      if (!concerns(c) || !network_.end_alive(c)) continue;
      const bool down = ends::state(words[c]) == ends::LinkState::kDown;
      const bool calls = !down && ends::state(words[c]) != ends::LinkState::kUp;
      if (!calls || waits(c ^ 1u)) silent_since_[c] = cycle;
      if (!calls && (!down || ends::reason(words[c]) == ends::LinkReason::kKilled)) continue;
      all = false;
      if (calls && cycle - silent_since_[c] >= patience_)
        network_.write_to_end(c, ends::kStatus, ends::kCommandKill.mask());
      if (down && !waits(c) && health_.is_down(c))
        network_.write_to_end(c, ends::kStatus, ends::kCommandRestart.mask());
    }
    return all;
  }

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
  Polling(fabric::Network& network, const Restart& restart)
      : network_(network),
        restart_(restart),
        period_(std::max(512u, network.longest_hold())),
        missed_(network.graph().switches() + network.graph().nodes(), 0),
        calling_(network.channels(), 0) {}
  /// Before every cycle.
  void step(std::uint64_t cycle) {
    if (cycle % period_ == 0) poll();
  }
  /// Cycles from a death until all ends behind its links are down, at the latest.
  std::uint64_t longest() const { return 2 * period_; }

 private:
  void poll() {
    for (core::ChannelId c = 0; c < network_.channels(); ++c) {
      const fabric::End& behind = network_.layout().channels()[c].to;
      if (!network_.end_alive(c) || state(c) == ends::LinkState::kDown) continue;
      // One that is down says so; an end that is still up has not heard it, so the link is cut.
      const core::ChannelId other = c ^ 1u;
      const bool alone = state(c) == ends::LinkState::kUp && network_.end_alive(other) &&
                         state(other) == ends::LinkState::kDown;
      if (missed(behind) || alone || calls_in_vain(c))
        network_.write_to_end(c, ends::kStatus, ends::kCommandKill.mask());
    }
    for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
      missed({false, s, 0}) = !network_.switch_alive(s);
    for (topology::NodeId n = 0; n < network_.graph().nodes(); ++n)
      missed({true, n, 0}) = !network_.node_alive(n);
  }
  ends::LinkState state(core::ChannelId end) const { return ends::state(status_of(network_, end)); }
  std::uint8_t& missed(const fabric::End& block) {
    return missed_[block.node ? network_.graph().switches() + block.id : block.id];
  }

  /// Of a link that was cut before its first session; a session that is restarted takes its time.
  bool calls_in_vain(core::ChannelId end) {
    const bool calls = state(end) != ends::LinkState::kUp && !restart_.concerns(end);
    const bool before = calling_[end] != 0;
    calling_[end] = calls;
    return calls && before;
  }

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
/// (docs/reliability.md), and the consequences.
///
/// A group is hit if it has lost a member, or a switch or link that its messages use, while it had
/// barriers to do. It may never be done; it is waited for while its members are on their way and
/// for a time after its last event.
class Deaths {
 public:
  /// `run` outlives this. REQUIRES: before the first cycle, the checkers observe already.
  Deaths(const ResolvedRun& run, const Affected& affected)
      : on_(affected),
        run_(run),
        spec_(run.spec),
        deaths_(run.spec.deaths),
        hits_(run.spec.groups.size()),
        restart_(run.spec, affected.network, affected.health),
        polling_(affected.network, restart_),
        reroute_(run.spec, affected.network, affected.health, affected.routes, polling_.longest()) {
    std::ranges::stable_sort(deaths_, {}, &Death::cycle);
  }
  /// Before every cycle.
  void step(std::uint64_t cycle) {
    for (; next_ < deaths_.size() && deaths_[next_].cycle <= cycle; ++next_) happen(deaths_[next_]);
    on_.health.look(cycle);
    polling_.step(cycle);
    if (restart_.step(cycle)) {
      for (Casualties::Event& event : events_)
        if (event.death.reset && !event.again) event.again = cycle;
      if (on_.checkers != nullptr) on_.checkers->recovered();
    }
    if (reroute_.step(cycle, !restart_.under_way()))
      for (const Casualties::Event& event : events_)
        if (!event.death.reset) lose(event.death);
    const bool hold = restart_.under_way() || reroute_.holds();
    if (hold) still_until_ = std::max(still_until_, cycle);
    if (hold == holding_) return;
    holding_ = hold;
    held_since_ = cycle;
    on_.network.hold_packets(hold);
    on_.handler.hold(hold);
  }
  /// Packets are held: a switch that was reset is being taken back, or tables are rewritten.
  bool under_way() const { return holding_; }
  /// The first cycle of that. REQUIRES: under_way().
  std::uint64_t held_since() const { return held_since_; }
  bool hit(std::uint32_t group) const { return hits_[group].has_value(); }
  /// Every group is done, or has been hit and has had no event for a time.
  bool all_given_up(std::uint64_t cycle) const {
    for (std::uint32_t g = 0; g < hits_.size(); ++g) {
      if (on_.members.done(g)) continue;
      if (!hits_[g] || on_.members.scheduled(g) != 0) return false;
      const std::uint64_t last = std::max(on_.members.last_event(g), hits_[g]->cycle);
      if (cycle - last <= run_.hang_limits.bereft) return false;
    }
    return true;
  }
  /// The block at the other end of its link is dead, or the link is cut, or this or that block is
  /// being restarted.
  bool expects_down(core::ChannelId end) const {
    const fabric::End& to = on_.network.layout().channels()[end].to;
    const bool alive = to.node ? on_.network.node_alive(to.id) : on_.network.switch_alive(to.id);
    const bool cut = std::ranges::any_of(events_, [&](const Casualties::Event& event) {
      return event.death.link && event.death.id == end / 2;
    });
    return !alive || cut || restart_.concerns(end);
  }
  /// Until this cycle nothing may move, and everything be well: a neighbour may not have noticed a
  /// death, or packets are held until a switch is taken back.
  std::uint64_t still_until() const { return still_until_; }
  Casualties results() const {
    Casualties casualties;
    casualties.events = events_;
    casualties.not_reached.assign(deaths_.begin() + static_cast<std::ptrdiff_t>(next_),
                                  deaths_.end());
    casualties.rerouted = reroute_.results();
    if (on_.traffic != nullptr) casualties.packets_lost = on_.traffic->in_flight();
    const auto recovered = on_.handler.recoveries();
    casualties.recovered.assign(recovered.begin(), recovered.end());
    for (Casualties::Recovery& recovery : casualties.recovered) recovery.cause = cause_of(recovery);
    for (std::uint32_t g = 0; g < hits_.size(); ++g) add_group(g, casualties);
    add_detections(casualties);
    return casualties;
  }

 private:
  /// Again when the routes have been rewritten: what is dead stays so.
  void lose(const Death& death) {
    for (std::uint32_t g = 0; g < hits_.size(); ++g)
      if (!hits_[g] && !on_.members.done(g) && has(g, death)) hits_[g] = death;
  }
  /// It is a member of the group, or a part of its network that the group uses with the routes in
  /// force.
  bool has(std::uint32_t group, const Death& death) const {
    const std::vector<topology::NodeId>& members = spec_.groups[group].members;
    if (death.node) return std::ranges::find(members, death.id) != members.end();
    const checkers::Loss loss{.id = death.id, .link = death.link};
    return std::ranges::any_of(
        run_.plan->ports(group, on_.routes),
        [&](const topology::PortRef& port) { return loss.at(on_.network.layout(), port); });
  }
  /// REQUIRES: `recovered` is filled in.
  void add_group(std::uint32_t g, Casualties& casualties) const {
    if (!hits_[g]) return casualties.untouched.push_back(spec_.groups[g].name);
    const bool recovered = std::ranges::any_of(
        casualties.recovered,
        [&](const Casualties::Recovery& r) { return r.group == g && r.recovered; });
    casualties.groups_hit.push_back({.group = g,
                                     .culprit = name_of(*spec_.graph, *hits_[g]),
                                     .cycle = hits_[g]->cycle,
                                     .barriers = on_.members.current(g),
                                     .last = on_.members.last_event(g),
                                     .complete = on_.members.done(g),
                                     .recovered = recovered});
  }
  void happen(const Death& death) {
    events_.push_back({death, {}});
    still_until_ = std::max(still_until_, death.cycle + polling_.longest());
    lose(death);
    // While the packets' routes are what they were.
    if (on_.checkers != nullptr)
      on_.checkers->lose(death.cycle, {death.node, death.id, death.reset, death.link});
    if (death.reset) return reset(death);
    if (death.link) return;  // WireFaults does it
    if (!death.node) return on_.network.kill_switch(death.id);
    on_.network.kill_node(death.id);
    if (on_.traffic != nullptr) on_.traffic->die(death.cycle, death.id);
    for (std::uint32_t g = 0; g < spec_.groups.size(); ++g) {
      const auto members = topology::sorted_members(*spec_.graph, spec_.groups[g].members);
      const auto at = std::ranges::find(members, death.id);
      if (at != members.end()) on_.members.die(g, static_cast<std::uint32_t>(at - members.begin()));
    }
  }
  /// Routes, permits, and what else the host had written there, are written again at once.
  void reset(const Death& death) {
    on_.network.reset_switch(death.id);
    core::Bank& switches = on_.network.switches();
    write_routes(*spec_.graph, on_.routes, run_.config.dests, death.id, switches);
    fabric::registers::write_mask(fabric::registers::kPermits, run_.homes.permits[death.id],
                                  spec_.graph->ports(death.id), writer_of(switches, death.id));
    on_.handler.write_again(death.id);
    restart_.begin(death.cycle, death.id);
  }
  /// The last loss of the group before it was suspect: of a member or a part of its first tree, or
  /// of anything if there was none.
  std::uint64_t cause_of(const Casualties::Recovery& recovery) const {
    std::uint64_t any = 0;
    std::optional<std::uint64_t> own;
    for (const Casualties::Event& event : events_) {
      if (event.death.cycle > recovery.suspect) continue;
      any = event.death.cycle;
      if (has(recovery.group, event.death)) own = any;
    }
    return own.value_or(any);
  }
  /// Of the last event of the block behind the link, or of the end's own.
  void add_detections(Casualties& casualties) const {
    for (const DownEnd& down : on_.health.down()) {
      const fabric::Channel& channel = on_.network.layout().channels()[down.channel];
      const Death* cause = nullptr;
      for (const Casualties::Event& event : events_) {
        const Death& death = event.death;
        const checkers::Loss loss{.node = death.node, .id = death.id, .link = death.link};
        const bool of_link = death.link && down.channel / 2 == death.id;
        if ((of_link || loss.is(channel.to) || loss.is(channel.from)) && death.cycle <= down.cycle)
          cause = &death;
      }
      if (cause == nullptr) continue;
      casualties.detected.push_back({.end = on_.network.layout().name(down.channel),
                                     .block = name_of(*spec_.graph, *cause),
                                     .cycle = down.cycle,
                                     .cycles = down.cycle - cause->cycle,
                                     .reason = reason_text(down.reason)});
    }
  }

  Affected on_;
  const ResolvedRun& run_;
  const RunSpec& spec_;
  std::vector<Death> deaths_;               ///< all that was asked for, by cycle
  std::size_t next_ = 0;                    ///< of them
  std::vector<std::optional<Death>> hits_;  ///< by group: its first loss
  Restart restart_;
  Polling polling_;
  Reroute reroute_;
  bool holding_ = false;
  std::uint64_t held_since_ = 0;
  std::uint64_t still_until_ = 0;
  std::vector<Casualties::Event> events_;
};

}  // namespace muster::run
