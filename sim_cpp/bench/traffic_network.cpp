// SPDX-License-Identifier: Apache-2.0
#include "bench/traffic_network.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "muster/core/pointers.hpp"
#include "muster/run/members.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"
#include "run/run_parts.hpp"
#include "topology/route_walk.hpp"

namespace muster::bench {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

double Timings::best(std::size_t subject) const {
  return *std::min_element(seconds_[subject].begin(), seconds_[subject].end());
}

double Timings::ratio(std::size_t subject, std::size_t reference) const {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < seconds_[subject].size(); ++round) {
    ratios.push_back(seconds_[subject][round] / seconds_[reference][round]);
  }
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

Timings alternate(const std::vector<std::function<void()>>& subjects, unsigned rounds,
                  double (*clock)()) {
  Timings timings(subjects.size());
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const std::size_t subject = round % 2 == 0 ? i : subjects.size() - 1 - i;
      const double start = clock();
      subjects[subject]();
      timings.add(subject, clock() - start);
    }
  }
  return timings;
}

using fabric::SwitchConfig;

Scenario at_load(topology::Graph graph, double load_flits, std::uint64_t seed) {
  topology::Routes routes = topology::routes_for(graph);
  return {.graph = std::move(graph),
          .routes = std::move(routes),
          .load_flits = load_flits,
          .seed = seed};
}

Scenario at_share_of_bound(topology::Graph graph, double share, std::uint64_t seed) {
  Scenario scenario = at_load(std::move(graph), 0.0, seed);
  scenario.load_flits = share * topology::route_bound_flits_per_node_cycle(
                                    topology::uniform_loads(scenario.graph, scenario.routes));
  return scenario;
}

double flits_per_switch(const Scenario& scenario) {
  const double hops = topology::uniform_loads(scenario.graph, scenario.routes).average_hops + 1.0;
  return hops * scenario.graph.nodes() / scenario.graph.switches();
}

TrafficNetwork::TrafficNetwork(const Scenario& scenario, const Variant& variant) {
  const SwitchConfig& config = variant.config;
  spec_.graph = core::borrowed(scenario.graph);
  spec_.routes = core::borrowed(scenario.routes);
  spec_.engine = variant.engine;
  spec_.skip = variant.skip;
  spec_.bank.assertions = variant.assertions;
  network_ = run::build_network(spec_, config);
  if (scenario.load_flits > 0.0) {
    const run::TrafficSpec traffic{.nodes = scenario.graph.nodes(),
                                   .flits_per_node_cycle = scenario.load_flits,
                                   .packet_length = scenario.packet_length,
                                   .vcs = config.vcs,
                                   .seed = scenario.seed};
    traffic_ =
        std::make_unique<run::DataTraffic>(traffic, std::make_unique<run::Uniform>(traffic.nodes));
  }
  network_->endpoints().attach(nullptr, traffic_.get());
  if (variant.count) network_->engine().observe_with(digest_);
  if (variant.checkers) {
    const checkers::Subject subject{.graph = scenario.graph,
                                    .layout = network_->layout(),
                                    .routes = scenario.routes,
                                    .vcs = config.vcs,
                                    .depth = config.depth,
                                    .formats = fabric::Formats(config.flit_w, config.gid_w)};
    checkers_ = run::make_checkers(subject, {}, {});
    network_->engine().observe_with(*checkers_);
  }
}

std::uint64_t TrafficNetwork::flit_hops() const {
  // A node's last flit is counted when it is sent, seen one cycle later.
  return digest_.flits() - std::min(digest_.flits(), network_->endpoints().flits_sent());
}

SizeCost size_cost(topology::Graph small, topology::Graph large, std::uint64_t seed, bool quick,
                   const std::function<Variant(const Scenario&)>& variant) {
  const std::uint64_t warmup = quick ? 20 : 1000, cycles = quick ? 10 : 100;
  const Scenario much = at_share_of_bound(std::move(large), 0.8, seed);
  Scenario little = at_load(std::move(small), 0.0, seed);
  little.load_flits = much.load_flits * flits_per_switch(much) / flits_per_switch(little);
  TrafficNetwork few(little, variant(little)), many(much, variant(much));
  few.run(warmup);
  many.run(warmup);
  const std::uint32_t few_size = little.graph.switches(), many_size = much.graph.switches();
  const std::uint32_t factor = many_size / few_size;
  const Timings t =
      alternate({[&] { many.run(cycles); }, [&] { few.run(factor * cycles); }}, quick ? 1 : 7);
  return {t.ratio(0, 1) * factor * few_size / many_size, much.load_flits * flits_per_switch(much)};
}

}  // namespace muster::bench
