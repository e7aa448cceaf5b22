// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/network.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/topology/generate.hpp"
#include "run/data_traffic.hpp"

namespace muster::bench {

/// What a value should be.
struct Goal {
  enum class Sense : std::uint8_t { kAtMost, kAtLeast, kExactly } sense = Sense::kAtMost;
  double value = 0.0;
};

inline Goal at_most(double value) { return {Goal::Sense::kAtMost, value}; }
inline Goal at_least(double value) { return {Goal::Sense::kAtLeast, value}; }

struct Measure {
  std::string id;    ///< for programs: "rtl_sw8_time"
  std::string what;  ///< for people
  double value = 0.0;
  std::string unit;
  std::string note;  ///< how it was measured, what it compares with
  std::optional<Goal> goal = {};

  bool met() const;  ///< true without a goal
};

/// Flits a cycle on one link and virtual channel by the depth of the queue behind it.
struct LinkThroughput {
  std::uint32_t latency = 1, depth = 1;
  double measured = 0.0, expected = 0.0;
};

struct Machine {
  std::string cpu, compiler;
  unsigned cores = 0;
  std::vector<std::string> tools;  ///< what the engines are made with, such as Verilator
};

struct Report {
  bool quick = false;  ///< too short for the times to mean much
  Machine machine;
  std::vector<Measure> measures;
  std::vector<LinkThroughput> link_throughput;
  std::vector<std::string> omitted;  ///< groups that this program cannot measure, with the reason
};

/// What a measurement group gets.
struct Setting {
  const fabric::EngineRegistry* engines = nullptr;
  std::uint64_t seed = 1;  ///< of networks and traffic
  bool quick = false;      ///< small networks and short runs: the shape of the result only
  std::function<void(const std::string& group)>
      progress;  ///< called before each group; may be absent

  std::uint32_t size(std::uint32_t full, std::uint32_t small) const { return quick ? small : full; }
  unsigned rounds() const { return size(7, 1); }
};

/// Runs all groups. Engines that the program does not have are left out and named.
Report measure_all(const Setting& setting);

std::string report_to_text(const Report& report);
/// Fields of schema muster-bench-1.
void describe(core::Record& r, const Report& report, std::uint64_t seed, const Provenance& origin);

// What they measure with.

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

/// How a scenario is run. What costs time is off unless asked for.
struct Variant {
  std::shared_ptr<const fabric::BankFactory> engine = nullptr;
  fabric::SwitchConfig config = {};
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

/// What is measured together and appended to the report, and the engines that this needs.
struct Group {
  const char* name;
  std::vector<std::string> engines;
  void (*measure)(const Setting& setting, Report& report);
};
std::vector<Group> speed_groups();  ///< of engines
std::vector<Group> link_groups();   ///< cycles of hops, and flits a cycle

/// Cycles from output register to output register of successive switches.
struct HopLatency {
  std::uint64_t barrier = 0, data = 0;
};

/// In an empty chain of switches (configuration sw4) with links of latency L: a barrier message on
/// its way to the root, then the head of a packet. The slowest hop counts.
HopLatency hop_latency(const fabric::BankFactory& engine, std::uint32_t latency);

/// Flits a cycle that one virtual channel carries over a link of the given latency into queues of
/// the given depth, while its source always has more. Expected: the credit loop of 2L + 2 cycles
/// lets `depth` flits pass.
LinkThroughput link_throughput(const fabric::BankFactory& engine, std::uint32_t latency,
                               std::uint32_t depth);

}  // namespace muster::bench
