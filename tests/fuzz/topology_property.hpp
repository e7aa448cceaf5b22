// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "muster/core/error.hpp"
#include "muster/topology/load_file.hpp"
#include "topology/json_io.hpp"
#include "topology/route_check.hpp"

namespace muster {

/// Reads `content` as a network file. True if it is one, false if it was refused with a proper
/// message; anything else aborts, which is what a fuzzer looks for.
inline bool check_topology_bytes(std::string_view content) {
  topology::Graph graph;
  try {
    graph = topology::parse_topology(content, "input");
  } catch (const InputError& error) {
    const std::string_view line = error.what();
    if (!line.starts_with("input: ") || line.size() > 1000) std::abort();
    for (const char c : line)
      if (c < ' ' || c > '~') std::abort();
    return false;
  }
  if (topology::parse_topology(topology::to_json(graph), "copy") != graph) std::abort();
  const topology::Routes routes = topology::routes_for(graph);
  if (graph.destinations() < 200 && topology::delivery_fault(graph, routes)) std::abort();
  return true;
}

}  // namespace muster
