// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "run/data_traffic.hpp"

namespace muster::bench {

/// CPU time of this process so far, in seconds: what other programs take does not count.
double cpu_seconds();
/// Of the clock on the wall, in seconds since some time: for what several threads do.
double wall_seconds();

/// Seconds of several subjects that worked in turn.
class Timings {
 public:
  explicit Timings(std::size_t subjects) : seconds_(subjects) {}
  void add(std::size_t subject, double seconds) { seconds_[subject].push_back(seconds); }

  /// The least disturbed round, for absolute numbers.
  double best(std::size_t subject) const;
  /// Time of `subject` by that of `reference` in the same round, median over the rounds.
  double ratio(std::size_t subject, std::size_t reference) const;

 private:
  std::vector<std::vector<double>> seconds_;  // by subject and round
};

/// Lets every subject do its piece of work once a round, in turn and every other round in reverse,
/// so that a change of the machine's speed meets all of them alike.
Timings alternate(const std::vector<std::function<void()>>& subjects, unsigned rounds,
                  double (*clock)() = cpu_seconds);

/// The irregular networks of the BTIN paper: 8 ports a switch, three quarters of them connected.
inline topology::Graph irregular(std::uint32_t switches, std::uint32_t nodes, std::uint64_t seed) {
  return topology::generate_irregular(
      {.switches = switches, .nodes = nodes, .ports = 8, .connectivity = 0.75, .seed = seed});
}

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

/// What a switch-cycle costs in a large network.
struct SizeCost {
  double ratio = 0.0;  ///< by one in a small network
  double flits = 0.0;  ///< that a switch sends in a cycle, in both
};

/// With the large network at 0.8 of its route bound. Ways are longer and the bound is lower there,
/// so equal shares of it would be less work for each of its switches: the small one gets the load
/// that gives its switches as many flits.
SizeCost size_cost(topology::Graph small, topology::Graph large, std::uint64_t seed, bool quick,
                   const std::function<Variant(const Scenario&)>& variant);

}  // namespace muster::bench
