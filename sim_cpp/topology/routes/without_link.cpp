// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/without_link.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

Graph without_link(const Graph& graph, PortRef a, PortRef b) {
  const auto is_it = [&](const Link& l) {
    return (l.a == a && l.b == b) || (l.a == b && l.b == a);
  };
  Graph rest;
  rest.name = graph.name;
  rest.generator = graph.generator;
  rest.note = graph.note;
  rest.groups = graph.groups;
  rest.switch_names = graph.switch_names;
  rest.node_names = graph.node_names;
  for (SwitchId s = 0; s < graph.switches(); ++s) rest.add_switch(graph.ports(s));
  for (const Node& node : graph.node_list()) rest.add_node(node.at, node.latency);
  for (const Link& link : graph.links())
    if (!is_it(link)) rest.add_link(link.a, link.b, link.latency);
  if (rest.links().size() == graph.links().size())
    throw InputError(
        fmt::format("there is no link {}:{}-{}:{} between switches", a.sw, a.port, b.sw, b.port));
  const std::vector<std::uint32_t> level = bfs_levels(rest, a.sw);
  if (level[b.sw] == kUnreachable)
    throw InputError(fmt::format("without link {}:{}-{}:{} nothing joins switches {} and {}", a.sw,
                                 a.port, b.sw, b.port, a.sw, b.sw));
  return rest;
}

}  // namespace muster::topology
