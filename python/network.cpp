// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bindings.hpp"
#include "muster/core/outputs.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "topology/drawing.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/info.hpp"
#include "topology/route_walk.hpp"

namespace muster::python {

namespace {

using topology::Graph;

std::string text_of(const Graph& graph, const std::string& format) {
  if (format == "json") return topology::to_json(graph);
  if (format == "graphml") return topology::to_graphml(graph);
  if (format == "anynet") return topology::to_anynet(graph);
  if (format == "dot") return topology::to_dot(graph);
  throw InputError("unknown format '{}'; known are json, graphml, anynet, dot", format);
}

/// (switch, port) of each hop of the deterministic route.
nb::list route_of(const Network& network, topology::NodeId from, topology::NodeId to) {
  const app::RunNetwork routed = network.with_routes();
  for (const topology::NodeId node : {from, to})
    if (node >= routed.graph->nodes())
      throw InputError("node n{} does not exist; the network has n0 to n{}", node,
                       routed.graph->nodes() - 1);
  nb::list route;
  topology::walk_route(
      *routed.graph, *routed.routes, from, to,
      [&](topology::SwitchId s, std::uint32_t port) { route.append(nb::make_tuple(s, port)); });
  return route;
}

std::string info_of(const Network& network) {
  const app::RunNetwork routed = network.with_routes();
  Provenance origin = origin_of(network.command("topo info"));
  origin.seed = app::CommonOptions().seed;
  return topology::info_json(topology::describe_topology(*routed.graph, *routed.routes), origin);
}

}  // namespace

Network::Network(Graph graph, std::string label, std::string setup)
    : graph_(std::make_shared<const Graph>(std::move(graph))),
      label_(std::move(label)),
      setup_(std::move(setup)) {}

std::shared_ptr<Network> Network::routed_from(topology::SwitchId root) const {
  if (root >= graph_->switches())
    throw InputError("switch {} does not exist; the network has 0 to {}", root,
                     graph_->switches() - 1);
  if (!graph_->levels.empty())
    throw InputError("the network has levels of its own, from which its routes follow");
  auto network = std::make_shared<Network>(*graph_, label_, setup_);
  network->root_ = root;
  return network;
}

app::RunNetwork Network::with_routes() const {
  std::call_once(routed_, [this] {
    routes_ = std::make_shared<const topology::Routes>(
        root_ ? topology::up_down_routes(*graph_, topology::bfs_levels(*graph_, *root_))
              : topology::routes_for(*graph_));
  });
  return {graph_, routes_};
}

std::string Network::command(const std::string& words) const {
  if (setup_.empty()) return fmt::format("muster {} {}", words, label_);
  return fmt::format("{} --out {}.json && muster {} {}.json", setup_, label_, words, label_);
}

void bind_network(nb::module_& m) {
  nb::class_<Network>(m, "Network")
      .def_prop_ro("label", &Network::label)
      .def(
          "text",
          [](const Network& n, const std::string& format) { return text_of(n.graph(), format); },
          "format"_a)
      .def(
          "save",
          [](const Network& n, const std::string& path, const std::string& format) {
            write_file(path, text_of(n.graph(), format));
          },
          "path"_a, "format"_a, nb::call_guard<Unlocked>())
      .def("route", &route_of, "source"_a, "destination"_a)
      .def("routed_from", &Network::routed_from, "root"_a)
      .def_prop_ro("root", [](const Network& n) { return n.root(); })
      .def("info", &info_of, nb::call_guard<Unlocked>())
      .def(
          "__eq__",
          [](const Network& a, const Network& b) {
            return a.graph() == b.graph() && a.root() == b.root();
          },
          nb::is_operator());
  m.def(
      "read",
      [](const std::string& path, const std::string& label) {
        return std::make_shared<Network>(topology::read_topology(path), label);
      },
      "path"_a, "label"_a, nb::call_guard<Unlocked>());
  m.def(
      "parse",
      [](const std::string& text, const std::string& label, const std::string& setup) {
        return std::make_shared<Network>(topology::parse_topology(text, label), label, setup);
      },
      "text"_a, "label"_a, "setup"_a, nb::call_guard<Unlocked>());
}

}  // namespace muster::python
