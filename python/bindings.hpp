// SPDX-License-Identifier: Apache-2.0
// What the files of the module muster._core share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/run_options.hpp"
#include "muster/topology/graph.hpp"

namespace muster::python {

namespace nb = nanobind;
using namespace nb::literals;

/// Each adds a part of the module.
void bind_network(nb::module_& m);
void bind_run(nb::module_& m);

/// Gives other Python threads the interpreter while it lives; a guard of calls. A thread that asks
/// for the interpreter when that has begun to end is stopped in the middle of C++, which aborts the
/// process. So end_all() waits until all have come back, and later ones keep the interpreter.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  std::optional<nb::gil_scoped_release> release_;
};

/// The interpreter ends, and so do runs: they call no Python any more.
bool all_end();

/// The engines of this module: golden, and those of verif where it was built with them.
const fabric::EngineRegistry& engines();

/// Of a result that this command line would have.
Provenance origin_of(std::string command);

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

}  // namespace muster::python
