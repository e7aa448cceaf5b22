// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <utility>

#include "app/plot/curves.hpp"

namespace muster::app::plot {

namespace {

using Named = std::pair<const char*, const char*>;

/// Fields whose names do not say their units.
constexpr std::array kUnitsOfFields = {Named{"parameters.load", "share of the route bound"},
                                       Named{"parameters.load-flits", "flits per node and cycle"},
                                       Named{"parameters.packet-length", "flits"},
                                       Named{"parameters.spread", "cycles"},
                                       Named{"parameters.split", "cycles"},
                                       Named{"parameters.warmup", "cycles"},
                                       Named{"parameters.rate", "messages per PE and cycle"},
                                       Named{"parameters.sigma", "cycles"},
                                       Named{"parameters.mean", "cycles"},
                                       Named{"result.data_throughput", "flits per node and cycle"}};

/// Parts of a name that are units; the longer ones come first.
constexpr std::array kUnits = {Named{"flits_per_node_cycle", "flits per node and cycle"},
                               Named{"messages_per_pe_cycle", "messages per PE and cycle"},
                               Named{"cycles", "cycles"},
                               Named{"flits", "flits"},
                               Named{"us", "us"},
                               Named{"ns", "ns"}};

bool is_letter(const std::string& text, std::size_t at) {
  return at < text.size() && text[at] != '_' && text[at] != '.' && text[at] != '-';
}

/// Takes a unit and the '_' before it out of a name; empty if it has none.
std::string take_unit(std::string& name) {
  for (const auto& [part, unit] : kUnits) {
    const std::string word = part;
    for (auto at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
      // All of a name is no unit: "cycles" are cycles.
      if (at == 0 || is_letter(name, at - 1) || is_letter(name, at + word.size())) continue;
      name.erase(at - 1, word.size() + 1);
      return unit;
    }
  }
  return {};
}

}  // namespace

std::string axis_label(const std::string& field) {
  std::string name = field, unit;
  for (const std::string prefix : {"parameters.", "result."})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  for (const auto& [known, its] : kUnitsOfFields)
    if (field == known) unit = its;
  if (unit.empty()) unit = take_unit(name);
  std::string label;
  for (const char c : name) {
    if (c == '.')
      label += ", ";
    else
      label += c == '_' || c == '-' ? ' ' : c;
  }
  return unit.empty() ? label : fmt::format("{} ({})", label, unit);
}

}  // namespace muster::app::plot
