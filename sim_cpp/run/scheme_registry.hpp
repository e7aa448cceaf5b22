// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/scheme.hpp"

namespace muster::run {

/// A scheme by the name that `--scheme` has for it, and the function that plans its groups; that
/// throws InputError for what the scheme cannot do.
struct SchemeFactory {
  const char* name;
  std::unique_ptr<SchemePlan> (*plan)(const RunSpec& spec);
  bool centered = false;  ///< RunSpec::center means something to it
  bool preempts = false;  ///< RunSpec::preempt does
  bool nics = false;      ///< RunSpec::nic does
};

/// All schemes there are. A new one has a file of its own and one line in scheme_registry.cpp.
const std::vector<SchemeFactory>& schemes();

/// The plan of the scheme that the run names. Throws InputError naming the schemes there are, or
/// for choices that mean nothing to this one.
std::unique_ptr<SchemePlan> plan_scheme(const RunSpec& spec);

/// Throws InputError naming the schemes there are.
const SchemeFactory& find_scheme(const std::string& name);

/// All names, joined by commas.
std::string scheme_names();

}  // namespace muster::run
