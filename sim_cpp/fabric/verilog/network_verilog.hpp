// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/topology/graph.hpp"

namespace muster::fabric {

/// A network as one module: its switches, an AXI endpoint at each node, links, and an image of what
/// the host writes first. docs/how-to/generated-top.md.
struct NetworkDesign {
  std::string module;            ///< its name
  const topology::Graph& graph;  ///< that it is made of
  const SwitchConfig& config;    ///< of all switches
  /// Written before ready_o is set, in this order.
  std::span<const RegisterLoad> image;
  std::uint32_t node_groups = 2;    ///< that a node can be a member of at once, 1 to 8
  std::vector<std::string> groups;  ///< of the image, as they were specified; g has identifier g
};

/// Throws InputError for what it is not made for: switches without such endpoints, a network that
/// is too large, and a name that is none of a module.
std::string to_verilog(const NetworkDesign& design);
/// A module of plain Verilog around that one, whose ports have the names by which tools find the
/// interfaces of AXI. This and the next two throw as to_verilog().
std::string to_flat_verilog(const NetworkDesign& design);
/// The network as the driver in sw/ takes it.
std::string to_c_header(const NetworkDesign& design);
/// The registers of the network, of the descriptions in rdl/.
std::string to_rdl(const NetworkDesign& design);

}  // namespace muster::fabric
