// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "fabric/link_bank.hpp"
#include "run/links/host_writes.hpp"
#include "run/links/link_plan.hpp"
#include "topology/route_walk.hpp"

namespace muster::run {

/// Which links are down in a run with deaths, as hosts see it.
class Health {
 public:
  /// `network` outlives this.
  explicit Health(fabric::Network& network)
      : network_(network), seen_(network.link_ends() == nullptr ? 0 : network.channels(), 0) {}
  /// Every time that an end of a link has gone down until now, in the order in which hosts saw it.
  /// Of runs with deaths; nothing of ends that are dead themselves.
  std::span<const DownEnd> down() const { return down_; }
  /// That end is down now: `irq_o`.
  bool is_down(core::ChannelId end) const { return seen_[end] != 0; }

  /// Before every cycle of a run with deaths: what hosts see.
  void look(std::uint64_t cycle) {
    namespace ends = fabric::link_registers;
    for (core::ChannelId c = 0; c < seen_.size(); ++c) {
      const bool down = run::is_down(network_, c);
      if (down && seen_[c] == 0)
        down_.push_back({c, cycle, ends::kStatusReason.of(status_of(network_, c))});
      seen_[c] = down;
    }
  }

 private:
  fabric::Network& network_;
  std::vector<std::uint8_t> seen_;  ///< by channel: down when last looked at
  std::vector<DownEnd> down_;
};

/// What is left of a network.
struct Survivors {
  std::vector<std::uint8_t> switches;  ///< that live, by switch
  std::vector<std::uint8_t> links;     ///< that are up, as Graph::links
};

/// A message gets to the node and back to its switch: both answer, and the link is up.
bool answers(fabric::Network& network, topology::NodeId node);

/// What answers now, as hosts see it: switches whose registers can be read, links of which no end
/// says that it is down.
Survivors what_answers(fabric::Network& network);
/// The graph without the links that are lost and those of switches that do not live, with all its
/// switches and nodes.
topology::Graph rest_of(const topology::Graph& graph, const Survivors& left);

/// Routes around what is lost.
struct SurvivingRoutes {
  topology::Routes routes;
  bool by_file = false;  ///< by the levels of the network's file, else by new ones
};

/// up*/down* by the levels of the file, if each living switch with nodes reaches all others and the
/// neighbours of dead ones by them, else by levels of what is left, for every switch that lives. To
/// a dead switch and its nodes they lead to a neighbour and out of its port, behind which packets
/// are discarded. Rows of dead switches are those of `before`. Nothing if what lives is not
/// connected. Throws InternalError if they had a cycle of channel dependencies.
std::optional<SurvivingRoutes> surviving_routes(const topology::Graph& graph,
                                                const topology::Routes& before,
                                                const Survivors& left);

/// The manager's part after deaths (docs/reliability.md, Routes). Some time after the first end
/// of a link between switches has gone down, which is long enough for all others to follow, it
/// plans routes around what is down, has packets held until none is in the network, writes the
/// tables and lets packets go again. It goes by ends of links, and by which switches answer.
/// Barriers go on.
class Reroute {
 public:
  /// `settling`: cycles from the first end to the plan. `routes` are those in force and are kept
  /// so. All outlive this. REQUIRES: before the first cycle.
  Reroute(const RunSpec& spec, fabric::Network& network, const Health& health,
          topology::Routes& routes, std::uint64_t settling)
      : network_(network),
        health_(health),
        routes_(routes),
        settling_(settling),
        drain_(network, spec.profile.pipe),
        rewrite_(network, &routes) {
    network.engine().observe_with(drain_);
  }
  /// Before every cycle. `free`: no other change restarts links or holds packets. True if in this
  /// one the tables stand and packets may go again.
  bool step(std::uint64_t cycle, bool free) {
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
  /// Packets are to be held.
  bool holds() const { return step_ == Step::kEmptying || step_ == Step::kWriting; }
  const std::vector<Casualties::Rerouting>& results() const { return results_; }

 private:
  enum class Step : std::uint8_t { kNone, kSettling, kEmptying, kWriting };
  /// The links of nodes stand behind those between switches.
  void look_for_losses() {
    const auto down = health_.down();
    const std::size_t between_switches = 2 * network_.graph().links().size();
    while (seen_ < down.size() && down[seen_].channel >= between_switches) ++seen_;
    if (seen_ == down.size()) return;
    first_ = down[seen_].cycle;
    step_ = Step::kSettling;
  }
  void plan(std::uint64_t cycle) {
    step_ = Step::kNone;
    seen_ = health_.down().size();
    const topology::Graph& graph = network_.graph();
    const Survivors left = what_answers(network_);
    if (std::ranges::find(left.links, 0) == left.links.end())
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
  /// Of packets between nodes that answer.
  double bound_of(const topology::Routes& routes) const {
    const topology::Graph& graph = network_.graph();
    std::vector<std::uint8_t> nodes;
    for (topology::NodeId n = 0; n < graph.nodes(); ++n) nodes.push_back(answers(network_, n));
    return topology::route_bound_flits_per_node_cycle(
        topology::uniform_loads(graph, routes, {}, nodes));
  }

  fabric::Network& network_;
  const Health& health_;
  topology::Routes& routes_;
  std::uint64_t settling_;
  DrainWatch drain_;
  SwitchWrites rewrite_;
  std::size_t seen_ = 0;     ///< of Health::down()
  std::uint64_t first_ = 0;  ///< cycle in which the first of those went down
  Step step_ = Step::kNone;
  std::vector<Casualties::Rerouting> results_;
};

}  // namespace muster::run
