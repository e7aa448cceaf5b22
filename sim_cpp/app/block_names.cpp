// SPDX-License-Identifier: Apache-2.0
#include "app/block_names.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/run/option_values.hpp"
#include "muster/topology/group_spec.hpp"

namespace muster::app {

topology::SwitchId switch_named(const topology::Graph& graph, const std::string& name,
                                const std::string& what, const std::string& note) {
  const std::string digits = name.starts_with("sw") ? name.substr(2) : name;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    throw InputError(fmt::format("{} '{}': write a switch as sw3{}", what, name, note));
  const std::uint64_t s = run::number(digits, what);
  if (s >= graph.switches())
    throw InputError(
        fmt::format("{}: switch {} does not exist; the network has {}", what, s, graph.switches()));
  topology::check_number(graph, static_cast<topology::SwitchId>(s), name, what);
  return static_cast<topology::SwitchId>(s);
}

topology::NodeId node_named(const topology::Graph& graph, const std::string& name,
                            const std::string& what) {
  try {
    return topology::parse_members(graph, {name}).front();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", what, error.what()));
  }
}

}  // namespace muster::app
