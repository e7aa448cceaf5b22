// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "muster/topology/graph.hpp"

namespace muster::topology {

inline constexpr const char* kTopologySchema = "muster-topology-1";

/// The project's own network format, `schema` "muster-topology-1":
///
///   schema     "muster-topology-1"
///   name, generator, note   text, optional
///   mesh       {"width": W, "height": H}, optional; asks for X-Y routes
///   levels     [L, ...] of switch 0, 1, ..., optional: up*/down* routes by these, 0 at the top
///   switches   [{"ports": P, "name": "TEXT"}, ...]        switch 0 first
///   links      [{"a": [switch, port], "b": [switch, port], "latency": L}, ...]
///   nodes      [{"at": [switch, port], "latency": L, "name": "TEXT"}, ...] node 0 first
///   groups     {"NAME": ["switch:port" or "nN", ...], ...}, optional
///
/// `latency` is in cycles, 1 if left out; names may be left out. Any other field is an error.
///
/// `file` stands in messages. Throws InputError "file: place: reason; how to fix it".
Graph parse_json(std::string_view content, const std::string& file);

/// The network in this format, one switch, link or node a line. parse_json() of it is `graph`.
std::string to_json(const Graph& graph);

}  // namespace muster::topology
