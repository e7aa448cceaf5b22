// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "run/links/host_writes.hpp"
#include "topology/route_check.hpp"

namespace muster::run {

/// A link at the moment in which it is declared dead. The references are good for the call.
struct DeadLink {
  const KilledLink& link;          ///< `cycle` is the present one
  const topology::Graph& rest;     ///< the network without it
  const topology::Routes& before;  ///< in force
  const topology::Routes& next;    ///< of `rest`, to come
  bool acyclic;                    ///< both together have no cycle of dependencies
};

/// The barriers of a scheme, as far as links that die concern them. LinkLosses asks between two
/// cycles.
class LinkUsers {
 public:
  virtual ~LinkUsers() = default;
  /// Routes of what is left of the network, which is connected.
  virtual topology::Routes routes_of(const topology::Graph& rest) {
    return topology::routes_for(rest);
  }
  /// Messages take any bit of a mask: a dead link leaves the masks that have another at once.
  virtual bool adaptive() const { return false; }
  /// Register words that go with routes, by switch: permits; none without.
  virtual std::vector<core::PortMask> permits(const topology::Routes&) const { return {}; }
  /// True if it holds groups until the new tables stand.
  virtual bool declare_dead(const DeadLink& dead) = 0;
  /// The tables may be rewritten; once true it stays so until they are.
  virtual bool lets_rewrite() { return true; }
  /// The new tables stand.
  virtual void rewritten(std::uint64_t /*cycle*/, const KilledLink& /*link*/) {}
  /// Barrier messages may still go by the link.
  virtual bool uses(const KilledLink& link) = 0;
  /// It is taken out in this cycle.
  virtual void taken_out(std::uint64_t /*cycle*/, const KilledLink& /*link*/) {}
};

/// The host's part when links are declared dead, one after the other (docs/systems/groups.md, Dead
/// links): the scheme's groups get ready, packets are held until none is in the network, the tables
/// of the new routes are written through the register ports, a word a cycle at each switch, and
/// packets go again. Barriers go on, unless their scheme holds them. When none uses the link any
/// more it is taken out.
///
/// Packets need not be held if no next port in use changes and the old routes and the new ones have
/// no cycle of dependencies together.
class LinkLosses {
 public:
  /// `routes` are those in force and are kept so, for the checkers. All but `spec`
  /// outlive this.
  LinkLosses(const RunSpec& spec, fabric::Network& network, LinkUsers& users,
             topology::Routes& routes)
      : network_(network),
        users_(users),
        routes_(routes),
        graph_(*spec.graph),
        drain_(network, spec.profile.pipe),
        rewrite_(network, &routes) {
    for (const KilledLink& link : spec.killed) results_.emplace_back().link = link;
    if (!results_.empty()) network.engine().observe_with(drain_);
  }
  /// Before every cycle.
  void step(std::uint64_t cycle) {
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
  /// None is left, or one waits only for the barriers that use it.
  bool settled() const { return done() || step_ == Step::kFreeing; }
  /// All have been taken out.
  bool done() const { return at_ == results_.size(); }
  /// One has been declared and is not out.
  bool under_way() const { return at_ < results_.size() && step_ != Step::kWaiting; }
  /// Tables are half old, half new; if together they have a cycle, no packet is there.
  bool writing() const { return step_ == Step::kWriting; }
  const std::vector<LinkResult>& results() const { return results_; }
  /// Grows with each step that a link has made.
  std::uint64_t steps() const {
    std::uint64_t steps = 0;
    for (const LinkResult& link : results_)
      steps += (link.empty != 0) + (link.routed != 0) + (link.out != 0);
    return steps;
  }
  /// The last cycle up to `cycle` in which a link was declared or made a step; 0 if none was.
  std::uint64_t last_step(std::uint64_t cycle) const {
    std::uint64_t last = 0;
    for (const LinkResult& link : results_)
      for (const std::uint64_t step : {link.link.cycle, link.empty, link.routed, link.out})
        if (step <= cycle) last = std::max(last, step);
    return last;
  }

 private:
  /// Every entry of one or the other: all that can be in force while tables are rewritten.
  static topology::Routes together(const topology::Graph& graph, const topology::Routes& a,
                                   const topology::Routes& b) {
    topology::Routes both = a;
    for (topology::SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t d = 0; d < both.destinations(); ++d)
        both.set(s, d, a.mask(s, d) | b.mask(s, d));
    return both;
  }
  static bool same_next_ports(const topology::Graph& graph, const topology::Routes& a,
                              const topology::Routes& b) {
    for (topology::SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t d = 0; d < a.destinations(); ++d)
        if (a.next_port(s, d) != b.next_port(s, d)) return false;
    return true;
  }
  enum class Step : std::uint8_t { kWaiting, kReadying, kEmptying, kWriting, kFreeing };
  void declare(std::uint64_t cycle) {
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
  void narrow() {
    LinkResult& result = results_[at_];
    for (const topology::PortRef& end : {result.link.a, result.link.b})
      for (std::uint32_t d = 0; d < routes_.destinations(); ++d) {
        const core::PortMask mask = routes_.mask(end.sw, d),
                             rest = mask & ~core::port_bit(end.port);
        if (rest == mask || rest == 0 || routes_.next_port(end.sw, d) == end.port) continue;
        rewrite_.add_route(end.sw, d, rest);
        ++result.narrowed;
      }
    result.entries += result.narrowed;
  }
  void hold_packets(std::uint64_t cycle) {
    const std::vector<core::PortMask> before = users_.permits(routes_),
                                      after = users_.permits(next_);
    for (topology::SwitchId s = 0; s < graph_.switches(); ++s) {
      results_[at_].entries += rewrite_.add_difference(s, next_);
      if (after.empty() || before[s] == after[s]) continue;
      rewrite_.add_mask(s, fabric::registers::kPermits, after[s]);
      ++results_[at_].entries;
    }
    step_ = Step::kWriting;
    if (!results_[at_].quiesced) return;
    network_.hold_packets(true);
    drain_.begin(cycle);
    step_ = Step::kEmptying;
  }
  void take_out(std::uint64_t cycle) {
    LinkResult& result = results_[at_];
    const topology::PortRef a = result.link.a, b = result.link.b;
    for (core::ChannelId c = 0; c < network_.layout().channels().size(); ++c) {
      const fabric::End& from = network_.layout().channels()[c].from;
      if (from == fabric::End{false, a.sw, a.port} || from == fabric::End{false, b.sw, b.port})
        network_.engine().stop_channel(c, true, true);
    }
    users_.taken_out(cycle, result.link);
    result.out = cycle;
    ++at_;
    step_ = Step::kWaiting;
  }

  fabric::Network& network_;
  LinkUsers& users_;
  topology::Routes& routes_;
  topology::Graph graph_;  ///< what is left
  DrainWatch drain_;
  std::vector<LinkResult> results_;
  std::size_t at_ = 0;  ///< the link in hand
  Step step_ = Step::kWaiting;
  topology::Routes next_{0, 0};
  SwitchWrites rewrite_;
};

}  // namespace muster::run
