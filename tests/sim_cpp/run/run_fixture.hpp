// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/pointers.hpp"
#include "muster/run.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "support/test.hpp"
#include "topology/route_walk.hpp"

/// \file
/// What tests of runs have in common, with the headers that all of them need.

namespace muster::test {

/// A network with its routes, and specifications of runs on it with the golden engine.
struct Subject {
  topology::Graph graph;
  topology::Routes routes;
  std::shared_ptr<const fabric::BankFactory> engine = run::make_golden_engine();

  explicit Subject(topology::Graph g) : graph(std::move(g)), routes(topology::routes_for(graph)) {}
  static Subject figure1() {
    return Subject(topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json"));
  }

  run::RunSpec spec(const std::vector<std::string>& groups, std::uint64_t seed = 1) const {
    run::RunSpec s;
    s.graph = core::borrowed(graph);
    s.routes = core::borrowed(routes);
    s.engine = engine;
    s.seed = seed;
    for (const std::string& group : groups)
      s.groups.push_back({group, topology::parse_group(graph, group, seed + s.groups.size())});
    return s;
  }
  /// The same by a scheme.
  run::RunSpec by(const std::string& scheme, const std::vector<std::string>& groups,
                  std::uint64_t seed = 1) const {
    run::RunSpec s = spec(groups, seed);
    s.scheme = scheme;
    return s;
  }
  double route_bound() const {
    return topology::route_bound_flits_per_node_cycle(topology::uniform_loads(graph, routes));
  }
};

/// Figure 1 of the BTIN paper.
inline const Subject& figure1() {
  static const Subject subject = Subject::figure1();
  return subject;
}

/// Runs it: there is no violation.
inline run::RunResult passes(const run::RunSpec& spec) {
  run::RunResult result = run::run_barriers(spec);
  REQUIRE(result.violations == std::vector<std::string>{});
  return result;
}
/// And every group has done all its barriers.
inline run::RunResult completes(const run::RunSpec& spec) {
  run::RunResult result = passes(spec);
  REQUIRE(result.barriers.size() == std::size_t{spec.barriers} * spec.groups.size());
  return result;
}
/// Each with the hops that were planned.
inline run::RunResult completes_as_planned(const run::RunSpec& spec) {
  run::RunResult result = completes(spec);
  for (const run::BarrierRecord& b : result.barriers)
    REQUIRE(b.hops == result.planned_hops[b.group]);
  return result;
}

/// The one violation of a run.
inline std::string breach_of(const run::RunResult& result) {
  REQUIRE(result.violations.size() == 1);
  return result.violations[0];
}
inline std::string breach_of(const run::RunSpec& spec) {
  return breach_of(run::run_barriers(spec));
}

/// An observer that shows `see` each flit with its cycle.
template <class See>
std::shared_ptr<core::Observer> on_flits(See see) {
  struct Each : core::Observer {
    See see;
    explicit Each(See s) : see(std::move(s)) {}
    void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                 std::span<const core::CreditEvent>) override {
      for (const core::FlitEvent& e : flits) see(cycle, e);
    }
  };
  return std::make_shared<Each>(std::move(see));
}

/// One switch with `nodes` nodes on its lowest ports, node links of `latency`.
inline topology::Graph star(std::uint32_t nodes, std::uint32_t latency = 1) {
  topology::Graph graph;
  graph.add_switch(nodes < 3 ? 3 : nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) graph.add_node({0, n}, latency);
  return graph;
}

/// So many switches in a row, a node on port 2 of each.
inline topology::Graph line(std::uint32_t switches, std::uint32_t latency = 1) {
  topology::Graph graph;
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_switch(3);
  for (std::uint32_t s = 1; s < switches; ++s) graph.add_link({s - 1, 1}, {s, 0}, latency);
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_node({s, 2});
  return graph;
}

}  // namespace muster::test
