// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// A link without ports.
struct Edge {
  SwitchId a = 0;             ///< one end
  SwitchId b = 0;             ///< the other, at another switch
  std::uint32_t latency = 1;  ///< cycles
};

/// A node without a port; the place in the list is its number.
struct Attachment {
  SwitchId sw = 0;            ///< where it hangs
  std::uint32_t latency = 1;  ///< of its link, cycles
};

/// Gives out ports by the project's convention (that of Figure 1 of the BTIN paper): on every
/// switch links take the lowest ports in order of the neighbour's identifier, nodes the next ones
/// in order of their number. `ports[s]` is the size of switch s; 0 means as many as it uses.
/// Throws InputError if a switch would need more ports than it has.
Graph assemble(const std::vector<std::uint32_t>& ports, std::vector<Edge> edges,
               const std::vector<Attachment>& nodes);

/// How a random connected graph is drawn.
enum class RandomModel : std::uint8_t {
  kUniform,     ///< every connected simple graph (nearly) equally likely
  kAttachment,  ///< each vertex joins a random earlier one, then random links are added
};

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

/// A torus, or k-ary n-cube, of any sizes: switch x + sizes[0] * (y + sizes[1] * (z + ...)), each
/// linked to its two neighbours in each dimension, to the one there is in a dimension of size 2.
/// up*/down* routes: the shortest ones are free of deadlock with two virtual channels only, which
/// change on the way, and here a packet keeps its channel.
Graph generate_torus(const std::vector<std::uint32_t>& sizes, std::uint32_t nodes_per_switch = 1);

/// 2^dimension switches, linked where their numbers differ in one bit.
Graph generate_hypercube(std::uint32_t dimension, std::uint32_t nodes_per_switch = 1);

/// The dragonfly of Kim, Dally, Scott and Abts (ISCA 2008): `groups` g of `routers` a, all linked
/// to each other in a group, with `nodes` p and `globals` h links to other groups each.
struct DragonflySpec {
  std::uint32_t groups = 9;   ///< 1..routers * globals + 1
  std::uint32_t routers = 4;  ///< of a group
  std::uint32_t globals = 2;  ///< links of a router to other groups
  std::uint32_t nodes = 2;    ///< of a router
};

/// Router r of group i is switch i * routers + r. Global links are arranged by absolute numbers
/// (Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu, Bunde, Leung: Comparing Global Link Arrangements
/// for Dragonfly Networks, CLUSTER 2015). With fewer groups than there can be each pair has several
/// links, as many as all pairs can have; ports that are left stay open.
Graph generate_dragonfly(const DragonflySpec& spec);

/// A k-ary n-tree: k^n nodes, n levels of k^(n-1) switches of 2k ports (k at the top), any top
/// switch reached from any node (Quadrics: k = 4). Switches are numbered level by level from the
/// top. With a taper t, which divides k, a switch has k / t links up for k down, and a level
/// (k / t)^(n-1-l) k^l switches of k + k / t ports, l = 0 at the top: an extended generalized fat
/// tree of Oehring, Ibel, Das and Kumar (IPPS 1995).
Graph generate_fat_tree(std::uint32_t arity, std::uint32_t dimension, std::uint32_t taper = 1);

/// The usual fat tree of three levels of switches with k = `ports` ports each (Al-Fares, Loukissas,
/// Vahdat, SIGCOMM 2008): k pods of k / 2 aggregation and k / 2 edge switches, all linked to each
/// other in a pod, each edge switch with k / 2 nodes; aggregation switch i of each pod is linked to
/// the cores i k / 2 and on, k / 2 of them. k^3 / 4 nodes. Switches are numbered level by level
/// from the top, pod by pod.
Graph generate_pods(std::uint32_t ports);

/// A Clos network of crossbars of `ports` (Myrinet: 8 or 16): `leaves` of them with ports / 2 nodes
/// each, linked to each of ports / 2 spines. One leaf is a crossbar with `ports` nodes. Spines have
/// the lowest numbers.
Graph generate_clos(std::uint32_t ports, std::uint32_t leaves);

}  // namespace muster::topology
