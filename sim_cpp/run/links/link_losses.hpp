// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "run/links/host_writes.hpp"

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
  virtual std::vector<std::uint16_t> permits(const topology::Routes&) const { return {}; }
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
             topology::Routes& routes);
  /// Before every cycle.
  void step(std::uint64_t cycle);
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
  std::uint64_t steps() const;
  /// The last cycle up to `cycle` in which a link was declared; 0 if none was.
  std::uint64_t declared_before(std::uint64_t cycle) const;

 private:
  enum class Step : std::uint8_t { kWaiting, kReadying, kEmptying, kWriting, kFreeing };
  void declare(std::uint64_t cycle);
  void narrow();
  void hold_packets(std::uint64_t cycle);
  void take_out(std::uint64_t cycle);

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
