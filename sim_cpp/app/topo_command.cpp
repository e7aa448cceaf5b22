// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "common/error.hpp"
#include "common/file_io.hpp"
#include "topology/anynet.hpp"
#include "topology/dot.hpp"
#include "topology/generate.hpp"
#include "topology/info.hpp"
#include "topology/json_io.hpp"
#include "topology/load_file.hpp"
#include "topology/routes.hpp"

namespace muster::app {

namespace {

using topology::Graph;

void put(const std::string& out, const std::string& content) {
  if (out == "-")
    fmt::print("{}", content);
  else
    write_file(out, content);
}

/// A generator as a subcommand of `topo gen`: the options are bound by the caller.
CLI::App* add_generator(CLI::App& gen, const std::string& name, const std::string& text,
                        std::function<Graph()> make) {
  CLI::App* command = gen.add_subcommand(name, text);
  auto out = std::make_shared<std::string>("-");
  command->add_option("--out", *out, "File to write, - for standard output")->capture_default_str();
  command->callback([out, make = std::move(make)] { put(*out, topology::to_json(make())); });
  return command;
}

void add_generators(CLI::App& topo) {
  CLI::App* gen = topo.add_subcommand("gen", "Generate a network");
  gen->require_subcommand(1);

  auto irregular = std::make_shared<topology::IrregularSpec>();
  CLI::App* command =
      add_generator(*gen, "irregular", "Random irregular network of the BTIN paper, section 5",
                    [irregular] { return topology::generate_irregular(*irregular); });
  command->add_option("--switches", irregular->switches, "q")->capture_default_str();
  command->add_option("--nodes", irregular->nodes, "p")->capture_default_str();
  command->add_option("--ports", irregular->ports, "k, of every switch")->capture_default_str();
  command->add_option("--connectivity", irregular->connectivity, "f, share of connected ports")
      ->capture_default_str();
  command->add_option("--seed", irregular->seed)->capture_default_str();
  command
      ->add_option("--model", irregular->model,
                   "uniform over connected graphs, or random attachment")
      ->transform(CLI::CheckedTransformer(std::map<std::string, topology::RandomModel>{
          {"uniform", topology::RandomModel::kUniform},
          {"attachment", topology::RandomModel::kAttachment}}));

  struct Sizes {
    std::uint32_t width = 8, height = 8, per_switch = 1, arity = 3, levels = 3, switches = 5;
  };
  auto sizes = std::make_shared<Sizes>();
  command = add_generator(*gen, "mesh", "2D mesh with X-Y routing", [sizes] {
    return topology::generate_mesh(sizes->width, sizes->height, sizes->per_switch);
  });
  command->add_option("--width", sizes->width)->capture_default_str();
  command->add_option("--height", sizes->height)->capture_default_str();
  command->add_option("--nodes-per-switch", sizes->per_switch)->capture_default_str();

  command = add_generator(*gen, "tree", "k-ary tree of switches, nodes at the leaves", [sizes] {
    return topology::generate_tree(sizes->arity, sizes->levels, sizes->per_switch);
  });
  command->add_option("--arity", sizes->arity, "k")->capture_default_str();
  command->add_option("--height", sizes->levels, "Links from root to leaf")->capture_default_str();
  command->add_option("--nodes-per-leaf", sizes->per_switch)->capture_default_str();

  command = add_generator(*gen, "complete", "Every switch linked to every other", [sizes] {
    return topology::generate_complete(sizes->switches, sizes->per_switch);
  });
  command->add_option("--switches", sizes->switches)->capture_default_str();
  command->add_option("--nodes-per-switch", sizes->per_switch)->capture_default_str();
}

std::string exported(const Graph& graph, const std::string& format) {
  if (format == "dot") return topology::to_dot(graph);
  if (format == "anynet") return topology::to_anynet(graph);
  return topology::to_json(graph);
}

}  // namespace

void add_topo(CLI::App& app, const Context&) {
  CLI::App* topo = app.add_subcommand("topo", "Generate, inspect and export networks");
  topo->require_subcommand(1);
  add_generators(*topo);

  auto file = std::make_shared<std::string>();
  auto options = std::make_shared<CommonOptions>();
  CLI::App* info = topo->add_subcommand("info", "Size, distances, saturation, deadlock freedom");
  info->add_option("FILE", *file, "Network: the project's JSON or BookSim anynet")->required();
  add_common(*info, *options);
  info->callback([file, options] {
    const Graph graph = topology::read_topology(*file);
    const auto found = topology::describe_topology(graph, topology::routes_for(graph));
    deliver(*options, [&] { return topology::info_json(found); },
            [&] { return topology::info_text(found); });
  });

  auto format = std::make_shared<std::string>("dot");
  auto out = std::make_shared<std::string>("-");
  CLI::App* exporter = topo->add_subcommand("export", "Write a network in another format");
  exporter->add_option("FILE", *file, "Network")->required();
  exporter->add_option("--format", *format, "dot, anynet or json")
      ->check(CLI::IsMember({"dot", "anynet", "json"}))
      ->capture_default_str();
  exporter->add_option("--out", *out, "File to write, - for standard output")
      ->capture_default_str();
  exporter->callback(
      [file, format, out] { put(*out, exported(topology::read_topology(*file), *format)); });
}

}  // namespace muster::app
