// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/waits.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::test {

/// Draws until the numbers allow an irregular network of `least` to `most` switches with `ports`
/// ports and as many nodes as `nodes` draws for that number of switches.
template <class Nodes>
topology::Graph random_network(Random& rng, std::uint32_t least, std::uint32_t most,
                               std::uint32_t ports, Nodes&& nodes) {
  while (true) {
    topology::IrregularSpec spec{.ports = ports};
    spec.switches = static_cast<std::uint32_t>(least + rng.below(most - least + 1));
    spec.nodes = static_cast<std::uint32_t>(nodes(spec.switches));
    spec.connectivity = 0.5 + 0.5 * rng.uniform();
    spec.seed = rng.next();
    try {
      return topology::generate_irregular(spec);
    } catch (const InputError&) {
    }
  }
}

/// So many nodes.
inline run::RunGroup random_group(const topology::Graph& graph, std::uint64_t size, Random& rng) {
  const std::string name = "random:" + std::to_string(size);
  return {name, topology::parse_group(graph, name, rng.next())};
}

/// A random irregular network of 10 to 75 switches and what is run on it: 1 to 4 groups of random
/// size with about `barriers` barriers in all, data load 0 to 0.8 of the route bound, on one
/// network in ten 1.5 times that, both ways to carry barrier messages, both kinds of root. A
/// function of seed and index only.
///
/// With full queues each switch serves its inputs in turn, so a node five switches below a full
/// link gets a share of a share of a share: up to 10^6 cycles a packet. Where barrier messages may
/// stand behind such packets (one virtual channel is full from half of the bound on), the network
/// has at most 16 switches.
struct RandomRun {
  topology::Graph graph;
  topology::Routes routes{0, 0};
  double load = 0.0;
  run::RunSpec spec;  ///< on golden

  RandomRun(std::uint64_t seed, std::uint64_t index, std::uint32_t barriers) {
    Random rng(seed, index);
    const bool saturated = index % 10 == 9;
    load = saturated ? 1.5 : 0.8 * rng.uniform();
    graph = random_network(rng, 10, 75, 8, [&](std::uint32_t switches) {
      return switches * (1 + rng.below(4)) + rng.below(switches);
    });
    spec.engine = run::make_golden_engine();
    spec.config = run::configuration(rng.below(2) != 0 ? "sw8" : "sw8v1");
    routes = topology::routes_for(graph);
    spec.graph = core::borrowed(graph);
    spec.routes = core::borrowed(routes);
    spec.seed = rng.next();
    const std::uint64_t groups = 1 + rng.below(4);
    for (std::uint64_t g = 0; g < groups; ++g)
      spec.groups.push_back(random_group(graph, 1 + rng.below(graph.nodes()), rng));
    spec.barriers = static_cast<std::uint32_t>((barriers + groups - 1) / groups);
    spec.spread = rng.below(3) == 0 ? 0 : rng.below(400);
    run::own<btin::Spec>(spec).reflect = rng.below(2) != 0;
    spec.packet_length = 3 + rng.below(14);
    spec.load_flits =
        load * topology::route_bound_flits_per_node_cycle(topology::uniform_loads(graph, routes));
  }
  RandomRun(const RandomRun&) = delete;

  /// With a scheme of packets in place of barrier trees, and data for which their queues have room.
  void by(const std::string& scheme) {
    spec.scheme = scheme;
    spec.own_barrier_vc = false;
    spec.own = {};
    calm();
  }
  void calm() {
    if (load > run::kCalm) spec.load_flits *= run::kCalm / load;
  }

  /// `groups` of 2 to 9 members instead, in switches with as few registers as those without nodes
  /// need; all others spill.
  void spill(std::uint32_t groups, std::uint64_t seed) {
    Random rng(seed, groups);
    spec.groups.clear();
    while (spec.groups.size() < groups)
      spec.groups.push_back(
          random_group(graph, 2 + rng.below(std::min(8u, graph.nodes() - 1)), rng));
    run::own<btin::Spec>(spec).spill = true;
    fabric::SwitchConfig config = run::configuration("sw8");
    config.regs = 1;
    do {
      spec.config = config;
    } while (refused(spec) && ++config.regs <= 16);
  }
  /// There are too few registers in a switch without nodes.
  static bool refused(const run::RunSpec& spec) {
    try {
      run::resolve(spec);
      return false;
    } catch (const InputError&) {
      return true;
    }
  }

  std::string text() const {
    return "network of " + std::to_string(graph.switches()) + " switches and " +
           std::to_string(graph.nodes()) + " nodes, " + std::to_string(spec.groups.size()) +
           " groups, load " + std::to_string(load);
  }
};

}  // namespace muster::test
