// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/result.hpp"

namespace muster::run {

/// What runs with one offered load have shown.
struct Probe {
  double load = 0.0;            ///< asked for, flits per node and cycle
  std::uint32_t runs = 0;       ///< with different seeds
  std::uint32_t saturated = 0;  ///< of them
  double accepted = 0.0;        ///< mean of the runs, flits per node and cycle
  double packet_latency = 0.0;  ///< mean of the runs, cycles
};

/// Runs a load. Nothing: it was interrupted.
using MeasureLoad = std::function<std::optional<Probe>(double load)>;

/// Where a search looks, flits per node and cycle.
struct SearchRange {
  double first = 1.0;       ///< load that is tried first
  double most = 1.0;        ///< that a node can send
  double tolerance = 0.02;  ///< the search ends when it knows the saturation within this
};

/// How a search has ended.
enum class Verdict : std::uint8_t {
  kSaturates,   ///< the saturation is in the interval
  kSustained,   ///< the most that nodes can send is carried
  kInterrupted  ///< the interval is what was known until then
};

/// What a search has found. The interval is as wide as the loads on which the runs disagree, and
/// wider by twice the tolerance at most.
struct Saturation {
  std::vector<Probe> probes;          ///< in their order
  double sustained = 0.0;             ///< highest load that all its runs have carried
  std::optional<double> unsustained;  ///< lowest load that none of its runs has carried
  Verdict verdict = Verdict::kInterrupted;

  /// Most that was accepted with any of the loads, flits per node and cycle.
  double most_accepted() const;
};

/// From `first` on it doubles the load until no run carries it. Then it halves the interval between
/// a load that all runs carry and one that some do not, and that between one that some carry and
/// one that none does. At most log2(most / first) + 2 log2(most / tolerance) + 2 loads.
Saturation find_saturation(const SearchRange& range, const MeasureLoad& measure);

/// A measured saturation and how it was measured.
struct SaturationReport {
  RunSpec spec;                 ///< of every run, except for load and seed
  fabric::SwitchConfig config;  ///< of the switches
  std::uint32_t repeat = 0;     ///< runs with each load
  double tolerance = 0.0;       ///< share of `route_bound`
  double route_bound = 0.0;     ///< of uniform traffic, flits per node and cycle
  double pattern_bound = 0.0;   ///< the same of the traffic that is sent
  Saturation found = {};
  std::vector<std::string> violations = {};  ///< of all runs
};

/// Fields of schema `muster-saturation-1`.
void describe(core::Record& r, const SaturationReport& report, const Provenance& origin);

/// For people.
std::string saturation_to_text(const SaturationReport& report);

}  // namespace muster::run
