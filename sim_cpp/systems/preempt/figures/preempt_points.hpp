// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "muster/figures/figure.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/graph.hpp"

namespace muster::preempt {

/// A network of section 4 of the paper on preempting switches: switches with three ports to others,
/// joined at random, or a square mesh.
struct PreemptSystem {
  bool mesh = false;
  std::uint32_t size = 300;      ///< switches, or the side of the mesh
  std::uint32_t per_switch = 1;  ///< nodes
  topology::Graph graph(std::uint64_t seed) const;
  std::string name() const;
};

/// A scheme as it is compared.
struct PreemptBaseline {
  std::string name;  ///< of its curve
  std::string scheme;
  // Of barrier units in switches:
  std::uint32_t unit_buffer = 0;  ///< messages; 0: it has none
  bool unit_waits = false;        ///< such a baseline can deadlock: it has no point there
};

/// One run of one group on a network.
struct PreemptCase {
  PreemptBaseline baseline;
  std::uint32_t members = 0;  ///< 0: data only
  std::uint32_t barriers = 4;
  std::string profile = "native";
  std::optional<std::uint32_t> hop = {};  ///< T_b in place of the profile's, cycles
  std::optional<std::uint32_t> gap = {};  ///< of preempting switches; none: as after reset
  run::CongestionSpec congestion = {};    ///< none with 0 members
  /// All members arrive at once and long after the barrier before; else when they are released.
  bool apart = true;
  std::uint32_t vcs = 2;     ///< of the switches
  double load = 0.0;         ///< of data, as --load
  std::uint64_t cycles = 0;  ///< at least
};

struct PreemptSample {
  std::vector<double> latency;  ///< of the barriers, cycles
  double throughput = 0.0;      ///< of data, flits per node and cycle
  double theorem_2 = 0.0;       ///< cycles; of preempting switches
  std::uint64_t cuts = 0;       ///< channels cut, in all barriers; likewise
  bool stands_still = false;    ///< a barrier takes longer than the run waits
};

/// By case, then by network.
using PreemptSamples = std::vector<std::vector<PreemptSample>>;

/// Every case on every one of `networks` networks, or the setting's repetitions; network i and its
/// groups are drawn from setting.seed + i. Violations are added to `data`. Throws InternalError if
/// a barrier that is to be apart runs into the next.
PreemptSamples measure_cases(const PreemptSystem& system, const std::vector<PreemptCase>& cases,
                             std::uint32_t networks, const figures::FigureSetting& setting,
                             figures::FigureData& data);

/// A point: the mean over the networks of a value of the samples, with its confidence interval.
figures::Point mean_point(double x, const std::vector<PreemptSample>& samples,
                          const std::function<double(const PreemptSample&)>& value);

double first_round(const PreemptSample& sample);
/// Mean of the others.
double later_rounds(const PreemptSample& sample);

}  // namespace muster::preempt
