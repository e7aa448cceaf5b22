// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/rdma_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::nic {

RdmaScheme::RdmaScheme(const NicPlan& plan, const run::SchemeParts& parts)
    : StepScheme(plan, parts),
      network_(parts.network),
      losses_(!parts.spec.deaths.empty()),
      overhead_(parts.spec.profile.host),
      step_(parts.spec.parts.get<NicSpec>().host_step),
      hosts_(parts.spec.graph->nodes()) {
  for (const NicPlannedGroup& group : plan.groups()) {
    walks_.emplace_back();
    for (const auto& steps : group.lists) walks_.back().emplace_back(steps.size());
    member_of_.emplace_back(hosts_.size(), kNone);
    for (std::uint32_t m = 0; m < group.members.size(); ++m)
      member_of_.back()[group.members[m]] = m;
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
      member_of_[message->group][node] == kNone)
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
  const std::uint32_t g = message.group, m = member_of_[g][message.destination];
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
  result.parts.set(cost);
}

std::string RdmaScheme::describe(std::uint32_t g, std::uint32_t m) const {
  const ListWalk& walk_of = walks_[g][m];
  const std::vector<topology::NodeId>& nodes = plan().groups()[g].members;
  if (!walk_of.walking()) return fmt::format("n{}: has not arrived", nodes[m]);
  const std::uint32_t step = walk_of.step();
  return fmt::format("n{}: waits in step {} for n{}", nodes[m], step, nodes[list(g, m)[step].peer]);
}

}  // namespace muster::nic
