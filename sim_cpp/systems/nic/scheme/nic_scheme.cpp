// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/nic_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "systems/nic/blocks/nic_registers.hpp"

namespace muster::nic {

namespace nic_regs = nic::registers;

NicScheme::NicScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : StepScheme(plan, parts),
      spec_(parts.spec),
      choice_(parts.spec.parts.get<NicSpec>()),
      handles_(*parts.network.handles().find<NicHandles>()),
      hosts_(parts.network, *handles_.nics, {parts.spec.profile.host, parts.spec.profile.bus}),
      timeout_(choice_.form == ListForm::kChained ? 0 : nic_timeout(parts.spec)),
      at_(parts.spec.graph->nodes()),
      peers_(parts.spec.graph->nodes()),
      tokens_(parts.spec.graph->nodes()) {
  NicBank& nics = *handles_.nics;
  const std::uint32_t channel = spec_.own_barrier_vc ? parts.config.vcs - 1 : 0;
  for (topology::NodeId n = 0; n < at_.size(); ++n) {
    nics.write_register(n, nic_regs::kAddress, nic_regs::address_word(n, channel));
    nics.write_register(n, nic_regs::kTimes,
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
  NicBank& nics = *handles_.nics;
  const std::uint32_t context = group.contexts[m];
  at_[node].push_back({g, m});
  if (choice_.level != NicLevel::kCollective)
    for (const Step& step : list) connect(node, group.members[step.peer]);
  if (choice_.level == NicLevel::kHost) return;
  for (const auto& image :
       nic::entry_images(group.lists, m, group.members, choice_.form, plan().list_entries()))
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

/// In runs with deaths run::HitGroups knows which groups have lost something; a group that has lost
/// nothing and still waits for ever is found by the watchdog.
void NicScheme::dead(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) const {
  if (!spec_.deaths.empty()) return;
  throw InternalError(fmt::format("cycle {}, n{}: its NIC declares n{} dead: {}", cycle, node,
                                  nic_regs::event_peer(word), handles_.nics->describe(node)));
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
  return handles_.nics->describe(plan().groups()[group].members[member]);
}

void NicScheme::fill(run::RunResult& result) const {
  NicCost cost = StepScheme::cost();
  cost.doorbells = hosts_.doorbells();
  cost.events = hosts_.events();
  cost.timeout = timeout_;
  std::uint64_t refused = 0;
  for (topology::NodeId n = 0; n < at_.size(); ++n) {
    const std::uint32_t drops = handles_.nics->read_register(n, nic_regs::kDrops);
    cost.malformed += nic_regs::kDropsMalformed.of(drops);
    cost.unknown += nic_regs::kDropsUnknown.of(drops);
    cost.stale += nic_regs::kDropsStale.of(drops);
    cost.limited += nic_regs::kDropsLimited.of(drops);
    refused += handles_.nics->read_register(n, nic_regs::kRefused);
  }
  if (refused != 0)
    result.violations.push_back(fmt::format("NICs have refused {} doorbells", refused));
  cost.faults = handles_.ports->faults();
  result.parts.set(cost);
}

}  // namespace muster::nic
