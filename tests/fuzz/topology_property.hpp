// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

#include "muster/core/error.hpp"
#include "muster/topology/graph.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/route_check.hpp"

namespace muster {

/// True if `line` can be shown in a terminal as it is: ASCII without control characters, and bytes
/// above it only as the first byte of a sequence of UTF-8 and the bytes that it announces.
inline bool shows_as_one_line(std::string_view line) {
  int following = 0;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    const bool follows = byte >= 0x80 && byte < 0xc0;
    if (follows != (following > 0)) return false;
    if (follows)
      --following;
    else if (byte >= 0xc2 && byte <= 0xf4)
      following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    else if (byte < ' ' || byte > '~')
      return false;
  }
  return following == 0;
}

/// Reads `content` as a network file. True if it is one, false if it was refused with a proper
/// message; anything else aborts, which is what a fuzzer looks for.
inline bool check_topology_bytes(std::string_view content) {
  topology::Graph graph;
  try {
    graph = topology::parse_topology(content, "input");
  } catch (const InputError& error) {
    const std::string_view line = error.what();
    if (!line.starts_with("input: ") || line.size() > 1000 || !shows_as_one_line(line))
      std::abort();
    return false;
  }
  if (topology::parse_topology(topology::to_json(graph), "copy") != graph) std::abort();
  const topology::Routes routes = topology::routes_for(graph);
  if (graph.destinations() < 200 && topology::delivery_fault(graph, routes)) std::abort();
  return true;
}

}  // namespace muster
