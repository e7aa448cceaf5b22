// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::app {

/// What `topo export --format verilog` is told beside the network.
struct VerilogOptions {
  std::string config;               ///< of the switches; empty: the smallest that fits
  std::string module;               ///< its name; empty: from the file's
  std::vector<std::string> groups;  ///< in the image, group g with identifier g

  /// The first one that is given, "--config"; empty if none is.
  std::string given() const;
};

void add_verilog_options(CLI::App& command, VerilogOptions& options);

/// The network of this file as a module. `seed` is that of random groups.
std::string network_verilog(const topology::Graph& graph, const std::string& file,
                            const VerilogOptions& options, std::uint64_t seed);

}  // namespace muster::app
