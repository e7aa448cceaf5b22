// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/link_losses.hpp"

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/home_nodes.hpp"
#include "muster/systems/btin.hpp"
#include "topology/dependency.hpp"
#include "topology/route_check.hpp"
#include "topology/without_link.hpp"

namespace muster::btin {

namespace regs = fabric::registers;
using topology::Routes;
using topology::SwitchId;

namespace {

/// Every entry of one or the other: all that can be in force while tables are rewritten.
Routes together(const topology::Graph& graph, const Routes& a, const Routes& b) {
  Routes both = a;
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t d = 0; d < both.destinations(); ++d)
      both.set(s, d, static_cast<std::uint16_t>(a.mask(s, d) | b.mask(s, d)));
  return both;
}

bool same_next_ports(const topology::Graph& graph, const Routes& a, const Routes& b) {
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t d = 0; d < a.destinations(); ++d)
      if (a.next_port(s, d) != b.next_port(s, d)) return false;
  return true;
}

}  // namespace

LinkLosses::LinkLosses(const run::RunSpec& spec, fabric::Network& network, GroupManager& manager,
                       Routes& routes)
    : network_(network),
      manager_(manager),
      routes_(routes),
      graph_(*spec.graph),
      drain_(network, spec.profile.pipe),
      entries_(spec.graph->switches()) {
  for (const KilledLink& link : spec.parts.get<Spec>().killed) {
    results_.emplace_back();
    results_.back().link = link;
  }
  if (!results_.empty()) network.engine().observe_with(drain_);
}

void LinkLosses::step(std::uint64_t cycle) {
  if (done()) return;
  LinkResult& result = results_[at_];
  switch (step_) {
    case Step::kWaiting:
      if (cycle >= result.link.cycle) declare(cycle);
      break;
    case Step::kEmptying:
      if (!drain_.empty(cycle)) break;
      result.empty = cycle;
      step_ = Step::kWriting;
      [[fallthrough]];
    case Step::kWriting:
      if (write_some()) break;
      result.routed = cycle;
      network_.endpoints().hold_packets(false);
      step_ = Step::kFreeing;
      [[fallthrough]];
    case Step::kFreeing:
      if (!manager_.uses(result.link.a)) take_out(cycle);
  }
}

void LinkLosses::declare(std::uint64_t cycle) {
  LinkResult& result = results_[at_];
  result.link.cycle = cycle;
  topology::Graph rest = topology::without_link(graph_, result.link.a, result.link.b);
  next_ = topology::routes_for(rest);
  if (const auto fault = topology::delivery_fault(rest, next_))
    throw InternalError("new routes: " + *fault);
  if (!topology::DependencyGraph(rest, next_).deadlock_free())
    throw InternalError("new routes: a cycle of channel dependencies");
  result.acyclic =
      topology::DependencyGraph(graph_, together(graph_, routes_, next_)).deadlock_free();
  result.quiesced = !result.acyclic || !same_next_ports(graph_, routes_, next_);
  graph_ = rest;
  manager_.declare_dead(result.link.a, std::move(rest));
  find_entries(next_);
  if (result.quiesced) {
    network_.endpoints().hold_packets(true);
    drain_.begin(cycle);
  }
  step_ = result.quiesced ? Step::kEmptying : Step::kWriting;
}

void LinkLosses::find_entries(const Routes& next) {
  const std::vector<std::uint16_t> before = manager_.permits(routes_),
                                   after = manager_.permits(next);
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    for (std::uint32_t d = 0; d < next.destinations(); ++d)
      if (next.mask(s, d) != routes_.mask(s, d))
        entries_[s].push_back({regs::kRoutes + d, next.mask(s, d)});
    if (before[s] != after[s]) entries_[s].push_back({regs::kPermits, after[s]});
    results_[at_].entries += entries_[s].size();
  }
}

/// One word for each switch that lacks some; false if none does.
bool LinkLosses::write_some() {
  core::Bank& port = network_.switches();
  bool some = false;
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (entries_[s].empty()) continue;
    const Entry entry = entries_[s].front();
    entries_[s].pop_front();
    port.request({s, true, entry.address, entry.value});
    network_.engine().wake(0, s);
    if (entry.address >= regs::kRoutes)
      routes_.set(s, entry.address - regs::kRoutes, static_cast<std::uint16_t>(entry.value));
    some = true;
  }
  return some;
}

void LinkLosses::take_out(std::uint64_t cycle) {
  LinkResult& result = results_[at_];
  const auto& channels = network_.layout().channels();
  for (core::ChannelId c = 0; c < channels.size(); ++c) {
    const fabric::Channel& channel = channels[c];
    if (channel.from.node || channel.to.node) continue;
    const topology::PortRef from{channel.from.id, channel.from.port};
    if (from == result.link.a || from == result.link.b)
      network_.engine().stop_channel(c, true, true);
  }
  result.out = cycle;
  ++at_;
  step_ = Step::kWaiting;
}

}  // namespace muster::btin
