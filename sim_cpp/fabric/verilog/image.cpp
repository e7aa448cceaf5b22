// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fabric/register_map.hpp"
#include "fabric/verilog/sections.hpp"

namespace muster::fabric::verilog {
namespace {

namespace regs = fabric::registers;

/// What the word at this address is.
std::string word_name(const topology::Graph& graph, std::uint32_t address) {
  if (address >= regs::kRoutes) {
    const std::uint32_t d = address - regs::kRoutes;
    return d < graph.nodes() ? fmt::format("route to node {}", d)
                             : fmt::format("route to switch {}", d - graph.nodes());
  }
  if (address == regs::kPermits) return "permits";
  const std::uint32_t r = (address - regs::kBarrierControl) / regs::kBarrierWords;
  if (address == regs::control(r)) return fmt::format("control of register {}", r);
  if (address == regs::children(r)) return fmt::format("children of register {}", r);
  return fmt::format("register 0x{:03x}", address);
}

}  // namespace

std::string image(const NetworkDesign& design) {
  const auto words = static_cast<std::uint32_t>(design.image.size());
  const std::uint32_t switch_width = number_width(design.graph.switches());
  const std::uint32_t width = address_width(design.config), at_width = number_width(words);
  std::string text =
      "\n  // The image: {switch, address, data} of each word.\n"
      "  always_comb begin\n    case (image_at)\n";
  for (std::uint32_t w = 0; w < words; ++w) {
    const RegisterLoad& load = design.image[w];
    text += fmt::format("      {}: image_word = {{{}'d{}, {}'h{:03x}, 32'h{:08x}}};  // {}\n",
                        fmt::format("{}'d{}", at_width, w), switch_width, load.sw, width,
                        load.address, load.value, word_name(design.graph, load.address));
  }
  return text + "      default: image_word = '0;\n    endcase\n  end\n\n";
}

}  // namespace muster::fabric::verilog
