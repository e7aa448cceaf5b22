// SPDX-License-Identifier: Apache-2.0
#include "fabric/verilog/network_verilog.hpp"

#include <fmt/format.h>

#include "fabric/verilog/sections.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric {
namespace {

constexpr std::uint32_t kMostSwitches = 256;   // of network_registers
constexpr std::size_t kMostWords = 4'194'304;  // likewise
constexpr std::uint32_t kMostNodeGroups = 8;   // of axis_endpoint

void check_switches(const NetworkDesign& design) {
  const SwitchConfig& config = design.config;
  if (config.retry)
    throw InputError(fmt::format(
        "switch configuration '{}' repeats messages, which AXI endpoints do not; take another",
        config.name));
  if (design.graph.switches() > kMostSwitches)
    throw InputError(fmt::format("{} switches; a generated module has {} at most",
                                 design.graph.switches(), kMostSwitches));
  if (design.image.size() > kMostWords)
    throw InputError(
        fmt::format("the switches hold {} words of routes and groups; a generated module has {} at "
                    "most",
                    design.image.size(), kMostWords));
  if (design.node_groups > kMostNodeGroups)
    throw InputError(fmt::format("a node is a member of {} groups; an AXI endpoint of {} at most",
                                 design.node_groups, kMostNodeGroups));
}

}  // namespace

void verilog::check(const NetworkDesign& design) {
  check_name(design.module);
  check_switches(design);
}

std::string to_verilog(const NetworkDesign& design) {
  verilog::check(design);
  return verilog::header(design) + verilog::signals(design) + verilog::register_ports(design) +
         verilog::switches(design) + verilog::nodes(design) + verilog::links(design) +
         verilog::image(design) + "endmodule\n\n`default_nettype wire\n";
}

}  // namespace muster::fabric
