// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/names.hpp"

#include <fmt/format.h>

#include "muster/topology/group_spec.hpp"
#include "topology/files/quote.hpp"

namespace muster::topology {

std::string label_of(const std::map<std::uint32_t, std::string>& names, std::uint32_t id) {
  const auto found = names.find(id);
  return found == names.end() ? "" : " " + quote(found->second);
}

std::string switch_text(const Graph& graph, SwitchId sw) {
  return fmt::format("switch {}{}", sw, label_of(graph.switch_names, sw));
}

std::string node_text(const Graph& graph, NodeId node) {
  return node_name(graph, node) + label_of(graph.node_names, node);
}

std::string node_number_text(const Graph& graph, NodeId node) {
  return fmt::format("n{}{}", node, label_of(graph.node_names, node));
}

}  // namespace muster::topology
