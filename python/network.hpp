// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/run_options.hpp"
#include "muster/topology/graph.hpp"

namespace muster::python {

/// A network and where it is from. Nothing of it changes, so that threads may share it.
class Network {
 public:
  /// `label`: in messages. `setup`: the command that makes its file; empty if there is one.
  Network(topology::Graph graph, std::string label, std::string setup = {});

  /// The same network, whose up*/down* levels count from a switch. Throws InputError.
  std::shared_ptr<Network> routed_from(topology::SwitchId root) const;

  const topology::Graph& graph() const { return *graph_; }
  const std::string& label() const { return label_; }
  const std::optional<topology::SwitchId>& root() const { return root_; }
  /// With its routes, which are made once.
  app::RunNetwork with_routes() const;
  /// On a command line: the file, and what makes it in front of the command.
  std::string command(const std::string& words) const;

 private:
  std::shared_ptr<const topology::Graph> graph_;
  std::string label_, setup_;
  std::optional<topology::SwitchId> root_;  ///< of the routes; none: the most central one
  mutable std::once_flag routed_;
  mutable std::shared_ptr<const topology::Routes> routes_;
};

/// By the options of `muster topo gen NAME`. Throws InputError.
std::shared_ptr<Network> generate(const std::string& name, const std::vector<std::string>& words,
                                  const std::string& label);

}  // namespace muster::python
