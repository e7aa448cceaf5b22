// SPDX-License-Identifier: Apache-2.0
#include "figures/ring_figure.hpp"

#include <muster/run.hpp>
#include <muster/topology.hpp>

namespace token_ring {

using namespace muster;

namespace {

constexpr std::uint32_t kLeast = 3, kMost = 12;  // switches

/// A ring with a node at each switch.
topology::Graph ring_of(std::uint32_t switches) {
  topology::Graph graph;
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_switch(3);
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_link({s, 0}, {(s + 1) % switches, 1});
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_node({s, 2});
  return graph;
}

run::RunResult one_barrier(std::uint32_t switches, const figures::FigureSetting& setting) {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(ring_of(switches));
  spec.engine = setting.engine;
  spec.seed = setting.seed;
  spec.scheme = "token-ring";
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", setting.seed)}};
  spec.barriers = 1;
  spec.spread = 0;
  return run::run_barriers(spec);
}

}  // namespace

figures::FigureData RingFigure::measure(const figures::FigureSetting& setting) {
  const auto results = figures::run_parallel(
      kMost - kLeast + 1, setting.threads,
      [&](std::uint32_t i, unsigned) { return one_barrier(kLeast + i, setting); });
  figures::FigureData data;
  data.title = "A barrier on a token ring, all members arriving at once";
  figures::Series measured{"measured", {}}, calculated{"3 cycles a hop, 2 hops a switch", {}};
  for (std::uint32_t i = 0; i < results.size(); ++i) {
    const double switches = kLeast + i;
    measured.points.push_back({switches, results[i].latency_mean, {}});
    calculated.points.push_back({switches, 3.0 * 2.0 * switches, {}});
    data.violations += results[i].violations.size();
  }
  data.panels.push_back({.name = "a",
                         .title = data.title,
                         .x_label = "switches",
                         .y_label = "latency (cycles)",
                         .series = {measured, calculated},
                         .printed = {}});
  return data;
}

}  // namespace token_ring
