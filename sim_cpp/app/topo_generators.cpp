// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include "app/commands.hpp"
#include "app/topo_command.hpp"
#include "muster/topology/generate.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::app {

CLI::App& TopoGenerators::add(const std::string& name, const std::string& text, Make make) {
  CLI::App* command = gen_.add_subcommand(name, text);
  finish_(*command, std::move(make));
  return *command;
}

void TopoGenerators::size(CLI::App& command, const std::string& name, std::uint32_t& value,
                          const std::string& text, std::uint32_t most, std::uint32_t least) {
  add_number(command, name, value, text, least, most)->capture_default_str();
}

void TopoGenerators::irregular() {
  auto spec = std::make_shared<topology::IrregularSpec>();
  auto model = std::make_shared<std::string>("uniform");
  CLI::App& command = add("irregular", "Random irregular network, as in the paper on barrier trees",
                          [spec, model](std::uint64_t seed) {
                            spec->seed = seed;
                            spec->model = *model == "uniform" ? topology::RandomModel::kUniform
                                                              : topology::RandomModel::kAttachment;
                            return topology::generate_irregular(*spec);
                          });
  size(command, "--switches", spec->switches, "Switches, q in the paper", topology::kMaxSwitches);
  size(command, "--nodes", spec->nodes, "Nodes, p in the paper", topology::kMaxNodes);
  size(command, "--ports", spec->ports, "Ports of every switch, k in the paper",
       topology::kMaxPorts);
  command
      .add_option("--connectivity", spec->connectivity, "Share of connected ports, f in the paper")
      ->capture_default_str();
  add_choice(command, "--model", *model, {"uniform", "attachment"},
             "uniform over connected graphs, or attachment: switches are added one by one")
      ->capture_default_str();
}

void TopoGenerators::mesh() {
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

void TopoGenerators::torus() {
  struct Sizes {
    std::uint32_t width = 8, height = 8, depth = 1, nodes = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("torus", "Torus of up to three dimensions, up*/down* routing", [sizes](std::uint64_t) {
        const bool flat = sizes->depth == 1;
        return topology::generate_torus(
            flat ? std::vector{sizes->width, sizes->height}
                 : std::vector{sizes->width, sizes->height, sizes->depth},
            sizes->nodes);
      });
  size(command, "--width", sizes->width, "Switches in a row", topology::kMaxSwitches);
  size(command, "--height", sizes->height, "Rows of a layer", topology::kMaxSwitches);
  size(command, "--depth", sizes->depth, "Layers", topology::kMaxSwitches);
  size(command, "--nodes-per-switch", sizes->nodes, "Nodes on every switch", topology::kMaxPorts);
}

void TopoGenerators::hypercube() {
  struct Sizes {
    std::uint32_t dimension = 4, nodes = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command = add("hypercube", "Hypercube, up*/down* routing", [sizes](std::uint64_t) {
    return topology::generate_hypercube(sizes->dimension, sizes->nodes);
  });
  size(command, "--dimension", sizes->dimension, "Links of a switch, 2^N switches",
       topology::kMaxPorts, 0);
  size(command, "--nodes-per-switch", sizes->nodes, "Nodes on every switch", topology::kMaxPorts);
}

void TopoGenerators::dragonfly() {
  auto spec = std::make_shared<topology::DragonflySpec>();
  CLI::App& command =
      add("dragonfly", "Dragonfly, global links in absolute arrangement, up*/down* routing",
          [spec](std::uint64_t) { return topology::generate_dragonfly(*spec); });
  size(command, "--groups", spec->groups, "Groups, g; at most a * h + 1", topology::kMaxSwitches);
  size(command, "--routers", spec->routers, "Routers of a group, a", topology::kMaxPorts);
  size(command, "--globals", spec->globals, "Links of a router to other groups, h",
       topology::kMaxPorts, 0);
  size(command, "--nodes-per-router", spec->nodes, "Nodes on every router, p", topology::kMaxPorts);
}

void TopoGenerators::complete() {
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

void TopoGenerators::add_all() {
  irregular();
  mesh();
  torus();
  hypercube();
  dragonfly();
  tree();
  fat_tree();
  clos();
  complete();
}

void add_topo_generators(CLI::App& topo, const Context& context) {
  CLI::App* gen = topo.add_subcommand("gen", "Generate a network");
  gen->require_subcommand(0, 1);
  TopoGenerators(*gen, [&context](CLI::App& command, TopoGenerators::Make make) {
    auto output = std::make_shared<TopoOutput>();
    add_topo_output(command, *output);
    command.callback([output, make = std::move(make), &context] {
      put_topo(
          *output, "", [&] { return make(output->common.seed); }, topology::to_json, context);
    });
  }).add_all();
}

void TopoGenerators::tree() {
  struct Sizes {
    std::uint32_t arity = 3, levels = 3, nodes = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("tree", "k-ary tree of switches, nodes at the leaves", [sizes](std::uint64_t) {
        return topology::generate_tree(sizes->arity, sizes->levels, sizes->nodes);
      });
  size(command, "--arity", sizes->arity, "Links of a switch to the level below, k",
       topology::kMaxPorts);
  size(command, "--height", sizes->levels, "Links from root to leaf", topology::kMaxSwitches, 0);
  size(command, "--nodes-per-leaf", sizes->nodes, "Nodes on every leaf switch",
       topology::kMaxPorts);
}

void TopoGenerators::fat_tree() {
  struct Sizes {
    std::uint32_t arity = 4, dimension = 2, taper = 1;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("fat-tree", "k-ary n-tree, every node reaches every top switch; Quadrics has k = 4",
          [sizes](std::uint64_t) {
            return topology::generate_fat_tree(sizes->arity, sizes->dimension, sizes->taper);
          });
  size(command, "--arity", sizes->arity, "Links of a switch to the level below, k",
       topology::kMaxPorts - 1, 2);
  size(command, "--dimension", sizes->dimension, "Levels of switches, n", topology::kMaxSwitches);
  size(command, "--taper", sizes->taper, "Links down for each link up, a divisor of k",
       topology::kMaxPorts - 1);
}

void TopoGenerators::clos() {
  struct Sizes {
    std::uint32_t ports = 16, leaves = 2;
  };
  auto sizes = std::make_shared<Sizes>();
  CLI::App& command =
      add("clos", "Clos network of crossbars, as in Myrinet",
          [sizes](std::uint64_t) { return topology::generate_clos(sizes->ports, sizes->leaves); });
  size(command, "--ports", sizes->ports, "Ports of a crossbar, half of them for nodes",
       topology::kMaxPorts, 4);
  size(command, "--leaves", sizes->leaves,
       "Crossbars with nodes; with 1 the network is one crossbar", topology::kMaxPorts);
}

}  // namespace muster::app
