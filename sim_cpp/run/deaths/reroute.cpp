// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/reroute.hpp"

#include <algorithm>

#include "run/deaths/survivors.hpp"
#include "topology/routes/load.hpp"

namespace muster::run {

Reroute::Reroute(const RunSpec& spec, fabric::Network& network, const Health& health,
                 topology::Routes& routes, std::uint64_t settling)
    : network_(network),
      health_(health),
      routes_(routes),
      settling_(settling),
      drain_(network, spec.profile.pipe),
      rewrite_(network, routes) {
  network.engine().observe_with(drain_);
}

bool Reroute::between_switches(core::ChannelId end) const {
  const fabric::Channel& channel = network_.layout().channels()[end];
  return !channel.from.node && !channel.to.node;
}

void Reroute::look_for_losses() {
  const auto down = health_.down();
  while (seen_ < down.size() && !between_switches(down[seen_].channel)) ++seen_;
  if (seen_ == down.size()) return;
  first_ = down[seen_].cycle;
  step_ = Step::kSettling;
}

bool Reroute::step(std::uint64_t cycle, bool free) {
  switch (step_) {
    case Step::kNone:
      look_for_losses();
      break;
    case Step::kSettling:
      if (free && cycle >= first_ + settling_) plan(cycle);
      break;
    case Step::kEmptying:
      if (!drain_.empty(cycle)) break;
      results_.back().empty = cycle;
      step_ = Step::kWriting;
      [[fallthrough]];
    case Step::kWriting:
      if (rewrite_.write_some()) break;
      results_.back().again = cycle;
      step_ = Step::kNone;
      return true;
  }
  return false;
}

/// Of packets between nodes that answer.
double Reroute::bound_of(const topology::Routes& routes) const {
  const topology::Graph& graph = network_.graph();
  std::vector<std::uint8_t> nodes;
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) nodes.push_back(answers(network_, n));
  return topology::route_bound_flits_per_node_cycle(
      topology::uniform_loads(graph, routes, {}, nodes));
}

void Reroute::plan(std::uint64_t cycle) {
  step_ = Step::kNone;
  seen_ = health_.down().size();
  const topology::Graph& graph = network_.graph();
  const Survivors left = what_answers(network_);
  if (std::find(left.links.begin(), left.links.end(), 0) == left.links.end())
    return;  // what was down has been restarted
  results_.push_back({.first_down = first_});
  const auto next = surviving_routes(graph, routes_, left);
  results_.back().connected = next.has_value();
  if (!next) return;
  results_.back().by_file = next->by_file;
  results_.back().route_bound = bound_of(next->routes);
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    if (left.switches[s]) results_.back().words += rewrite_.add_difference(s, next->routes);
  if (results_.back().words == 0) return;
  results_.back().held = cycle;
  drain_.begin(cycle);
  step_ = Step::kEmptying;
}

}  // namespace muster::run
