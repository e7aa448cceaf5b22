// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "app/context.hpp"
#include "muster/topology/graph.hpp"
#include "topology/info.hpp"

namespace muster::app {

/// Where a network goes, and --seed and --json.
struct TopoOutput {
  std::string out = "-";
  CommonOptions common;
};

void add_topo_output(CLI::App& command, TopoOutput& output);

/// The text of `topo info` of a network; shows its progress on a terminal.
topology::TopologyInfo described(const topology::Graph& graph);

/// What `topo info --json` writes of a network.
std::string topo_info(const topology::Graph& graph, const CommonOptions& options,
                      const Context& context);

/// Writes a network, read from `file` if that is not empty.
void put_topo(const TopoOutput& output, const std::string& file,
              const std::function<topology::Graph()>& make,
              const std::function<std::string(const topology::Graph&)>& text,
              const Context& context);

/// `topo gen` with a subcommand for each generator.
void add_topo_generators(CLI::App& topo, const Context& context);

}  // namespace muster::app
