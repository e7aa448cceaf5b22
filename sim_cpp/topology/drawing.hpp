// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// The network for Graphviz: switches as boxes s0, s1, ..., nodes as small circles n0, n1, ...
/// labelled switch:port, with their names after it, ports at the ends of links, latencies above 1
/// on them.
std::string to_dot(const Graph& graph);

/// Text between the quotes of a label in such a file.
std::string dot_escaped(const std::string& text);

/// A place on a sheet; y grows downwards.
struct Place {
  double x = 0.0, y = 0.0;
};

/// Where a network is drawn. A switch is about 1 away from the nearest other.
struct Drawing {
  std::string method;  ///< "mesh", "torus", "hypercube", "levels", "tree", "circle", "dragonfly" or
                       ///< the name of a Graphviz program
  std::vector<Place> switches, nodes;
};

/// More take these programs minutes, and find no room on a screen.
inline constexpr std::uint32_t kMostDrawnSwitches = 4096;

/// Networks of a known shape have places of their own; others get those of `dot`, `neato` or `sfdp`
/// of Graphviz where that is installed, else places on a circle. REQUIRES: up to
/// kMostDrawnSwitches.
Drawing draw(const Graph& graph);

}  // namespace muster::topology
