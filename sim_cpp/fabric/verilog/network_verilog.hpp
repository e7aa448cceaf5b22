// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

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

// What the module and the descriptions of a network have in common.
namespace muster::fabric::verilog {

/// Bits of a number below `count`, at least 1: $clog2 as the RTL has it.
inline std::uint32_t number_width(std::uint32_t count) {
  return count > 1 ? static_cast<std::uint32_t>(std::bit_width(count - 1)) : 1;
}

/// Bits of an address of the switches' register ports.
inline std::uint32_t address_width(const SwitchConfig& config) {
  return config.dests > 2048 ? registers::kWideAddressWidth : registers::kAddressWidth;
}

/// Bytes of a switch at the control port, and of that port.
inline std::uint32_t window_bytes(const SwitchConfig& config) {
  return 4u << address_width(config);
}
inline std::uint32_t control_bytes(const NetworkDesign& design) {
  return window_bytes(design.config) << number_width(design.graph.switches());
}
/// Bytes of a node's registers.
inline constexpr std::uint32_t kNodeBytes = 4u << registers::kAddressWidth;

/// The lines of a header comment that say what the network is; each begins with `mark`.
std::string summary(const NetworkDesign& design, const std::string& mark);
/// Throws InputError for what no module is made of.
void check(const NetworkDesign& design);

/// A signal of an interface.
struct Signal {
  bool out;  ///< of the module
  std::string_view name;
  std::uint32_t width;     ///< bits
  std::string_view range;  ///< the same by the module's parameters
};
/// Of a subordinate of AXI4-Lite with addresses of so many bits.
inline std::vector<Signal> axi_lite(std::uint32_t width, std::string_view range = {}) {
  return {
      {false, "awvalid", 1, ""},   {false, "awaddr", width, range}, {true, "awready", 1, ""},
      {false, "wvalid", 1, ""},    {false, "wdata", 32, "[31:0]"},  {false, "wstrb", 4, "[3:0]"},
      {true, "wready", 1, ""},     {true, "bvalid", 1, ""},         {true, "bresp", 2, "[1:0]"},
      {false, "bready", 1, ""},    {false, "arvalid", 1, ""},       {false, "araddr", width, range},
      {true, "arready", 1, ""},    {true, "rvalid", 1, ""},         {true, "rdata", 32, "[31:0]"},
      {true, "rresp", 2, "[1:0]"}, {false, "rready", 1, ""}};
}
/// Of AXI4-Stream; `source`: beats come out of the module.
inline std::vector<Signal> axi_stream(const SwitchConfig& config, bool source) {
  return {{source, "tvalid", 1, ""},
          {!source, "tready", 1, ""},
          {source, "tdata", config.flit_w, "[FlitW-1:0]"},
          {source, "tlast", 1, ""},
          {source, "tid", number_width(config.vcs), "[VcW-1:0]"},
          {source, "tdest", 16, "[15:0]"},
          {source, "tuser", kOpcodeWidth, "[OpcodeW-1:0]"}};
}

}  // namespace muster::fabric::verilog
