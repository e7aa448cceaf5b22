// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/deaths.hpp"

#include <algorithm>

#include "fabric/register_map.hpp"
#include "run/build_network.hpp"
#include "run/links/link_plan.hpp"

namespace muster::run {

Deaths::Deaths(const ResolvedRun& run, const Affected& affected)
    : on_(affected),
      spec_(run.spec),
      homes_(run.homes),
      dests_(run.config.dests),
      patience_(run.hang_limits.bereft),
      deaths_(run.spec.deaths),
      groups_(run.spec, *run.plan, affected.network.layout(), affected.members),
      restart_(run.spec, affected.network, affected.health),
      rounds_(affected.network, restart_),
      reroute_(run.spec, affected.network, affected.health, affected.routes, rounds_.longest()) {
  std::stable_sort(deaths_.begin(), deaths_.end(),
                   [](const Death& a, const Death& b) { return a.cycle < b.cycle; });
}

void Deaths::step(std::uint64_t cycle) {
  for (; next_ < deaths_.size() && deaths_[next_].cycle <= cycle; ++next_) happen(deaths_[next_]);
  on_.health.look(cycle);
  rounds_.step(cycle);
  if (restart_.step(cycle)) taken_back(cycle);
  if (reroute_.step(cycle, !restart_.under_way()))
    for (const Casualties::Event& event : events_)
      if (!event.death.reset) groups_.lose(event.death, on_.routes);
  const bool hold = restart_.under_way() || reroute_.holds();
  if (hold) still_until_ = std::max(still_until_, cycle);
  if (hold == holding_) return;
  holding_ = hold;
  held_since_ = cycle;
  on_.network.hold_packets(hold);
  on_.scheme.hold(hold);
}

/// The switches that were reset.
void Deaths::taken_back(std::uint64_t cycle) {
  for (Casualties::Event& event : events_)
    if (event.death.reset && !event.again) event.again = cycle;
  if (on_.checkers != nullptr) on_.checkers->recovered();
}

void Deaths::happen(const Death& death) {
  events_.push_back({death, {}});
  still_until_ = std::max(still_until_, death.cycle + rounds_.longest());
  groups_.lose(death, on_.routes);
  // While the packets' routes are what they were.
  if (on_.checkers != nullptr)
    on_.checkers->lose(death.cycle, {death.node, death.id, death.reset, death.link});
  if (death.reset) return reset(death);
  if (death.link) return;  // WireFaults does it
  if (!death.node) return on_.network.kill_switch(death.id);
  on_.network.kill_node(death.id);
  if (on_.traffic != nullptr) on_.traffic->die(death.cycle, death.id);
  for (std::uint32_t g = 0; g < spec_.groups.size(); ++g) {
    std::vector<topology::NodeId> members = spec_.groups[g].members;
    std::sort(members.begin(), members.end());  // as they count
    const auto at = std::find(members.begin(), members.end(), death.id);
    if (at != members.end()) on_.members.die(g, static_cast<std::uint32_t>(at - members.begin()));
  }
}

/// Routes, permits, and what else the host had written there, are written again at once.
void Deaths::reset(const Death& death) {
  on_.network.reset_switch(death.id);
  write_routes(*spec_.graph, on_.routes, dests_, death.id, on_.network.switches());
  on_.network.switches().write_register(death.id, fabric::registers::kPermits,
                                        homes_.permits[death.id]);
  on_.scheme.write_again(death.id);
  restart_.begin(death.cycle, death.id);
}

bool Deaths::expects_down(core::ChannelId end) const {
  const fabric::End& to = on_.network.layout().channels()[end].to;
  const bool alive = to.node ? on_.network.node_alive(to.id) : on_.network.switch_alive(to.id);
  const bool cut = std::any_of(events_.begin(), events_.end(), [&](const Casualties::Event& event) {
    return event.death.link && event.death.id == end / 2;
  });
  return !alive || cut || restart_.concerns(end);
}

/// Of the last event of the block behind the link, or of the end's own.
void Deaths::add_detections(Casualties& casualties) const {
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

/// The last loss of the group before it was suspect: of a member or a part of its first tree, or of
/// anything if there was none.
std::uint64_t Deaths::cause_of(const Casualties::Recovery& recovery) const {
  std::uint64_t any = 0;
  std::optional<std::uint64_t> own;
  for (const Casualties::Event& event : events_) {
    if (event.death.cycle > recovery.suspect) continue;
    any = event.death.cycle;
    if (groups_.has(recovery.group, event.death, on_.routes)) own = any;
  }
  return own.value_or(any);
}

Casualties Deaths::results() const {
  Casualties casualties;
  casualties.events = events_;
  casualties.not_reached.assign(deaths_.begin() + static_cast<std::ptrdiff_t>(next_),
                                deaths_.end());
  casualties.rerouted = reroute_.results();
  if (on_.traffic != nullptr) casualties.packets_lost = on_.traffic->in_flight();
  const auto recovered = on_.scheme.recoveries();
  casualties.recovered.assign(recovered.begin(), recovered.end());
  for (Casualties::Recovery& recovery : casualties.recovered) recovery.cause = cause_of(recovery);
  groups_.fill(casualties);
  add_detections(casualties);
  return casualties;
}

}  // namespace muster::run
