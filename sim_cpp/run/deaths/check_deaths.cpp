// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/check_deaths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "muster/core/error.hpp"
#include "run/deaths/hit_groups.hpp"

namespace muster::run {

namespace {

std::vector<std::string> schemes_that_bear_deaths() {
  std::vector<std::string> names;
  for (const auto& system : systems())
    for (const SchemeFactory& scheme : system->schemes())
      if (scheme.bears_deaths) names.push_back(scheme.name);
  return names;
}

/// Of the same block: a dead one does not die again and is not reset.
bool excludes(const Death& earlier, const Death& later) {
  if (earlier.node != later.node || earlier.id != later.id) return false;
  return earlier.reset ? earlier.cycle == later.cycle : earlier.cycle <= later.cycle;
}

}  // namespace

std::string option_text(const Death& death) {
  const char* option = death.node    ? "--kill-node"
                       : death.reset ? "--reset-switch"
                                     : "--kill-switch";
  return fmt::format("{} '{}@{}'", option, block_name(death.node, death.id), death.cycle);
}

void check_deaths(const RunSpec& spec, const SchemeFactory& scheme) {
  for (const Death& death : spec.deaths) {
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{}: {}", option_text(death), reason));
    };
    if (!spec.links.retry)
      refuse("without link ends nobody notices, and credits are lost; add --link-retry");
    if (!scheme.bears_deaths)
      refuse(fmt::format("scheme '{}' does not bear deaths; use {}", scheme.name,
                         fmt::join(schemes_that_bear_deaths(), ", ")));
    if (death.node && death.reset) refuse("a node has no reset");
    if (death.id >= (death.node ? spec.graph->nodes() : spec.graph->switches()))
      refuse("it is not there");
    if (death.cycle > kMostCycles) refuse(fmt::format("the last cycle is {}", kMostCycles));
    for (const Death& other : spec.deaths)
      if (&other != &death && excludes(other, death))
        refuse(fmt::format("{} is before it", option_text(other)));
  }
}

}  // namespace muster::run
