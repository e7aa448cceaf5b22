// SPDX-License-Identifier: Apache-2.0
#include "app/topo_verilog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/commands.hpp"
#include "app/run_options.hpp"
#include "fabric/verilog/network_verilog.hpp"
#include "muster/core/error.hpp"
#include "muster/run/system.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/routes.hpp"
#include "run/configurations.hpp"
#include "run/load_recorder.hpp"

namespace muster::app {
namespace {

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
  if (std::ranges::none_of(run::systems(),
                           [&](const auto& s) { return s->specify_image(spec, root); }))
    throw InternalError("no system has switches for a network in Verilog");
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

}  // namespace

std::string VerilogOptions::given() const {
  if (!config.empty()) return "--config";
  if (!module.empty()) return "--module";
  if (!root.empty()) return "--root";
  return groups.empty() ? "" : "--group";
}

void add_verilog_options(CLI::App& command, VerilogOptions& options) {
  add_text(command, "--config", options.config,
           "Of a module: configuration of the switches; the smallest that fits without");
  add_text(command, "--module", options.module,
           "Of a module: its name; without muster_ and the name of FILE");
  command
      .add_option(
          "--group", options.groups,
          "Of a module: a group whose registers are in the image, as for muster run; it may "
          "be given several times, the first has identifier 0")
      ->allow_extra_args(false);
  add_text(command, "--root", options.root,
           "Of a module: root switch of all groups in the image, by number (sw3, 3) or by its name "
           "in the file; by default that of the lowest tree of each group");
  command.add_flag("--flat", options.flat,
                   "Verilog: the module around it, NAME_flat, with a port for each signal of AXI");
}

bool is_module_format(const std::string& format) {
  return format == "verilog" || format == "c-header" || format == "rdl";
}

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

}  // namespace muster::app
