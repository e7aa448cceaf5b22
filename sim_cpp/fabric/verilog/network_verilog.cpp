// SPDX-License-Identifier: Apache-2.0
#include "fabric/verilog/network_verilog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fabric/verilog/sections.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric {
namespace {

constexpr std::uint32_t kMostSwitches = 256;   // of network_registers
constexpr std::size_t kMostWords = 4'194'304;  // likewise
constexpr std::uint32_t kMostNodeGroups = 8;   // of axis_endpoint
constexpr std::string_view kOwnModules[] = {"image_loader", "link_relay", "network_node",
                                            "network_registers", "muster_pkg"};

void check_module(const NetworkDesign& design) {
  const std::string& name = design.module;
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto other = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  };
  if (name.empty() || !letter(name[0]) || !std::all_of(name.begin(), name.end(), other))
    throw InputError(fmt::format(
        "--module '{}' is no name of a module: letters, digits and _, a letter first", name));
  if (name == design.config.kind->module ||
      std::ranges::find(kOwnModules, name) != std::end(kOwnModules))
    throw InputError(
        fmt::format("--module '{}': a module in it has this name; take another", name));
}

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
  check_module(design);
  check_switches(design);
}

std::string to_verilog(const NetworkDesign& design) {
  verilog::check(design);
  return verilog::header(design) + verilog::signals(design) + verilog::register_ports(design) +
         verilog::switches(design) + verilog::nodes(design) + verilog::links(design) +
         verilog::image(design) + "endmodule\n\n`default_nettype wire\n";
}

}  // namespace muster::fabric
