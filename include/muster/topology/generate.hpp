// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/topology/graph.hpp"
#include "muster/topology/random_model.hpp"

namespace muster::topology {

/// The irregular networks of the BTIN paper, section 5: `switches` q of `ports` k, `nodes` p spread
/// over them as evenly as possible (which switches take one more is random), and links until the
/// share `connectivity` f of all ports is connected to a switch or a node: (f k q - p) / 2,
/// rounded.
struct IrregularSpec {
  std::uint32_t switches = 75;                ///< 1..kMaxSwitches
  std::uint32_t nodes = 256;                  ///< 1..kMaxNodes
  std::uint32_t ports = 8;                    ///< 1..kMaxPorts
  double connectivity = 0.75;                 ///< above 0, at most 1
  std::uint64_t seed = 1;                     ///< of the links and of the uneven nodes
  RandomModel model = RandomModel::kUniform;  ///< of the links
};

/// Connected, no double links, at least two connected ports on every switch. Throws InputError with
/// the reason if the numbers allow no such network. Equal specs give equal networks everywhere.
Graph generate_irregular(const IrregularSpec& spec);

/// Links of such a network; negative if the nodes alone need more ports than are connected.
std::int64_t irregular_links(const IrregularSpec& spec);

/// A 2D mesh, switch y * width + x, with X-Y routing.
Graph generate_mesh(std::uint32_t width, std::uint32_t height, std::uint32_t nodes_per_switch = 1);

/// A complete tree of switches with `height` links from the root, switch 0, to every leaf switch;
/// levels are numbered one after the other from left to right. Only leaf switches have nodes.
Graph generate_tree(std::uint32_t arity, std::uint32_t height, std::uint32_t nodes_per_leaf);

/// Every switch linked to every other.
Graph generate_complete(std::uint32_t switches, std::uint32_t nodes_per_switch = 1);

/// A k-ary n-tree: k^n nodes, n levels of k^(n-1) switches of 2k ports (k at the top), any top
/// switch reached from any node (Quadrics: k = 4). Switches are numbered level by level from the
/// top.
Graph generate_fat_tree(std::uint32_t arity, std::uint32_t dimension);

/// A Clos network of crossbars of `ports` (Myrinet: 8 or 16): `leaves` of them with ports / 2 nodes
/// each, linked to each of ports / 2 spines. One leaf is a crossbar with `ports` nodes. Spines have
/// the lowest numbers.
Graph generate_clos(std::uint32_t ports, std::uint32_t leaves);

}  // namespace muster::topology
