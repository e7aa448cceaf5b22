// SPDX-License-Identifier: Apache-2.0
#include "run/links/link_losses.hpp"

#include <algorithm>
#include <utility>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/topology/graph.hpp"
#include "topology/route_check.hpp"

namespace muster::run {

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

LinkLosses::LinkLosses(const RunSpec& spec, fabric::Network& network, LinkUsers& users,
                       Routes& routes)
    : network_(network),
      users_(users),
      routes_(routes),
      graph_(*spec.graph),
      drain_(network, spec.profile.pipe),
      rewrite_(network, &routes) {
  for (const KilledLink& link : spec.killed) {
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
      if (cycle < result.link.cycle) break;
      declare(cycle);
      step_ = Step::kReadying;
      [[fallthrough]];
    case Step::kReadying:
      if (rewrite_.write_some() || !users_.lets_rewrite()) break;
      hold_packets(cycle);
      break;
    case Step::kEmptying:
      if (!drain_.empty(cycle)) break;
      result.empty = cycle;
      step_ = Step::kWriting;
      [[fallthrough]];
    case Step::kWriting:
      if (rewrite_.write_some()) break;
      result.routed = cycle;
      network_.hold_packets(false);
      users_.rewritten(cycle, result.link);
      step_ = Step::kFreeing;
      [[fallthrough]];
    case Step::kFreeing:
      if (!users_.uses(result.link)) take_out(cycle);
  }
}

void LinkLosses::declare(std::uint64_t cycle) {
  LinkResult& result = results_[at_];
  result.link.cycle = cycle;
  topology::Graph rest = topology::without_link(graph_, result.link.a, result.link.b);
  next_ = users_.routes_of(rest);
  if (const auto fault = topology::delivery_fault(rest, next_))
    throw InternalError("new routes: " + *fault);
  if (!topology::DependencyGraph(rest, next_).deadlock_free())
    throw InternalError("new routes: a cycle of channel dependencies");
  result.acyclic =
      topology::DependencyGraph(graph_, together(graph_, routes_, next_)).deadlock_free();
  result.quiesced = !result.acyclic || !same_next_ports(graph_, routes_, next_);
  result.groups_held = users_.declare_dead({result.link, rest, routes_, next_, result.acyclic});
  graph_ = std::move(rest);
  if (users_.adaptive()) narrow();
}

/// Takes the link out of every mask that has another port, unless it is the deterministic one: a
/// part of the routes in force, which leaves packets and first messages their way.
void LinkLosses::narrow() {
  LinkResult& result = results_[at_];
  for (const topology::PortRef& end : {result.link.a, result.link.b})
    for (std::uint32_t d = 0; d < routes_.destinations(); ++d) {
      const std::uint32_t mask = routes_.mask(end.sw, d), rest = mask & ~(1u << end.port);
      if (rest == mask || rest == 0 || routes_.next_port(end.sw, d) == end.port) continue;
      rewrite_.add(end.sw, regs::kRoutes + d, rest);
      ++result.narrowed;
    }
  result.entries += result.narrowed;
}

void LinkLosses::hold_packets(std::uint64_t cycle) {
  const std::vector<std::uint16_t> before = users_.permits(routes_), after = users_.permits(next_);
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    results_[at_].entries += rewrite_.add_difference(s, next_);
    if (after.empty() || before[s] == after[s]) continue;
    rewrite_.add(s, regs::kPermits, after[s]);
    ++results_[at_].entries;
  }
  step_ = Step::kWriting;
  if (!results_[at_].quiesced) return;
  network_.hold_packets(true);
  drain_.begin(cycle);
  step_ = Step::kEmptying;
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
  users_.taken_out(cycle, result.link);
  result.out = cycle;
  ++at_;
  step_ = Step::kWaiting;
}

std::uint64_t LinkLosses::steps() const {
  std::uint64_t steps = 0;
  for (const LinkResult& link : results_)
    steps += (link.empty != 0) + (link.routed != 0) + (link.out != 0);
  return steps;
}

std::uint64_t LinkLosses::declared_before(std::uint64_t cycle) const {
  std::uint64_t last = 0;
  for (const LinkResult& link : results_)
    if (link.link.cycle <= cycle) last = std::max(last, link.link.cycle);
  return last;
}

}  // namespace muster::run
