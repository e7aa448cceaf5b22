// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "app/context.hpp"
#include "muster/topology/graph.hpp"

namespace muster::app {

/// The generators as subcommands of `topo gen`. Each function adds one, with its options.
class TopoGenerators {
 public:
  TopoGenerators(CLI::App& gen, const Context& context) : gen_(gen), context_(context) {}

  void irregular();
  void mesh();
  void torus();
  void hypercube();
  void dragonfly();
  void complete();
  void tree();
  void fat_tree();
  void clos();

 private:
  /// A subcommand whose values are bound by the caller.
  CLI::App& add(const std::string& name, const std::string& text,
                std::function<topology::Graph(std::uint64_t seed)> make);
  /// A size up to `most`, with the default that is printed. What sizes allow together the
  /// generators say.
  static void size(CLI::App& command, const std::string& name, std::uint32_t& value,
                   const std::string& text, std::uint32_t most, std::uint32_t least = 1);

  CLI::App& gen_;
  const Context& context_;
};

}  // namespace muster::app
