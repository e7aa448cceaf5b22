// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "muster/core/provenance.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/spec.hpp"
#include "run/saturation/search.hpp"

namespace muster::run {

/// A measured saturation and how it was measured.
struct SaturationReport {
  RunSpec spec;                 ///< of every run, except for load and seed
  fabric::SwitchConfig config;  ///< of the switches
  std::string pattern;          ///< name of `spec.pattern`
  std::uint32_t repeat = 0;     ///< runs with each load
  double tolerance = 0.0;       ///< share of `route_bound`
  double route_bound = 0.0;     ///< of uniform traffic, flits per node and cycle
  Saturation found;
  std::vector<std::string> violations;  ///< of all runs
};

/// As JSON, schema `muster-saturation-1`. Ends with a newline.
std::string saturation_to_json(const SaturationReport& report, const Provenance& origin);

/// For people.
std::string saturation_to_text(const SaturationReport& report);

}  // namespace muster::run
