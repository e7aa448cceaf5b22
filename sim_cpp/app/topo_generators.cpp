// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/commands.hpp"
#include "app/topo_output.hpp"
#include "muster/topology/generate.hpp"
#include "topology/json_io.hpp"

namespace muster::app {
namespace {

using topology::Graph;

/// The generators as subcommands of `topo gen`. Each function adds one, with its options.
class Generators {
 public:
  Generators(CLI::App& gen, const Context& context) : gen_(gen), context_(context) {}

  void irregular();
  void mesh();
  void tree();
  void fat_tree();
  void clos();
  void complete();

 private:
  /// A subcommand whose values are bound by the caller.
  CLI::App& add(const std::string& name, const std::string& text,
                std::function<Graph(std::uint64_t seed)> make);
  /// A size up to `most`, with the default that is printed. What sizes allow together the
  /// generators say.
  static void size(CLI::App& command, const std::string& name, std::uint32_t& value,
                   const std::string& text, std::uint32_t most, std::uint32_t least = 1) {
    add_number(command, name, value, text, least, most)->capture_default_str();
  }

  CLI::App& gen_;
  const Context& context_;
};

CLI::App& Generators::add(const std::string& name, const std::string& text,
                          std::function<Graph(std::uint64_t seed)> make) {
  CLI::App* command = gen_.add_subcommand(name, text);
  auto output = std::make_shared<TopoOutput>();
  add_topo_output(*command, *output);
  command->callback([output, make = std::move(make), &context = context_] {
    put_topo(
        *output, "", [&] { return make(output->common.seed); }, topology::to_json, context);
  });
  return *command;
}

void Generators::irregular() {
  auto spec = std::make_shared<topology::IrregularSpec>();
  CLI::App& command =
      add("irregular", "Random irregular network, as the paper on barrier trees makes them",
          [spec](std::uint64_t seed) {
            spec->seed = seed;
            return topology::generate_irregular(*spec);
          });
  size(command, "--switches", spec->switches, "Switches, q in the paper", topology::kMaxSwitches);
  size(command, "--nodes", spec->nodes, "Nodes, p in the paper", topology::kMaxNodes);
  size(command, "--ports", spec->ports, "Ports of every switch, k in the paper",
       topology::kMaxPorts);
  command
      .add_option("--connectivity", spec->connectivity, "Share of connected ports, f in the paper")
      ->capture_default_str();
  command
      .add_option("--model", spec->model,
                  "uniform over connected graphs, or attachment: switches joined one by one")
      ->option_text("MODEL=uniform")
      ->transform(CLI::CheckedTransformer(std::map<std::string, topology::RandomModel>{
          {"uniform", topology::RandomModel::kUniform},
          {"attachment", topology::RandomModel::kAttachment}}));
}

void Generators::mesh() {
  struct Sizes {
    std::uint32_t width = 8, height = 8, nodes = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command = add("mesh", "2D mesh with X-Y routing", [sizes](std::uint64_t) {
    return topology::generate_mesh(sizes->width, sizes->height, sizes->nodes);
  });
  size(command, "--width", sizes->width, "Switches in a row", topology::kMaxSwitches);
  size(command, "--height", sizes->height, "Rows", topology::kMaxSwitches);
  size(command, "--nodes-per-switch", sizes->nodes, "Nodes on every switch", topology::kMaxPorts);
}

void Generators::tree() {
  struct Sizes {
    std::uint32_t arity = 3, levels = 3, nodes = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("tree", "k-ary tree of switches, nodes at the leaves", [sizes](std::uint64_t) {
        return topology::generate_tree(sizes->arity, sizes->levels, sizes->nodes);
      });
  size(command, "--arity", sizes->arity, "Links of a switch to those below, k",
       topology::kMaxPorts);
  size(command, "--height", sizes->levels, "Links from root to leaf", topology::kMaxSwitches, 0);
  size(command, "--nodes-per-leaf", sizes->nodes, "Nodes on every leaf switch",
       topology::kMaxPorts);
}

void Generators::fat_tree() {
  struct Sizes {
    std::uint32_t arity = 4, dimension = 2;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("fat-tree", "k-ary n-tree, any top switch from any node; Quadrics has k = 4",
          [sizes](std::uint64_t) {
            return topology::generate_fat_tree(sizes->arity, sizes->dimension);
          });
  size(command, "--arity", sizes->arity, "Links of a switch to those below, k",
       topology::kMaxPorts / 2, 2);
  size(command, "--dimension", sizes->dimension, "Levels of switches, n", topology::kMaxSwitches);
}

void Generators::clos() {
  struct Sizes {
    std::uint32_t ports = 16, leaves = 2;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("clos", "Clos network of crossbars, as of Myrinet",
          [sizes](std::uint64_t) { return topology::generate_clos(sizes->ports, sizes->leaves); });
  size(command, "--ports", sizes->ports, "Of a crossbar, half of them for nodes",
       topology::kMaxPorts, 4);
  size(command, "--leaves", sizes->leaves, "Crossbars with nodes; one is all there is",
       topology::kMaxPorts);
}

void Generators::complete() {
  struct Sizes {
    std::uint32_t switches = 5, nodes = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command = add("complete", "Every switch linked to every other", [sizes](std::uint64_t) {
    return topology::generate_complete(sizes->switches, sizes->nodes);
  });
  size(command, "--switches", sizes->switches, "Switches", topology::kMaxSwitches);
  size(command, "--nodes-per-switch", sizes->nodes, "Nodes on every switch", topology::kMaxPorts);
}

}  // namespace

void add_topo_generators(CLI::App& topo, const Context& context) {
  CLI::App* gen = topo.add_subcommand("gen", "Generate a network");
  gen->require_subcommand(0, 1);
  Generators generators(*gen, context);
  generators.irregular();
  generators.mesh();
  generators.tree();
  generators.fat_tree();
  generators.clos();
  generators.complete();
}

}  // namespace muster::app
