// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "muster/run/json.hpp"

namespace muster::app::sweep {

using run::Json;

/// The values of one option.
struct Axis {
  std::string name;   ///< "load"; "network.width" of the generator; "network" of networks
  std::string place;  ///< in the plan
  /// Each is a number, a text, true or false of a flag, null where the option is left out, or a
  /// list of what is typed in one run. Of networks: a file, or {"generate": G, option: value, ...}.
  std::vector<Json> values;
};

/// A plan as its file says; what is there is of the right type, no more.
struct Plan {
  std::string file;                           ///< as typed, in front of messages
  std::filesystem::path folder;               ///< the file's
  Json document;                              ///< all of it
  std::vector<std::string> command{"run"};    ///< "topo", "info"
  std::string generator;                      ///< of topo gen; empty: "network" is an axis, or none
  std::vector<Axis> axes;                     ///< in the order of nested loops
  std::vector<std::vector<std::string>> zip;  ///< names of axes that advance together
  std::vector<std::string> keep;              ///< fields of results; empty: all scalars
};

/// Throws InputError "FILE: place: reason; how to fix it".
Plan read_plan(const std::string& file);

/// A plan in memory; `file` stands in messages.
Plan parse_plan(std::string_view content, const std::string& file);

}  // namespace muster::app::sweep
