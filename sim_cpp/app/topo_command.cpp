// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
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

/// Where a network goes, and --seed and --json.
struct Output {
  std::string out = "-";
  CommonOptions common;
};

void add_output(CLI::App& command, Output& output) {
  command.add_option("--out", output.out, "File to write, - for standard output")
      ->capture_default_str();
  add_number(command, "--seed", output.common.seed,
             "Seed of everything random; no effect if nothing is")
      ->capture_default_str();
  command.add_option("--json", output.common.json,
                     "Write what topo info says of the network as JSON to FILE; - for standard "
                     "output, in place of the network unless that has a file");
}

std::string info_of(const Graph& graph, const CommonOptions& options, const Context& context) {
  Provenance origin = context.origin;
  origin.seed = options.seed;
  return topology::info_json(topology::describe_topology(graph, topology::routes_for(graph)),
                             origin);
}

/// Writes a network, read from `file` if that is not empty.
void put(const Output& output, const std::string& file, const std::function<Graph()>& make,
         const std::function<std::string(const Graph&)>& text, const Context& context) {
  Outputs outputs;
  outputs.reads(file);
  outputs.writes("--out", output.out);
  outputs.writes("--json", output.common.json);
  const Graph graph = make();
  const std::string content = text(graph);
  outputs.put(output.out, content);
  deliver(
      output.common, outputs, [&] { return info_of(graph, output.common, context); },
      [&] { return output.out == "-" ? content : ""; });
}

/// A generator as a subcommand of `topo gen`: the options are bound by the caller.
CLI::App* add_generator(CLI::App& gen, const Context& context, const std::string& name,
                        const std::string& text, std::function<Graph(std::uint64_t seed)> make) {
  CLI::App* command = gen.add_subcommand(name, text);
  auto output = std::make_shared<Output>();
  add_output(*command, *output);
  command->callback([output, make = std::move(make), &context] {
    put(
        *output, "", [&] { return make(output->common.seed); }, topology::to_json, context);
  });
  return command;
}

void add_generators(CLI::App& topo, const Context& context) {
  CLI::App* gen = topo.add_subcommand("gen", "Generate a network");
  gen->require_subcommand(1);

  auto irregular = std::make_shared<topology::IrregularSpec>();
  CLI::App* command = add_generator(*gen, context, "irregular",
                                    "Random irregular network of the BTIN paper, section 5",
                                    [irregular](std::uint64_t seed) {
                                      irregular->seed = seed;
                                      return topology::generate_irregular(*irregular);
                                    });
  add_number(*command, "--switches", irregular->switches, "q")->capture_default_str();
  add_number(*command, "--nodes", irregular->nodes, "p")->capture_default_str();
  add_number(*command, "--ports", irregular->ports, "k, of every switch")->capture_default_str();
  command->add_option("--connectivity", irregular->connectivity, "f, share of connected ports")
      ->capture_default_str();
  command
      ->add_option("--model", irregular->model,
                   "uniform over connected graphs, or attachment: switches joined one by one")
      ->option_text("MODEL=uniform")
      ->transform(CLI::CheckedTransformer(std::map<std::string, topology::RandomModel>{
          {"uniform", topology::RandomModel::kUniform},
          {"attachment", topology::RandomModel::kAttachment}}));

  struct Sizes {
    std::uint32_t width = 8, height = 8, per_switch = 1, arity = 3, levels = 3, switches = 5;
    std::uint32_t quaternary = 4, dimension = 2, ports = 16, leaves = 2;
  };
  auto sizes = std::make_shared<Sizes>();
  command =
      add_generator(*gen, context, "mesh", "2D mesh with X-Y routing", [sizes](std::uint64_t) {
        return topology::generate_mesh(sizes->width, sizes->height, sizes->per_switch);
      });
  add_number(*command, "--width", sizes->width, "Switches in a row")->capture_default_str();
  add_number(*command, "--height", sizes->height, "Rows")->capture_default_str();
  add_number(*command, "--nodes-per-switch", sizes->per_switch, "Nodes on every switch")
      ->capture_default_str();

  command = add_generator(
      *gen, context, "tree", "k-ary tree of switches, nodes at the leaves", [sizes](std::uint64_t) {
        return topology::generate_tree(sizes->arity, sizes->levels, sizes->per_switch);
      });
  add_number(*command, "--arity", sizes->arity, "k")->capture_default_str();
  add_number(*command, "--height", sizes->levels, "Links from root to leaf")->capture_default_str();
  add_number(*command, "--nodes-per-leaf", sizes->per_switch, "Nodes on every leaf switch")
      ->capture_default_str();

  command = add_generator(*gen, context, "fat-tree",
                          "k-ary n-tree, any top switch from any node; Quadrics has k = 4",
                          [sizes](std::uint64_t) {
                            return topology::generate_fat_tree(sizes->quaternary, sizes->dimension);
                          });
  add_number(*command, "--arity", sizes->quaternary, "k")->capture_default_str();
  add_number(*command, "--dimension", sizes->dimension, "n, levels of switches")
      ->capture_default_str();

  command = add_generator(
      *gen, context, "clos", "Clos network of crossbars, as of Myrinet",
      [sizes](std::uint64_t) { return topology::generate_clos(sizes->ports, sizes->leaves); });
  add_number(*command, "--ports", sizes->ports, "Of a crossbar, half of them for nodes")
      ->capture_default_str();
  add_number(*command, "--leaves", sizes->leaves, "Crossbars with nodes; one is all there is")
      ->capture_default_str();

  command = add_generator(*gen, context, "complete", "Every switch linked to every other",
                          [sizes](std::uint64_t) {
                            return topology::generate_complete(sizes->switches, sizes->per_switch);
                          });
  add_number(*command, "--switches", sizes->switches, "How many")->capture_default_str();
  add_number(*command, "--nodes-per-switch", sizes->per_switch, "Nodes on every switch")
      ->capture_default_str();
}

std::string exported(const Graph& graph, const std::string& format) {
  if (format == "dot") return topology::to_dot(graph);
  if (format == "anynet") return topology::to_anynet(graph);
  return topology::to_json(graph);
}

}  // namespace

void add_topo(CLI::App& app, const Context& context) {
  CLI::App* topo = app.add_subcommand("topo", "Generate, inspect and export networks");
  topo->require_subcommand(1);
  add_generators(*topo, context);

  auto file = std::make_shared<std::string>();
  auto options = std::make_shared<CommonOptions>();
  CLI::App* info = topo->add_subcommand("info", "Size, distances, saturation, deadlock freedom");
  info->add_option("FILE", *file, "Network: the project's JSON or BookSim anynet")->required();
  add_common(*info, *options);
  info->callback([file, options, &context] {
    Outputs outputs;
    outputs.reads(*file);
    outputs.writes("--json", options->json);
    const Graph graph = topology::read_topology(*file);
    const auto text = [&] {
      return topology::info_text(topology::describe_topology(graph, topology::routes_for(graph)));
    };
    deliver(
        *options, outputs, [&] { return info_of(graph, *options, context); }, text);
  });

  auto format = std::make_shared<std::string>("dot");
  auto output = std::make_shared<Output>();
  CLI::App* exporter = topo->add_subcommand("export", "Write a network in another format");
  exporter->add_option("FILE", *file, "Network")->required();
  exporter->add_option("--format", *format, "dot, anynet or json")
      ->check(CLI::IsMember({"dot", "anynet", "json"}))
      ->capture_default_str();
  add_output(*exporter, *output);
  exporter->callback([file, format, output, &context] {
    put(
        *output, *file, [&] { return topology::read_topology(*file); },
        [&](const Graph& graph) { return exported(graph, *format); }, context);
  });
}

}  // namespace muster::app
