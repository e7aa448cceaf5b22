// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim_cpp/run/deaths/death_runs.hpp"

namespace muster::test {

/// On Figure 1: the paper's group by any scheme that supports deaths, a switch that dies and one
/// that is reset.
inline run::RunSpec dying_spec(const Subject& subject, const std::string& scheme,
                               std::uint64_t seed) {
  run::RunSpec spec = death_spec(subject, seed);
  spec.groups = {{"paper", topology::parse_group(subject.graph, "paper", 1)}};
  spec.scheme = scheme;
  spec.deaths = {{.id = 8, .cycle = 300}, {.id = 2, .cycle = 400, .reset = true}};
  return spec;
}

/// On Figure 1: flits are lost on a link, which a checker sees.
inline run::RunSpec breached_spec(const Subject& subject) {
  run::RunSpec spec = subject.spec({"paper"});
  spec.load_flits = 0.3 * subject.route_bound();
  spec.stopped = {{.channel = 3, .cycle = 250, .flits = true, .credits = false}};
  return spec;
}

}  // namespace muster::test
