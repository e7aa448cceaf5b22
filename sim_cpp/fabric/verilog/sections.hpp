// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>

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
