// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "muster/systems/preempt.hpp"
#include "sim_cpp/systems/preempt/links/link_runs.hpp"
#include "systems/preempt/switch_kinds.hpp"

namespace muster::test {

/// A random network of any kind with preempting switches, one to three groups, data from none to
/// four tenths of saturation, and one or two links that die at any time. A function of seed and
/// index alone.
struct RandomLinks {
  Subject subject;
  run::RunSpec spec;  ///< golden, without a configuration

  RandomLinks(std::uint64_t seed, std::uint64_t index, std::uint32_t barriers)
      : RandomLinks(Rng(seed, 7100 + index), barriers) {}
  RandomLinks(const RandomLinks&) = delete;

  std::string text() const {
    return fmt::format("{} on {} switches, {} groups, load {}, {} links", spec.scheme,
                       subject.graph.switches(), spec.groups.size(), spec.load_flits,
                       spec.killed.size());
  }

 private:
  RandomLinks(Rng rng, std::uint32_t barriers) : subject(network(rng)) {
    std::vector<std::string> groups;
    for (std::uint64_t g = 1 + rng.below(3); g > 0; --g)
      groups.push_back("random:" + std::to_string(1 + rng.below(subject.graph.nodes())));
    spec = subject.spec(groups, rng.next());
    spec.scheme = kBsrSchemes[rng.below(3)];
    spec.barriers = barriers;
    spec.spread = rng.below(2) * 200;
    spec.packet_length = static_cast<std::uint32_t>(4 + rng.below(40));
    spec.load_flits = 0.1 * static_cast<double>(rng.below(5)) * subject.route_bound();
    spec.warmup = rng.below(2) * 500;
    topology::Graph rest = subject.graph;
    std::uint64_t cycle = 0;
    for (std::uint64_t l = 1 + rng.below(2); l > 0; --l) {
      const auto link = spare_link(rest, rng.below(rest.links().size()));
      if (!link) break;
      rest = topology::without_link(rest, link->a, link->b);
      cycle += rng.below(3) == 0 ? rng.below(400) : rng.below(4000);
      spec.killed.push_back({link->a, link->b, cycle});
    }
  }
  static topology::Graph network(Rng& rng) {
    const auto seed = rng.next();
    switch (rng.below(8)) {
      case 0:
        return topology::generate_mesh(static_cast<std::uint32_t>(2 + rng.below(4)),
                                       static_cast<std::uint32_t>(2 + rng.below(4)));
      case 1:
        return topology::generate_fat_tree(2, 3);
      case 2:
        return topology::generate_clos(8, 4);
      default:
        return topology::generate_irregular({.switches = static_cast<std::uint32_t>(10 + seed % 12),
                                             .nodes = static_cast<std::uint32_t>(20 + seed % 17),
                                             .ports = 8,
                                             .connectivity = 0.7 + 0.3 * rng.uniform(),
                                             .seed = seed});
    }
  }
};

}  // namespace muster::test
