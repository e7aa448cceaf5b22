// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/figures/btin_points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/borrowed.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/core/error.hpp"
#include "muster/figures/parallel.hpp"
#include "muster/run/run.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "systems/btin/tree/paper_latency.hpp"

namespace muster::btin {
namespace {

constexpr std::uint32_t kNetworks = 100;  ///< section 5.2: simulation runs for each parameter set
/// Groups in one run, each for itself in time: as many as any switch has registers for.
constexpr std::size_t kTogether = 4;
constexpr std::uint32_t kWormAddresses = 64;

/// Members below the child of the root switch that has most.
std::uint32_t fullest_branch(const BarrierTree& tree) {
  std::vector<std::uint32_t> below(tree.switches.size(), 0);
  std::uint32_t fullest = 0;
  for (auto edge = tree.edges.rbegin(); edge != tree.edges.rend(); ++edge) {
    below[edge->child] += static_cast<std::uint32_t>(tree.switches[edge->child].members.size());
    below[edge->parent] += below[edge->child];
    if (edge->parent == tree.root_switch) fullest = std::max(fullest, below[edge->child]);
  }
  return fullest;
}

/// Links that messages of the multicast scheme would traverse on the shortest ways there are, those
/// of the tree, with one worm for all: packets to the root node, and each link of the tree once.
double shortest_hops(const BarrierTree& tree) {
  double hops = 0;
  for (const TreeSwitch& s : tree.switches)
    hops += static_cast<double>(s.members.size()) * (s.level + 2);
  return hops - 2 + static_cast<double>(tree.edges.size() + tree.members.size());
}

/// One network with a group of each size, and their results.
class NetworkRun {
 public:
  NetworkRun(const BtinSystem& system, const fabric::BankFactory& engine, std::uint64_t seed)
      : engine_(engine),
        seed_(seed),
        graph_(topology::generate_irregular({.switches = system.switches,
                                             .nodes = system.nodes,
                                             .ports = 8,
                                             .connectivity = system.connectivity,
                                             .seed = seed,
                                             .model = system.model})),
        routes_(topology::routes_for(graph_)) {
    for (const std::uint32_t size : system.sizes()) {
      const std::string name = fmt::format("random:{}", size);
      groups_.push_back({name, topology::parse_group(graph_, name, seed + size)});
      const BarrierTree tree = btin::plan_tree(graph_, groups_.back().members);
      BtinSample sample;
      sample.height = tree.height;
      sample.formula_us = btin::paper_latency_us(tree);
      sample.branch = fullest_branch(tree);
      sample.shortest_hops = shortest_hops(tree);
      sample.paths =
          packets::baseline_paths(graph_, routes_, tree.members, tree.root_node, kWormAddresses);
      samples_.push_back(std::move(sample));
    }
  }

  /// Adds what happens in this way to the samples; returns the violations.
  std::uint64_t measure(const Way& way) {
    std::uint64_t violations = 0;
    const std::size_t together = way.around_root ? 1 : kTogether;
    for (std::size_t first = 0; first < groups_.size(); first += together)
      violations += measure(way, first, std::min(first + together, groups_.size()));
    return violations;
  }
  std::vector<BtinSample>& samples() { return samples_; }

 private:
  std::shared_ptr<const topology::Routes> routes(const Way& way, std::size_t group) const {
    if (!way.around_root) return core::borrowed(routes_);
    const topology::SwitchId root = btin::plan_tree(graph_, groups_[group].members).root_switch;
    return std::make_shared<topology::Routes>(
        topology::up_down_routes(graph_, topology::bfs_levels(graph_, root)));
  }

  std::uint64_t measure(const Way& way, std::size_t first, std::size_t last) {
    run::RunSpec spec;
    spec.graph = core::borrowed(graph_);
    spec.routes = routes(way, first);
    spec.engine = core::borrowed(engine_);
    spec.scheme = way.scheme;
    spec.profile = run::find_profile(way.profile);
    spec.barriers = 1;
    spec.seed = seed_;
    spec.skip = !engine_.compares();
    run::ListedArrivals::List arrivals;
    std::uint64_t start = 0;
    for (std::size_t g = first; g < last; ++g) {
      const std::vector<topology::NodeId>& members = groups_[g].members;
      spec.groups.push_back(groups_[g]);
      arrivals.push_back({std::vector<std::uint64_t>(members.size(), start)});
      // longer than a barrier takes in any way
      start += 3000 + (12 + spec.profile.occupancy) * members.size();
    }
    spec.arrivals = std::make_unique<run::ListedArrivals>(arrivals);
    const run::RunResult result = run::run_barriers(spec);
    for (const run::BarrierRecord& b : result.barriers) {
      if (b.group + 1 < arrivals.size() &&
          arrivals[b.group][0][0] + b.latency_cycles >= arrivals[b.group + 1][0][0])
        throw InternalError(fmt::format("{}: a barrier of {} takes {} cycles, into the next",
                                        way.name, spec.groups[b.group].name, b.latency_cycles));
      const double us = static_cast<double>(b.latency_cycles) * spec.profile.clock_ns / 1000.0;
      samples_[first + b.group].measured[way.name] = {us, static_cast<double>(b.hops)};
    }
    return result.violations.size();
  }

  const fabric::BankFactory& engine_;
  std::uint64_t seed_;
  topology::Graph graph_;
  topology::Routes routes_;
  std::vector<run::RunGroup> groups_;
  std::vector<BtinSample> samples_;
};

/// Networks on all threads; the result does not depend on their number.
BtinPoints::Result measure(const BtinSystem& system, const figures::FigureSetting& setting) {
  const std::uint32_t networks = setting.repetitions.value_or(kNetworks);
  BtinPoints::Result result;
  result.sizes = system.sizes();
  struct Measured {
    std::vector<BtinSample> by_size;
    std::uint64_t violations = 0;
  };
  const auto one = [&](std::uint32_t i, unsigned /*worker*/) {
    NetworkRun run(system, *setting.engine, setting.seed + i);
    Measured measured;
    for (const Way& way : measured_ways()) measured.violations += run.measure(way);
    measured.by_size = std::move(run.samples());
    return measured;
  };
  auto all = figures::run_parallel(networks, setting.threads, one, [&](std::uint32_t done) {
    if (setting.progress)
      setting.progress(fmt::format("{}: network {} of {}", system.name(), done, networks));
  });
  result.samples.resize(result.sizes.size());
  for (Measured& measured : all) {
    result.violations += measured.violations;
    for (std::size_t size = 0; size < result.sizes.size(); ++size)
      result.samples[size].push_back(std::move(measured.by_size[size]));
  }
  return result;
}

}  // namespace

const std::vector<std::string>& measured_schemes() {
  static const std::vector<std::string> all{"btin", "unicast", "multicast"};
  return all;
}

const std::vector<Way>& measured_ways() {
  static const std::vector<Way> all = [] {
    std::vector<Way> ways;
    for (const std::string& scheme : measured_schemes()) ways.push_back({scheme, scheme, "btin"});
    ways.push_back({kBtinOccupied, "btin", "btin-occupied"});
    ways.push_back({kMulticastOccupied, "multicast", "btin-occupied"});
    ways.push_back({kMulticastAroundRoot, "multicast", "btin-occupied", true});
    return ways;
  }();
  return all;
}

std::string BtinSystem::name() const { return fmt::format("{}/{}", nodes, switches); }

std::vector<std::uint32_t> BtinSystem::sizes() const {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t n = 2; n <= nodes; n *= 2) sizes.push_back(n);
  return sizes;
}

const BtinPoints::Result& BtinPoints::at(const BtinSystem& system,
                                         const figures::FigureSetting& setting) {
  const std::string key = fmt::format(
      "{} {} {} {} {} {}", system.name(), system.connectivity, static_cast<int>(system.model),
      setting.seed, setting.repetitions.value_or(kNetworks), setting.engine->name());
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_.emplace(key, measure(system, setting)).first->second;
}

figures::Series BtinPoints::curve(const std::string& name, const Result& result,
                                  const std::function<double(const BtinSample&)>& value) {
  figures::Series series{name, {}};
  for (std::size_t size = 0; size < result.sizes.size(); ++size) {
    core::RatioEstimate mean;
    for (const BtinSample& sample : result.samples[size]) mean.add(value(sample), 1);
    series.points.push_back(
        {static_cast<double>(result.sizes[size]), mean.mean(), mean.half_width()});
  }
  return series;
}

}  // namespace muster::btin
