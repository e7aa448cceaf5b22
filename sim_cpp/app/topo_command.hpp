// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "app/context.hpp"
#include "muster/topology/graph.hpp"

namespace muster::app {

/// The network of the options that were typed. Throws InputError.
using MakeNetwork = std::function<topology::Graph(std::uint64_t seed)>;

/// Adds the generators as subcommands of `topo gen`, with their options. `finish` gives each
/// --seed, and what it does with its network.
void add_generators(CLI::App& gen,
                    const std::function<void(CLI::App& command, MakeNetwork make)>& finish);

/// Where a network goes, and --seed and --json.
struct TopoOutput {
  std::string out = "-";
  CommonOptions common;
};

void add_topo_output(CLI::App& command, TopoOutput& output);

/// Writes a network, read from `file` if that is not empty.
void put_topo(const TopoOutput& output, const std::string& file,
              const std::function<topology::Graph()>& make,
              const std::function<std::string(const topology::Graph&)>& text,
              const Context& context);

}  // namespace muster::app
