// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/deaths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/link_bank.hpp"
#include "fabric/register_map.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/links/link_plan.hpp"
#include "run/run_parts.hpp"

namespace muster::run {

AffectedGroups::AffectedGroups(const RunSpec& spec, const SchemePlan& plan,
                               const fabric::Layout& layout, const Members& members)
    : graph_(*spec.graph),
      groups_(spec.groups),
      plan_(plan),
      layout_(layout),
      members_(members),
      hits_(spec.groups.size()) {}

bool AffectedGroups::has(std::uint32_t group, const Death& death,
                         const topology::Routes& routes) const {
  const std::vector<topology::NodeId>& members = groups_[group].members;
  if (death.node) return std::find(members.begin(), members.end(), death.id) != members.end();
  const checkers::Loss loss{.id = death.id, .link = death.link};
  const std::vector<topology::PortRef> ports = plan_.ports(group, routes);
  return std::any_of(ports.begin(), ports.end(),
                     [&](const topology::PortRef& port) { return loss.at(layout_, port); });
}

void AffectedGroups::lose(const Death& death, const topology::Routes& routes) {
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    if (!hits_[g] && !members_.done(g) && has(g, death, routes)) hits_[g] = death;
}

bool AffectedGroups::all_given_up(std::uint64_t cycle, std::uint64_t limit) const {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (members_.done(g)) continue;
    if (!hits_[g] || members_.scheduled(g) != 0) return false;
    if (cycle - std::max(members_.last_event(g), hits_[g]->cycle) <= limit) return false;
  }
  return true;
}

void AffectedGroups::fill(Casualties& casualties) const {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (!hits_[g]) {
      casualties.untouched.push_back(groups_[g].name);
      continue;
    }
    const bool recovered =
        std::any_of(casualties.recovered.begin(), casualties.recovered.end(),
                    [&](const Casualties::Recovery& r) { return r.group == g && r.recovered; });
    casualties.groups_hit.push_back({.group = g,
                                     .culprit = name_of(graph_, *hits_[g]),
                                     .cycle = hits_[g]->cycle,
                                     .barriers = members_.current(g),
                                     .last = members_.last_event(g),
                                     .complete = members_.done(g),
                                     .recovered = recovered});
  }
}

std::string block_name(bool node, std::uint32_t id) {
  return fmt::format("{}{}", node ? "n" : "sw", id);
}

std::string name_of(const topology::Graph& graph, const Death& death) {
  if (!death.link) return block_name(death.node, death.id);
  const auto links = static_cast<std::uint32_t>(graph.links().size());
  if (death.id >= links) {
    const topology::NodeId node = death.id - links;
    return fmt::format("{}-n{}", topology::node_name(graph, node), node);
  }
  const auto& [a, b, latency] = graph.links()[death.id];
  return fmt::format("{}:{}-{}:{}", a.sw, a.port, b.sw, b.port);
}

namespace regs = fabric::link_registers;

Restart::Restart(const RunSpec& spec, fabric::Network& network, const Health& health)
    : network_(network),
      health_(health),
      restarting_(spec.graph->switches(), 0),
      patience_(4 * network.longest_hold()) {}

bool Restart::concerns(core::ChannelId end) const {
  const fabric::Channel& channel = network_.layout().channels()[end];
  return (!channel.from.node && restarting_[channel.from.id]) ||
         (!channel.to.node && restarting_[channel.to.id]);
}

void Restart::begin(std::uint64_t cycle, topology::SwitchId sw) {
  restarting_[sw] = 1;
  under_way_ = true;
  silent_since_.assign(network_.channels(), cycle);
}

bool Restart::step(std::uint64_t cycle) {
  if (!under_way_ || !all_started(cycle)) return false;
  under_way_ = false;
  restarting_.assign(restarting_.size(), 0);
  return true;
}

/// Asks those that are down to restart. One that the host has put down has a dead block behind it,
/// or a link that is cut. All are read before any is written: a port has one access a cycle.
bool Restart::all_started(std::uint64_t cycle) {
  std::vector<std::uint32_t> words(network_.channels(), 0);  // 0 of those that do not matter
  for (core::ChannelId c = 0; c < words.size(); ++c)
    if (concerns(c) && network_.end_alive(c))
      words[c] = network_.link_ends()->read_register(c, regs::kStatus);
  const auto waits = [&](core::ChannelId c) {  // for a pause of its block
    return regs::state(words[c]) == regs::LinkState::kDown &&
           regs::kStatusRestart.of(words[c]) != 0;
  };
  bool all = true;
  for (core::ChannelId c = 0; c < words.size(); ++c) {
    if (!concerns(c) || !network_.end_alive(c)) continue;
    const bool down = regs::state(words[c]) == regs::LinkState::kDown;
    const bool calls = !down && regs::state(words[c]) != regs::LinkState::kUp;
    if (!calls || waits(c ^ 1u)) silent_since_[c] = cycle;
    if (!calls && (!down || regs::reason(words[c]) == regs::LinkReason::kKilled)) continue;
    all = false;
    if (calls && cycle - silent_since_[c] >= patience_)
      network_.write_to_end(c, regs::kStatus, regs::kCommandKill.mask());
    if (down && !waits(c) && health_.is_down(c))
      network_.write_to_end(c, regs::kStatus, regs::kCommandRestart.mask());
  }
  return all;
}

Polling::Polling(fabric::Network& network, const Restart& restart)
    : network_(network),
      restart_(restart),
      period_(std::max(512u, network.longest_hold())),
      missed_(network.graph().switches() + network.graph().nodes(), 0),
      calling_(network.channels(), 0) {}

regs::LinkState Polling::state(core::ChannelId end) const {
  return regs::state(network_.link_ends()->read_register(end, regs::kStatus));
}

/// Of a link that was cut before its first session; a session that is restarted takes its time.
bool Polling::calls_in_vain(core::ChannelId end) {
  const bool calls = state(end) != regs::LinkState::kUp && !restart_.concerns(end);
  const bool before = calling_[end] != 0;
  calling_[end] = calls;
  return calls && before;
}

void Polling::poll() {
  for (core::ChannelId c = 0; c < network_.channels(); ++c) {
    const fabric::End& behind = network_.layout().channels()[c].to;
    if (!network_.end_alive(c) || state(c) == regs::LinkState::kDown) continue;
    // One that is down says so; an end that is still up has not heard it, so the link is cut.
    const core::ChannelId other = c ^ 1u;
    const bool alone = state(c) == regs::LinkState::kUp && network_.end_alive(other) &&
                       state(other) == regs::LinkState::kDown;
    if (missed(behind) || alone || calls_in_vain(c))
      network_.write_to_end(c, regs::kStatus, regs::kCommandKill.mask());
  }
  for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
    missed({false, s, 0}) = !network_.switch_alive(s);
  for (topology::NodeId n = 0; n < network_.graph().nodes(); ++n)
    missed({true, n, 0}) = !network_.node_alive(n);
}

Deaths::Deaths(const ResolvedRun& run, const Affected& affected)
    : on_(affected),
      spec_(run.spec),
      homes_(run.homes),
      dests_(run.config.dests),
      patience_(run.hang_limits.bereft),
      deaths_(run.spec.deaths),
      groups_(run.spec, *run.plan, affected.network.layout(), affected.members),
      restart_(run.spec, affected.network, affected.health),
      polling_(affected.network, restart_),
      reroute_(run.spec, affected.network, affected.health, affected.routes, polling_.longest()) {
  std::stable_sort(deaths_.begin(), deaths_.end(),
                   [](const Death& a, const Death& b) { return a.cycle < b.cycle; });
}

void Deaths::step(std::uint64_t cycle) {
  for (; next_ < deaths_.size() && deaths_[next_].cycle <= cycle; ++next_) happen(deaths_[next_]);
  on_.health.look(cycle);
  polling_.step(cycle);
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
  on_.handler.hold(hold);
}

/// The switches that were reset.
void Deaths::taken_back(std::uint64_t cycle) {
  for (Casualties::Event& event : events_)
    if (event.death.reset && !event.again) event.again = cycle;
  if (on_.checkers != nullptr) on_.checkers->recovered();
}

void Deaths::happen(const Death& death) {
  events_.push_back({death, {}});
  still_until_ = std::max(still_until_, death.cycle + polling_.longest());
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
    const auto members = topology::sorted_members(*spec_.graph, spec_.groups[g].members);
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
  on_.handler.write_again(death.id);
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
  const auto recovered = on_.handler.recoveries();
  casualties.recovered.assign(recovered.begin(), recovered.end());
  for (Casualties::Recovery& recovery : casualties.recovered) recovery.cause = cause_of(recovery);
  groups_.fill(casualties);
  add_detections(casualties);
  return casualties;
}

}  // namespace muster::run
