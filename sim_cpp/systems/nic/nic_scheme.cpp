// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/nic_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "run/groups.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::nic {

void NicTraffic::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                         std::span<const core::CreditEvent> /*credits*/) {
  for (const core::FlitEvent& event : flits) {
    if (event.flit.sync() || event.channel >= channels_) continue;
    Passing& passing = passing_[event.channel * vcs_ + event.flit.vc];
    if (event.flit.head()) {
      passing.nic = fabric::Formats::opcode(event.flit) == fabric::kOpcodeDevice;
      passing.flits = 0;
    }
    if (!passing.nic || passing.flits == nic::kNicFlits) continue;
    passing.flit[passing.flits++] = event.flit;
    if (!event.flit.tail()) continue;
    const auto message = nic::nic_message(std::span(passing.flit).first(passing.flits));
    if (!message || message->group >= newest_.size()) continue;  // the checkers' business
    const bool leaves =
        event.channel >= first_node_channel_ && (event.channel - first_node_channel_) % 2 == 0;
    if (leaves) ++sent_[static_cast<std::size_t>(message->type)];
    if (message->type != NicType::kStep && message->type != NicType::kData) continue;
    // Barriers of a group that are on the links at once are near each other.
    std::uint64_t& newest = newest_[message->group];
    const auto ahead = static_cast<std::int8_t>(message->barrier - newest);
    if (ahead < 0 && newest < static_cast<std::uint64_t>(-ahead)) continue;
    const std::uint64_t barrier = newest + static_cast<std::uint64_t>(std::int64_t{ahead});
    newest = std::max(newest, barrier);
    count(cycle, message->group, static_cast<std::uint32_t>(barrier), false);
  }
}

StepScheme::StepScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : Scheme(parts.members),
      plan_(plan),
      traffic_(plan.groups().size(), parts.spec.barriers, parts.network.layout().channels().size(),
               parts.network.layout().into_switch(0), parts.config.vcs),
      known_(plan.groups().size(), 0) {
  for (const NicPlannedGroup& group : plan.groups()) barriers_.emplace_back(group.members.size());
}

void StepScheme::check_with(checkers::CheckerList& checkers) {
  checker_ = checkers.find<checkers::NicBarriers>();
}

bool StepScheme::arrived(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  if (checker_ != nullptr) checker_->arrived(cycle, g, m);
  if (!list(g, m).empty()) return false;
  release(cycle, g, m);
  return true;
}

void StepScheme::release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  // The first to be released is the first to know that all have arrived.
  if (++barriers_[group][member] > known_[group]) {
    ++known_[group];
    members_.completed(cycle, group);
  }
  if (checker_ != nullptr) checker_->released(cycle, group, member);
  members_.released(cycle, group, member);
}

std::string StepScheme::explain(std::uint32_t g) const {
  const NicPlannedGroup& group = plan_.groups()[g];
  const std::uint32_t barrier = members_.current(g);
  std::string text = run::stalled_text(plan_.run(), members_, g, group.members, "");
  constexpr std::uint32_t kShown = 4;
  std::uint32_t shown = 0;
  for (std::uint32_t m = 0; m < group.members.size() && shown < kShown; ++m) {
    if (members_.released_from(g, m) > barrier) continue;
    text += "\n  " + describe(g, m);
    ++shown;
  }
  return text;
}

NicCost StepScheme::cost() const {
  NicCost cost;
  cost.steps = traffic_.sent(NicType::kStep);
  cost.nacks = traffic_.sent(NicType::kNack);
  cost.not_yets = traffic_.sent(NicType::kNotYet);
  cost.acks = traffic_.sent(NicType::kAck);
  cost.data = traffic_.sent(NicType::kData);
  for (const NicPlannedGroup& group : plan_.groups())
    cost.messages_planned += nic::messages(group.lists);
  return cost;
}

namespace nic_regs = nic::registers;

NicScheme::NicScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : StepScheme(plan, parts),
      spec_(parts.spec),
      choice_(run::own<NicSpec>(parts.spec)),
      nics_(core::to<NicBank>(parts.network.devices())),
      ports_(core::to<const NicPorts>(parts.network.node_ports())),
      hosts_(parts.network, nics_, {parts.spec.profile.host, parts.spec.profile.bus}),
      timeout_(choice_.form == ListForm::kChained ? 0 : nic_timeout(parts.spec)),
      at_(parts.spec.graph->nodes()),
      peers_(parts.spec.graph->nodes()),
      tokens_(parts.spec.graph->nodes()) {
  const std::uint32_t channel = spec_.own_barrier_vc ? parts.config.vcs - 1 : 0;
  for (topology::NodeId n = 0; n < at_.size(); ++n) {
    nics_.write_register(n, nic_regs::kAddress, nic_regs::address_word(n, channel));
    nics_.write_register(n, nic_regs::kTimes,
                         nic_regs::times_word(timeout_, choice_.retries, choice_.gap));
  }
  for (std::uint32_t g = 0; g < plan.groups().size(); ++g) {
    const NicPlannedGroup& group = plan.groups()[g];
    walks_.emplace_back();
    for (const auto& steps : group.lists) walks_.back().emplace_back(steps.size());
    for (std::uint32_t m = 0; m < group.members.size(); ++m) load(g, m);
  }
}

/// What a member's NIC must hold of a group.
void NicScheme::load(std::uint32_t g, std::uint32_t m) {
  const NicPlannedGroup& group = plan().groups()[g];
  const topology::NodeId node = group.members[m];
  const std::vector<Step>& list = group.lists[m];
  const std::uint32_t context = group.contexts[m];
  at_[node].push_back({g, m});
  if (choice_.level != NicLevel::kCollective)
    for (const Step& step : list) connect(node, group.members[step.peer]);
  if (choice_.level == NicLevel::kHost) return;
  for (const auto& image :
       nic::entry_images(group.lists, m, group.members, choice_.form, plan().list_entries()))
    nics_.write_register(node, nic_regs::entry(context, image.entry), image.word);
  nics_.write_register(node, nic_regs::control(context),
                       nic_regs::control_word(g, 0, choice_.level == NicLevel::kDirect));
}

void NicScheme::connect(topology::NodeId node, topology::NodeId peer) {
  std::vector<topology::NodeId>& peers = peers_[node];
  if (std::find(peers.begin(), peers.end(), peer) != peers.end()) return;
  const auto connection = static_cast<std::uint32_t>(peers.size());
  nics_.write_register(node, nic_regs::connection(connection), nic_regs::connection_word(peer));
  peers.push_back(peer);
}

void NicScheme::arrive(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  const NicPlannedGroup& group = plan().groups()[g];
  if (arrived(cycle, g, m)) return;
  if (choice_.level == NicLevel::kHost) {
    walks_[g][m].begin();
    walk(cycle, g, m);
  } else {
    hosts_.write(cycle, group.members[m], nic_regs::doorbell(group.contexts[m]),
                 nic_regs::kContextsDoorbellStarts.mask());
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
        hosts_.write(cycle, node, nic_regs::kSend, *next, choice_.host_step);
      return;
    default:
      dead(cycle, node, word);
  }
}

/// In runs with deaths run::AffectedGroups knows which groups have lost something; a group that has
/// lost nothing and still waits for ever is found by the watchdog.
void NicScheme::dead(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) const {
  if (!spec_.deaths.empty()) return;
  throw InternalError(fmt::format("cycle {}, n{}: its NIC declares n{} dead: {}", cycle, node,
                                  nic_regs::event_peer(word), nics_.describe(node)));
}

void NicScheme::abandon(std::uint64_t cycle, std::uint32_t g) {
  const NicPlannedGroup& group = plan().groups()[g];
  for (std::size_t m = 0; m < group.members.size(); ++m)
    hosts_.write(cycle, group.members[m], nic_regs::control(group.contexts[m]), 0);
}

/// A message for a host that walks the list.
void NicScheme::received(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) {
  const std::uint32_t g = nic_regs::event_group(word), slot = nic_regs::event_slot(word);
  const auto& places = at_[node];
  const auto at = std::find_if(places.begin(), places.end(),
                               [&](const ServedMember& p) { return p.group == g; });
  if (at == places.end())
    throw InternalError(
        fmt::format("cycle {}, n{}: a message of group {}, which it is not in", cycle, node, g));
  const std::uint32_t m = at->member;
  const auto ahead = static_cast<std::uint8_t>(nic_regs::event_barrier(word) - barrier(g, m));
  if (!walks_[g][m].come(slot, ahead))
    throw InternalError(
        fmt::format("cycle {}, n{}: a message of barrier {} of group {} for step {}, it is at {}",
                    cycle, node, nic_regs::event_barrier(word), g, slot, barrier(g, m)));
  if (walks_[g][m].walking()) walk(cycle, g, m);
}

void NicScheme::send(std::uint64_t cycle, topology::NodeId node, topology::NodeId peer,
                     std::uint32_t word) {
  const std::vector<topology::NodeId>& peers = peers_[node];
  const auto connection = std::find(peers.begin(), peers.end(), peer) - peers.begin();
  if (tokens_[node].take(static_cast<std::uint32_t>(connection), word))
    hosts_.write(cycle, node, nic_regs::kSend, word, choice_.host_step);
}

/// Sends up to the next message that has not come.
void NicScheme::walk(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  const std::vector<topology::NodeId>& nodes = plan().groups()[g].members;
  const bool done = walks_[g][m].go_on(list(g, m), [&](const Step& step) {
    send(cycle, nodes[m], nodes[step.peer],
         nic_regs::send_word(nodes[step.peer], step.peer_step, g, barrier(g, m) & 0xff));
  });
  if (done) release(cycle, g, m);
}

std::string NicScheme::describe(std::uint32_t group, std::uint32_t member) const {
  return nics_.describe(plan().groups()[group].members[member]);
}

void NicScheme::fill(run::RunResult& result) const {
  NicCost cost = StepScheme::cost();
  cost.doorbells = hosts_.doorbells();
  cost.events = hosts_.events();
  cost.timeout = timeout_;
  std::uint64_t refused = 0;
  for (topology::NodeId n = 0; n < at_.size(); ++n) {
    const std::uint32_t drops = nics_.read_register(n, nic_regs::kDrops);
    cost.malformed += nic_regs::kDropsMalformed.of(drops);
    cost.unknown += nic_regs::kDropsUnknown.of(drops);
    cost.stale += nic_regs::kDropsStale.of(drops);
    cost.limited += nic_regs::kDropsLimited.of(drops);
    refused += nics_.read_register(n, nic_regs::kRefused);
  }
  if (refused != 0)
    result.violations.push_back(fmt::format("NICs have refused {} doorbells", refused));
  cost.faults = ports_.faults();
  run::own<NicCost>(result) = cost;
}

RdmaScheme::RdmaScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : StepScheme(plan, parts),
      network_(parts.network),
      losses_(!parts.spec.deaths.empty()),
      overhead_(parts.spec.profile.host),
      step_(run::own<NicSpec>(parts.spec).host_step),
      hosts_(parts.spec.graph->nodes()) {
  for (const NicPlannedGroup& group : plan.groups()) {
    walks_.emplace_back();
    for (const auto& steps : group.lists) walks_.back().emplace_back(steps.size());
    places_.emplace_back(group.members);
  }
}

void RdmaScheme::arrive(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  if (arrived(cycle, g, m)) return;
  walks_[g][m].begin();
  walk(cycle, g, m);
}

void RdmaScheme::walk(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
  const std::vector<topology::NodeId>& nodes = plan().groups()[g].members;
  Host& host = hosts_[nodes[m]];
  const bool done = walks_[g][m].go_on(list(g, m), [&](const Step& step) {
    host.free = std::max(host.free, cycle) + step_ + overhead_;
    host.sends.push_back({host.free,
                          {.type = NicType::kStep,
                           .source = nodes[m],
                           .destination = nodes[step.peer],
                           .slot = static_cast<std::uint8_t>(step.peer_step),
                           .group = static_cast<std::uint8_t>(g),
                           .barrier = static_cast<std::uint8_t>(barrier(g, m))}});
    ++pending_;
  });
  if (done) release(cycle, g, m);
}

void RdmaScheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                                std::span<const core::Flit> flits) {
  const auto message = nic_message(flits);
  if (losses_ && !message) return;
  if (!message || message->destination != node || message->group >= walks_.size() ||
      places_[message->group][node] == topology::Places::kNone)
    throw InternalError(fmt::format(
        "cycle {}, node {}: packet of {} flits with opcode {} that it does not wait for", cycle,
        node, flits.size(), fabric::Formats::opcode(flits.front())));
  Host& host = hosts_[node];
  host.free = std::max(host.free, cycle) + overhead_;
  host.events.push_back({host.free, *message});
  ++pending_;
  ++received_;
  take_events(cycle, node);
}

void RdmaScheme::take_events(std::uint64_t cycle, std::uint32_t node) {
  Host& host = hosts_[node];
  while (!host.events.empty() && host.events.front().cycle <= cycle) {
    const NicMessage message = host.events.front().message;
    host.events.pop_front();
    --pending_;
    received(cycle, message);
  }
}

void RdmaScheme::received(std::uint64_t cycle, const NicMessage& message) {
  const std::uint32_t g = message.group, m = places_[g][message.destination];
  ListWalk& walk_of = walks_[g][m];
  const auto ahead = static_cast<std::uint8_t>(message.barrier - barrier(g, m));
  if (!walk_of.come(message.slot, ahead))
    throw InternalError(
        fmt::format("cycle {}, n{}: a message of barrier {} of group {} for step {}, it is at {}",
                    cycle, message.destination, message.barrier, g, message.slot, barrier(g, m)));
  if (walk_of.walking()) walk(cycle, g, m);
}

void RdmaScheme::before_cycle(std::uint64_t cycle) {
  if (pending_ == 0) return;
  for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
    Host& host = hosts_[n];
    if (!network_.node_alive(n)) {
      pending_ -= host.sends.size() + host.events.size();
      host = {};
      continue;
    }
    take_events(cycle, n);
    // Programs decide in the cycle before: what they send is at the endpoint from this one on.
    while (!host.sends.empty() && host.sends.front().cycle < cycle) {
      const auto flits = nic_flits(host.sends.front().message, 0);
      network_.endpoints().send_packet(n, {flits.begin(), flits.end()});
      host.sends.pop_front();
      --pending_;
      ++sent_;
    }
  }
}

void RdmaScheme::fill(run::RunResult& result) const {
  NicCost cost = StepScheme::cost();
  cost.doorbells = sent_;
  cost.events = received_;
  run::own<NicCost>(result) = cost;
}

std::string RdmaScheme::describe(std::uint32_t g, std::uint32_t m) const {
  const ListWalk& walk_of = walks_[g][m];
  const std::vector<topology::NodeId>& nodes = plan().groups()[g].members;
  if (!walk_of.walking()) return fmt::format("n{}: has not arrived", nodes[m]);
  const std::uint32_t step = walk_of.step();
  return fmt::format("n{}: waits in step {} for n{}", nodes[m], step, nodes[list(g, m)[step].peer]);
}

}  // namespace muster::nic
