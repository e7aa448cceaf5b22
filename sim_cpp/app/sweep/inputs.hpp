// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "app/sweep/plan.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::app::sweep {

/// What is read by the runs of a plan beside the plan, as digests of the contents: a row is of
/// these as much as of its options.
struct Inputs {
  using Digests = std::map<std::string, std::string>;

  Digests networks;                     ///< of network files, by their names in the plan
  Digests files;                        ///< of files that options name, by their names in the plan
  Digests models;                       ///< of models of the RTL, by configuration
  std::set<std::string> model_engines;  ///< engines of the plan that clock such models

  /// Those that a run with these parameters reads, as an object; empty if there are none.
  nlohmann::json of(const Json& parameters) const;
};

/// Reads all files. Of models those of configurations that the plan names, if they are built.
/// Throws InputError with the plan's name in front for a file that no run could use.
Inputs read_inputs(const Plan& plan, const fabric::EngineRegistry& engines);

}  // namespace muster::app::sweep
