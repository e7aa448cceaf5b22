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

/// The generators as subcommands of `topo gen`, with their options.
class TopoGenerators {
 public:
  /// The network of the options that were typed. Throws InputError.
  using Make = std::function<topology::Graph(std::uint64_t seed)>;
  /// Gives a command --seed, and what it does with its network.
  using Finish = std::function<void(CLI::App& command, Make make)>;
  TopoGenerators(CLI::App& gen, Finish finish) : gen_(gen), finish_(std::move(finish)) {}

  /// Adds all of them.
  void add_all();

 private:
  void irregular();
  void mesh();
  void torus();
  void hypercube();
  void dragonfly();
  void complete();
  void tree();
  void fat_tree();
  void clos();

  /// A subcommand whose values are bound by the caller.
  CLI::App& add(const std::string& name, const std::string& text, Make make);
  /// A size up to `most`, with the default that is printed. What sizes allow together the
  /// generators say.
  static void size(CLI::App& command, const std::string& name, std::uint32_t& value,
                   const std::string& text, std::uint32_t most, std::uint32_t least = 1);

  CLI::App& gen_;
  Finish finish_;
};

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

/// `topo gen` with a subcommand for each generator.
void add_topo_generators(CLI::App& topo, const Context& context);

}  // namespace muster::app
