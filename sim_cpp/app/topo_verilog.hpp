// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::app {

/// What `topo export` is told of a network as a module, beside the network: for the formats
/// verilog, c-header and rdl.
struct VerilogOptions {
  std::string config;               ///< of the switches; empty: the smallest that fits
  std::string module;               ///< its name; empty: from the file's
  std::vector<std::string> groups;  ///< in the image, group g with identifier g
  std::string root;                 ///< switch, of all groups; empty: the best one of each
  bool flat = false;                ///< the module around it, whose ports tools know

  /// The first one that is given of those that all these formats have, "--config"; empty if none.
  std::string given() const;
};

void add_verilog_options(CLI::App& command, VerilogOptions& options);

bool is_module_format(const std::string& format);
/// The network of this file as a module, or what describes it. `seed` is that of random groups.
std::string network_module(const topology::Graph& graph, const std::string& file,
                           const std::string& format, const VerilogOptions& options,
                           std::uint64_t seed);

}  // namespace muster::app
