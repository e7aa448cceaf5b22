// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/topo_output.hpp"
#include "app/topo_verilog.hpp"
#include "muster/core/error.hpp"
#include "muster/topology/load_file.hpp"
#include "topology/files/anynet.hpp"
#include "topology/files/dot.hpp"
#include "topology/files/graphml.hpp"
#include "topology/files/json_io.hpp"

namespace muster::app {

namespace {

using topology::Graph;

std::string exported(const Graph& graph, const std::string& format) {
  if (format == "dot") return topology::to_dot(graph);
  if (format == "anynet") return topology::to_anynet(graph);
  if (format == "graphml") return topology::to_graphml(graph);
  return topology::to_json(graph);
}

}  // namespace

void add_topo(CLI::App& app, const Context& context) {
  CLI::App* topo = app.add_subcommand("topo", "Generate, inspect and export networks");
  topo->require_subcommand(0, 1);
  add_topo_generators(*topo, context);

  auto file = std::make_shared<std::string>();
  auto options = std::make_shared<CommonOptions>();
  CLI::App* info =
      topo->add_subcommand("info", "Print size, distances, route bound and freedom from deadlock");
  info->add_option("FILE", *file, "Network: JSON, GraphML, BookSim anynet or ibnetdiscover")
      ->required();
  add_common(*info, *options);
  info->callback([file, options, &context] {
    Outputs outputs;
    outputs.reads(*file);
    outputs.writes("--json", options->json);
    const Graph graph = topology::read_topology(*file);
    const auto text = [&] { return topology::info_text(described(graph)); };
    deliver(
        *options, outputs, [&] { return topo_info(graph, *options, context); }, text);
  });

  auto format = std::make_shared<std::string>("dot");
  auto output = std::make_shared<TopoOutput>();
  auto verilog = std::make_shared<VerilogOptions>();
  CLI::App* exporter = topo->add_subcommand("export", "Write a network in another format");
  exporter->add_option("FILE", *file, "Network")->required();
  add_choice(*exporter, "--format", *format,
             {"dot", "anynet", "graphml", "json", "verilog", "c-header", "rdl"},
             "dot, anynet, graphml, json, or of a module verilog, c-header or rdl")
      ->capture_default_str();
  add_verilog_options(*exporter, *verilog);
  add_topo_output(*exporter, *output);
  exporter->callback([file, format, output, verilog, &context] {
    if (!is_module_format(*format) && !verilog->given().empty())
      throw InputError(
          fmt::format("{}: has no meaning for --format {}, only for verilog, c-header and rdl",
                      verilog->given(), *format));
    if (verilog->flat && *format != "verilog")
      throw InputError(
          fmt::format("--flat: has no meaning for --format {}, only for verilog", *format));
    put_topo(
        *output, *file, [&] { return topology::read_topology(*file); },
        [&](const Graph& graph) {
          if (is_module_format(*format))
            return network_module(graph, *file, *format, *verilog, output->common.seed);
          return exported(graph, *format);
        },
        context);
  });
}

}  // namespace muster::app
