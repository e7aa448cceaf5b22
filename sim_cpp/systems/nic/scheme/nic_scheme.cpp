// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/nic_scheme.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "systems/nic/blocks/nic_registers.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "topology/routes/load.hpp"

namespace muster::nic {

namespace nic_regs = nic::registers;

std::uint32_t nic_timeout(const run::RunSpec& spec) {
  if (const auto given = spec.parts.get<NicSpec>().timeout) return *given;
  const std::vector<std::uint32_t> levels = topology::bfs_levels(*spec.graph, 0);
  std::uint64_t link = 1;
  for (const topology::Link& l : spec.graph->links())
    link = std::max<std::uint64_t>(link, l.latency);
  const std::uint64_t way = 2 * std::uint64_t{*std::max_element(levels.begin(), levels.end())} + 2;
  // There and back, each packet behind some others at every switch.
  const std::uint64_t hop = link + spec.profile.pipe + 3 + 8 * nic::kNicFlits;
  const std::uint64_t nics =
      2 * std::uint64_t{kDataPasses + kAckPasses} * spec.profile.interface_pass;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(2 * way * hop + nics, 0xffff));
}

NicScheme::NicScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : plan_(plan),
      spec_(parts.spec),
      choice_(parts.spec.parts.get<NicSpec>()),
      handles_(*parts.network.handles().find<NicHandles>()),
      listener_(parts.members),
      hosts_(parts.network, *handles_.nics, {parts.spec.profile.host, parts.spec.profile.bus}),
      timeout_(nic_timeout(parts.spec)),
      known_(plan.groups().size(), 0),
      at_(parts.spec.graph->nodes()),
      peers_(parts.spec.graph->nodes()),
      tokens_(parts.spec.graph->nodes()),
      traffic_(plan.groups().size(), parts.spec.barriers, parts.network.layout().channels().size(),
               parts.network.layout().into_switch(0), parts.config.vcs) {
  NicBank& nics = *handles_.nics;
  const std::uint32_t channel = spec_.own_barrier_vc ? parts.config.vcs - 1 : 0;
  for (topology::NodeId n = 0; n < at_.size(); ++n) {
    nics.write_register(n, nic_regs::kAddress, nic_regs::address_word(n, channel));
    nics.write_register(n, nic_regs::kTimes,
                        nic_regs::times_word(timeout_, choice_.retries, choice_.gap));
  }
  for (std::uint32_t g = 0; g < plan.groups().size(); ++g) {
    const NicPlannedGroup& group = plan.groups()[g];
    members_.emplace_back(group.members.size());
    for (std::uint32_t m = 0; m < group.members.size(); ++m) load(g, m);
  }
}

/// What a member's NIC must hold of a group.
void NicScheme::load(std::uint32_t g, std::uint32_t m) {
  const NicPlannedGroup& group = plan_.groups()[g];
  const topology::NodeId node = group.members[m];
  const std::vector<Step>& list = group.lists[m];
  NicBank& nics = *handles_.nics;
  const std::uint32_t context = group.contexts[m];
  at_[node].push_back({g, m});
  members_[g][m].received.assign(list.size(), false);
  members_[g][m].early.assign(list.size(), false);
  if (choice_.level != NicLevel::kCollective)
    for (const Step& step : list) connect(node, group.members[step.peer]);
  if (choice_.level == NicLevel::kHost) return;
  for (const auto& image :
       nic::entry_images(list, group.members, choice_.form, plan_.list_entries()))
    nics.write_register(node, nic_regs::entry(context, image.entry), image.word);
  nics.write_register(node, nic_regs::control(context),
                      nic_regs::control_word(g, 0, choice_.level == NicLevel::kDirect));
}

void NicScheme::connect(topology::NodeId node, topology::NodeId peer) {
  std::vector<topology::NodeId>& peers = peers_[node];
  if (std::find(peers.begin(), peers.end(), peer) != peers.end()) return;
  const auto connection = static_cast<std::uint32_t>(peers.size());
  handles_.nics->write_register(node, nic_regs::connection(connection),
                                nic_regs::connection_word(peer));
  peers.push_back(peer);
}

void NicScheme::check_with(checkers::CheckerList& checkers) {
  checker_ = checkers.find<checkers::NicBarriers>();
}

void NicScheme::arrive(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  const NicPlannedGroup& group = plan_.groups()[g];
  if (checker_ != nullptr) checker_->arrived(cycle, g, m);
  if (group.lists[m].empty()) {
    release(cycle, g, m);
  } else if (choice_.level == NicLevel::kHost) {
    members_[g][m].walking = true;
    walk(cycle, g, m);
  } else {
    hosts_.write(cycle, group.members[m], nic_regs::doorbell(group.contexts[m]), nic_regs::kStart);
  }
}

void NicScheme::event(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) {
  switch (nic_regs::event(word)) {
    case nic_regs::Event::kDone: {
      const ServedMember at = at_[node].at(nic_regs::event_context(word));
      release(cycle, at.group, at.member);
      return;
    }
    case nic_regs::Event::kReceived:
      received(cycle, node, word);
      return;
    case nic_regs::Event::kSent:
      if (const auto next = tokens_[node].give_back(nic_regs::event_slot(word)))
        hosts_.write(cycle, node, nic_regs::kSend, *next);
      return;
    default:
      dead(cycle, node, word);
  }
}

/// Of runs with deaths those know who has lost something (run::HitGroups): a group that waits in
/// vain and has lost nothing is found by the watchdog.
void NicScheme::dead(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) const {
  if (!spec_.deaths.empty()) return;
  throw InternalError(fmt::format("cycle {}, n{}: its NIC takes n{} for dead: {}", cycle, node,
                                  nic_regs::event_peer(word), handles_.nics->describe(node)));
}

void NicScheme::abandon(std::uint64_t cycle, std::uint32_t g) {
  const NicPlannedGroup& group = plan_.groups()[g];
  for (std::size_t m = 0; m < group.members.size(); ++m)
    hosts_.write(cycle, group.members[m], nic_regs::control(group.contexts[m]), 0);
}

/// A message for a host that walks the list.
void NicScheme::received(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) {
  const std::uint32_t g = nic_regs::event_group(word), slot = nic_regs::event_slot(word);
  const auto& places = at_[node];
  const auto at = std::find_if(places.begin(), places.end(),
                               [&](const ServedMember& p) { return p.group == g; });
  if (at == places.end() || slot >= members_[g][at->member].received.size())
    throw InternalError(
        fmt::format("cycle {}, n{}: a message of group {} for step {} that it does not have", cycle,
                    node, g, slot));
  Member& member = members_[g][at->member];
  const auto ahead = static_cast<std::uint8_t>(nic_regs::event_barrier(word) - member.barrier);
  std::vector<bool>& bits = ahead == 0 ? member.received : member.early;
  if (ahead > 1 || bits[slot])
    throw InternalError(
        fmt::format("cycle {}, n{}: a message of barrier {} of group {} for step {}, it is at {}",
                    cycle, node, nic_regs::event_barrier(word), g, slot, member.barrier));
  bits[slot] = true;
  if (member.walking) walk(cycle, g, at->member);
}

void NicScheme::send(std::uint64_t cycle, topology::NodeId node, topology::NodeId peer,
                     std::uint32_t word) {
  const std::vector<topology::NodeId>& peers = peers_[node];
  const auto connection = std::find(peers.begin(), peers.end(), peer) - peers.begin();
  if (tokens_[node].take(static_cast<std::uint32_t>(connection), word))
    hosts_.write(cycle, node, nic_regs::kSend, word);
}

/// Sends up to the next message that has not come.
void NicScheme::walk(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  const NicPlannedGroup& group = plan_.groups()[g];
  Member& member = members_[g][m];
  const std::vector<Step>& list = group.lists[m];
  for (; member.step < list.size(); ++member.step) {
    const Step& step = list[member.step];
    if (step.send)
      send(cycle, group.members[m], group.members[step.peer],
           nic_regs::send_word(group.members[step.peer], step.peer_step, g, member.barrier & 0xff));
    else if (!member.received[member.step])
      return;
  }
  member.walking = false;
  member.step = 0;
  member.received.swap(member.early);
  member.early.assign(list.size(), false);
  release(cycle, g, m);
}

void NicScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  // The first to be released is the first to know that all have arrived.
  if (++members_[group][member].barrier > known_[group]) {
    ++known_[group];
    listener_.completed(cycle, group);
  }
  if (checker_ != nullptr) checker_->released(cycle, group, member);
  listener_.released(cycle, group, member);
}

std::string NicScheme::explain(const run::Members& members, std::uint32_t g) const {
  const NicPlannedGroup& group = plan_.groups()[g];
  const std::uint32_t barrier = members.current(g);
  std::vector<std::string> missing;
  for (const std::uint32_t m : members.missing(g, barrier))
    missing.push_back(fmt::format("n{}", group.members[m]));
  std::string text = fmt::format("group '{}' makes no progress at barrier {} since cycle {}",
                                 group.name, barrier, members.last_event(g));
  if (!missing.empty())
    text += fmt::format("; members that have not arrived: {}", fmt::join(missing, ", "));
  constexpr std::uint32_t kShown = 4;
  std::uint32_t shown = 0;
  for (std::uint32_t m = 0; m < group.members.size() && shown < kShown; ++m) {
    if (members.released_from(g, m) > barrier) continue;
    text += "\n  " + handles_.nics->describe(group.members[m]);
    ++shown;
  }
  return text;
}

void NicScheme::fill(run::RunResult& result) const {
  NicCost cost;
  cost.steps = traffic_.sent(NicType::kStep);
  cost.nacks = traffic_.sent(NicType::kNack);
  cost.not_yets = traffic_.sent(NicType::kNotYet);
  cost.acks = traffic_.sent(NicType::kAck);
  cost.data = traffic_.sent(NicType::kData);
  cost.doorbells = hosts_.doorbells();
  cost.events = hosts_.events();
  cost.timeout = timeout_;
  for (const NicPlannedGroup& group : plan_.groups())
    cost.messages_planned += nic::messages(group.lists);
  std::uint64_t refused = 0;
  for (topology::NodeId n = 0; n < at_.size(); ++n) {
    const std::uint32_t drops = handles_.nics->read_register(n, nic_regs::kDrops);
    cost.malformed += drops & 0xff;
    cost.unknown += drops >> 8 & 0xff;
    cost.stale += drops >> 16 & 0xff;
    cost.limited += drops >> 24;
    refused += handles_.nics->read_register(n, nic_regs::kRefused);
  }
  if (refused != 0)
    result.violations.push_back(fmt::format("NICs have refused {} doorbells", refused));
  cost.faults = handles_.ports->faults();
  result.parts.set(cost);
}

}  // namespace muster::nic
