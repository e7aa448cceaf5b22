// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/result.hpp"
#include "run/saturation.hpp"

namespace muster::run {

/// What a scheme does with one load of background data.
struct ComparedLoad {
  double load = 0.0;         ///< share of the route bound
  double mean = 0.0;         ///< latency of a barrier, cycles
  std::uint64_t p99 = 0;     ///< the same
  double hops = 0.0;         ///< messages on links for each barrier
  std::uint64_t done = 0;    ///< barriers that the latencies are of
  std::uint64_t failed = 0;  ///< others, which failed in a recovery
  bool saturated = false;    ///< source queues of data still grew
  std::string trouble = {};  ///< why not all barriers were done; empty: they were
  bool measured = false;     ///< to the end
};

/// LUTs of one configuration on each family of FPGAs that it was mapped to.
struct ComparedLuts {
  std::string config = {};
  std::uint32_t count = 0;                                       ///< of such blocks in the network
  std::vector<std::pair<std::string, std::uint32_t>> luts = {};  ///< of one, by family; or none
};
/// Those of results/synthesis.csv.
ComparedLuts luts_of(const std::string& config, std::uint32_t count);
/// Of switches: their own, or those of a mapped size that has more destinations, if any.
ComparedLuts luts_of(const fabric::SwitchConfig& config, std::uint32_t count);

/// One scheme on the network.
struct ComparedScheme {
  std::string scheme, about;
  std::string unsupported = {};               ///< why it cannot run here; empty: it can
  fabric::SwitchConfig config = {};           ///< of the switches
  std::vector<ComparedLoad> loads = {};       ///< in the order of Comparison::loads
  std::optional<double> messages = {};        ///< that nodes send in a barrier, without data
  std::optional<Saturation> saturation = {};  ///< of data alone on these switches
  std::vector<ComparedLuts> hardware = {};    ///< switches, blocks at nodes, link ends
  std::vector<std::string> survives = {};     ///< faults
};

/// Schemes beside each other, with the same group, arrivals and data.
struct Comparison {
  RunSpec spec;  ///< of every run, except for scheme, load and what is the scheme's own
  std::vector<double> loads = {};
  double route_bound = 0.0;  ///< flits per node and cycle
  std::vector<ComparedScheme> schemes = {};
  bool interrupted = false;  ///< the rest is missing
};

/// Fields of schema `muster-comparison-1`.
void describe(core::Record& r, const Comparison& comparison, const Provenance& origin);
/// For people: a row for each scheme and load.
std::string comparison_to_text(const Comparison& comparison);

}  // namespace muster::run
