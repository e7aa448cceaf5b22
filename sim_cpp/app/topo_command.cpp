// SPDX-License-Identifier: Apache-2.0
#include "app/topo_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli_options.hpp"
#include "app/commands.hpp"
#include "app/context.hpp"
#include "app/run_options.hpp"
#include "fabric/verilog/network_verilog.hpp"
#include "muster/core/error.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/routes.hpp"
#include "run/configurations.hpp"
#include "run/engines.hpp"
#include "topology/drawing.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/info.hpp"

namespace muster::app {
namespace {

/// What `topo export` is told of a network as a module, beside the network: for the formats
/// verilog, c-header and rdl.
struct VerilogOptions {
  std::string config;               ///< of the switches; empty: the smallest that fits
  std::string module;               ///< its name; empty: from the file's
  std::vector<std::string> groups;  ///< in the image, group g with identifier g
  std::string root;                 ///< switch, of all groups; empty: the best one of each
  bool flat = false;                ///< the module around it, whose ports tools know
  run::Fields fields;               ///< of these

  /// The first one that is given of those that all these formats have, "--config"; empty if none.
  std::string given() const {
    for (const char* option : {"--config", "--module", "--root", "--group"})
      if (fields.typed(option)) return option;
    return {};
  }
};

using topology::Graph;

/// The text of `topo info` of a network; shows its progress on a terminal.
topology::TopologyInfo described(const Graph& graph) {
  StepProgress progress;
  const topology::Steps steps = std::ref(progress);
  topology::TopologyInfo info =
      topology::describe_topology(graph, topology::routes_for(graph, steps), steps);
  clear_progress();
  return info;
}

/// What `topo info --json` writes of a network.
std::string topo_info(const Graph& graph, const CommonOptions& options, const Context& context) {
  Provenance origin = context.origin;
  origin.seed = options.seed;
  return topology::info_json(described(graph), origin);
}

constexpr std::uint32_t kNodeGroups = 2;  // of a node of which the image says nothing

/// "nets/mesh-2x2.json" gives muster_mesh_2x2.
std::string module_of_file(const std::string& file) {
  std::string name = "muster_" + std::filesystem::path(file).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); },
      '_');
  return name;
}

/// A run that is built and not run.
run::RunSpec specify_image(const topology::Graph& graph, const std::string& file,
                           const VerilogOptions& options, std::uint64_t seed) {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(graph);
  spec.routes = std::make_shared<topology::Routes>(topology::routes_for(*spec.graph));
  std::optional<topology::SwitchId> root;
  if (!options.root.empty()) root = topology::parse_switch(graph, options.root, "--root");
  if (root && options.groups.empty())
    throw InputError("--root: there is no group in the image; add --group");
  run::specify_image(spec, root);
  spec.seed = seed;
  if (!options.config.empty()) spec.config = run::configuration(options.config);
  for (std::size_t g = 0; g < options.groups.size(); ++g) {
    const std::string& text = options.groups[g];
    spec.groups.push_back({text, topology::parse_group_of_file(graph, file, text, seed + g)});
    if (spec.groups.back().members.size() == 1)
      throw InputError(fmt::format(
          "--group '{}': has one member, which no switch would release; take two or more", text));
  }
  return spec;
}

/// The most groups that one node is a member of, or as many as a node has anyway.
std::uint32_t groups_of_a_node(const run::RunSpec& spec) {
  std::vector<std::uint32_t> count(spec.graph->nodes(), 0);
  for (const run::RunGroup& group : spec.groups)
    for (const topology::NodeId n : group.members) ++count[n];
  return std::max(kNodeGroups, *std::max_element(count.begin(), count.end()));
}

void describe(run::Fields& f, VerilogOptions& o) {
  f.text("--config", o.config,
         "Of a module: configuration of the switches; the smallest that fits without");
  f.text("--module", o.module, "Of a module: its name; without muster_ and the name of FILE");
  f.texts("--group", o.groups,
          "Of a module: a group whose registers are in the image, as for muster run; it may be "
          "given several times, the first has identifier 0");
  f.text("--root", o.root,
         "Of a module: root switch of all groups in the image, by number (sw3, 3) or by its name "
         "in the file; by default that of the lowest tree of each group");
  f.flag("--flat", o.flat,
         "Verilog: the module around it, NAME_flat, with a port for each signal of AXI");
}

bool is_module_format(const std::string& format) {
  return format == "verilog" || format == "c-header" || format == "rdl";
}

/// The network of this file as a module, or what describes it. `seed` is that of random groups.
std::string network_module(const topology::Graph& graph, const std::string& file,
                           const std::string& format, const VerilogOptions& options,
                           std::uint64_t seed) {
  const auto recorder = std::make_shared<run::LoadRecorder>();
  run::RunSpec spec = specify_image(graph, file, options, seed);
  spec.engine = recorder;
  const std::unique_ptr<const run::ResolvedRun> resolved = resolve(file, std::move(spec));
  const std::vector<fabric::RegisterLoad> image = recorder->loads_of(*resolved);
  try {
    const fabric::NetworkDesign design{
        .module = options.module.empty() ? module_of_file(file) : options.module,
        .graph = *resolved->spec.graph,
        .config = resolved->config,
        .image = image,
        .node_groups = groups_of_a_node(resolved->spec),
        .groups = options.groups};
    if (format == "c-header") return fabric::to_c_header(design);
    if (format == "rdl") return fabric::to_rdl(design);
    return options.flat ? fabric::to_flat_verilog(design) : fabric::to_verilog(design);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with("--")) throw;
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

std::string exported(const Graph& graph, const std::string& format) {
  if (format == "dot") return topology::to_dot(graph);
  if (format == "anynet") return topology::to_anynet(graph);
  if (format == "graphml") return topology::to_graphml(graph);
  return topology::to_json(graph);
}

}  // namespace

void add_topo_output(CLI::App& command, TopoOutput& output) {
  run::Fields& fields = output.common.fields;
  fields.text("--out", output.out, "File to write, - for standard output");
  fields.number("--seed", output.common.seed, 0, run::kAnyNumber,
                "Seed of all random choices; no effect without random choices");
  fields.text("--json", output.common.json,
              "Write the result of topo info for the network as JSON to FILE; - for standard "
              "output, in place of the network unless --out names a file");
  add_fields(command, fields);
}

void put_topo(const TopoOutput& output, const std::string& file, const std::function<Graph()>& make,
              const std::function<std::string(const Graph&)>& text, const Context& context) {
  Outputs outputs;
  outputs.reads(file);
  outputs.writes("--out", output.out);
  outputs.writes("--json", output.common.json);
  const Graph graph = make();
  const std::string content = text(graph);
  outputs.put(output.out, content);
  deliver(
      output.common, outputs, [&] { return topo_info(graph, output.common, context); },
      [&] { return output.out == "-" ? content : ""; });
}

void add_topo(CLI::App& app, const Context& context) {
  CLI::App* topo = app.add_subcommand("topo", "Generate, inspect and export networks");
  topo->require_subcommand(0, 1);
  CLI::App* gen = topo->add_subcommand("gen", "Generate a network");
  gen->require_subcommand(0, 1);
  add_generators(*gen, [&context](CLI::App& command, MakeNetwork make) {
    auto output = std::make_shared<TopoOutput>();
    add_topo_output(command, *output);
    command.callback([output, make = std::move(make), &context] {
      put_topo(
          *output, "", [&] { return make(output->common.seed); }, topology::to_json, context);
    });
  });

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
  std::vector<std::pair<std::string, std::string>> formats;
  for (const char* name : {"dot", "anynet", "graphml", "json", "verilog", "c-header", "rdl"})
    formats.emplace_back(name, name);
  verilog->fields.text("FILE", *file, "Network");
  verilog->fields.choice("--format", *format, formats,
                         "dot, anynet, graphml, json, or of a module verilog, c-header or rdl");
  describe(verilog->fields, *verilog);
  add_fields(*exporter, verilog->fields);
  exporter->get_option("--group")->allow_extra_args(false);
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
