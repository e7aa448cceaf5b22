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

const char* kind(const Death& death) {
  if (death.link) return "link";
  return death.node ? "node" : "switch";
}

bool there(const topology::Graph& graph, const Death& death) {
  if (death.link) return death.id < graph.links().size() + graph.nodes();
  return death.id < (death.node ? graph.nodes() : graph.switches());
}

/// Of the same block: a dead one does not die again and is not reset.
bool excludes(const Death& earlier, const Death& later) {
  if (earlier.node != later.node || earlier.link != later.link || earlier.id != later.id)
    return false;
  return earlier.reset ? earlier.cycle == later.cycle : earlier.cycle <= later.cycle;
}

}  // namespace

std::string option_text(const topology::Graph& graph, const Death& death) {
  const char* option = death.link    ? "--cut-link"
                       : death.node  ? "--kill-node"
                       : death.reset ? "--reset-switch"
                                     : "--kill-switch";
  return fmt::format("{} '{}@{}'", option, name_of(graph, death), death.cycle);
}

void check_deaths(const RunSpec& spec, const SchemeFactory& scheme) {
  for (const Death& death : spec.deaths) {
    if (!there(*spec.graph, death))
      throw InputError(fmt::format("RunSpec::deaths: there is no {} {}", kind(death), death.id));
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{}: {}", option_text(*spec.graph, death), reason));
    };
    if (!spec.links.retry)
      refuse("without link ends the death is not detected, and credits are lost; add --link-retry");
    if (!scheme.bears_deaths)
      refuse(fmt::format("scheme '{}' does not support deaths; use {}", scheme.name,
                         fmt::join(schemes_that_bear_deaths(), ", ")));
    if ((death.node || death.link) && death.reset) refuse("only switches have a reset");
    if (death.cycle > kMostCycles) refuse(fmt::format("the last cycle is {}", kMostCycles));
    for (const Death& other : spec.deaths)
      if (&other != &death && excludes(other, death))
        refuse(fmt::format("{} is before it", option_text(*spec.graph, other)));
  }
}

}  // namespace muster::run
