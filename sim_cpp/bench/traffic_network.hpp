// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "muster/core/digest.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "run/data_traffic.hpp"

namespace muster::bench {

/// The work that engines share: a network and what its nodes send.
struct Scenario {
  topology::Graph graph;
  topology::Routes routes;
  double load_flits = 0.0;          ///< flits per node and cycle; 0: nothing is sent
  std::uint32_t packet_length = 8;  ///< flits
  std::uint64_t seed = 1;
};

/// Uniform traffic at `share` of the bound of the network's routes.
Scenario at_share_of_bound(topology::Graph graph, double share, std::uint64_t seed);
/// Uniform traffic of so many flits per node and cycle.
Scenario at_load(topology::Graph graph, double load_flits, std::uint64_t seed);

/// Flits that a switch sends in a cycle if every node sends one.
double flits_per_switch(const Scenario& scenario);

/// How a scenario is run. What costs time is off unless asked for.
struct Variant {
  std::shared_ptr<const fabric::BankFactory> engine = nullptr;
  fabric::SwitchConfig config;
  bool skip = false;
  bool assertions = false, checkers = false;
  bool count = false;  ///< flit-hops are counted
};

/// A scenario on one engine, steppable in pieces: several of them are timed in turn while all are
/// at the same cycle. The same cycles of the same scenario are the same work on every engine.
class TrafficNetwork {
 public:
  /// `scenario` must outlive it. Setting up takes long on engine rtl and is not to be timed.
  TrafficNetwork(const Scenario& scenario, const Variant& variant);

  void run(std::uint64_t cycles) {
    for (std::uint64_t c = 0; c < cycles; ++c) network_->engine().step();
  }
  /// Flits that switches have sent so far. REQUIRES: Variant::count.
  std::uint64_t flit_hops() const;
  fabric::Network& network() { return *network_; }

 private:
  run::RunSpec spec_;
  std::unique_ptr<fabric::Network> network_;
  std::unique_ptr<run::DataTraffic> traffic_;
  std::unique_ptr<checkers::CheckerList> checkers_;
  core::Digest digest_;
};

}  // namespace muster::bench
