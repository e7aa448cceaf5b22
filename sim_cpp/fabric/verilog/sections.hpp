// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/register_map.hpp"
#include "fabric/verilog/network_verilog.hpp"

// The sections of a generated module, in its order.
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

/// The signals of AXI4-Lite: of the subordinate's port `name`.
struct AxiSignal {
  bool out;
  std::string_view name;
  std::uint32_t width;  ///< bits; 0: of the address
};
inline constexpr AxiSignal kAxiLite[] = {
    {false, "awvalid", 1}, {false, "awaddr", 0}, {true, "awready", 1},  {false, "wvalid", 1},
    {false, "wdata", 32},  {false, "wstrb", 4},  {true, "wready", 1},   {true, "bvalid", 1},
    {true, "bresp", 2},    {false, "bready", 1}, {false, "arvalid", 1}, {false, "araddr", 0},
    {true, "arready", 1},  {true, "rvalid", 1},  {true, "rdata", 32},   {true, "rresp", 2},
    {false, "rready", 1}};

/// The signals of AXI4-Stream: of one direction.
struct StreamSignal {
  bool back;                     ///< from the receiver to the sender
  std::string_view name, range;  ///< the range by the module's parameters
  std::uint32_t width;           ///< bits
};
inline std::vector<StreamSignal> stream_signals(const SwitchConfig& config) {
  return {{false, "tvalid", "", 1},
          {true, "tready", "", 1},
          {false, "tdata", "[FlitW-1:0]", config.flit_w},
          {false, "tlast", "", 1},
          {false, "tid", "[VcW-1:0]", number_width(config.vcs)},
          {false, "tdest", "[15:0]", 16},
          {false, "tuser", "[OpcodeW-1:0]", kOpcodeWidth}};
}

/// Header comment, sizes and ports.
std::string header(const NetworkDesign& design);
/// Signals at the ends of links and at the register ports.
std::string signals(const NetworkDesign& design);
/// What stands in front of the switches' register ports.
std::string register_ports(const NetworkDesign& design);
/// An instance for each switch.
std::string switches(const NetworkDesign& design);
/// An instance for each node.
std::string nodes(const NetworkDesign& design);
/// Wires or relays for each link, and what open ports see.
std::string links(const NetworkDesign& design);
/// The words of the image.
std::string image(const NetworkDesign& design);

}  // namespace muster::fabric::verilog
