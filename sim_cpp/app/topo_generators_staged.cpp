// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/topo_generators.hpp"
#include "muster/topology/generate.hpp"

namespace muster::app {

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
