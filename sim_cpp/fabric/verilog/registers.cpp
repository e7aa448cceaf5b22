// SPDX-License-Identifier: Apache-2.0
// What software needs of a generated module: a C header for the driver, and a description of the
// registers. Both have one map: the control port at 0, then the port of each node.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fabric/verilog/network_verilog.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric {
namespace {

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// Text of the user inside a comment of C.
std::string commented(std::string text) {
  for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at))
    text.replace(at, 2, "* /");
  return text;
}

constexpr const char* kSizes = R"(
#define {0}_SWITCHES {1}u
#define {0}_NODES {2}u
/* In the image, with identifiers from 0 on, and that a node can be a member of at once. */
#define {0}_GROUPS {3}u
#define {0}_NODE_GROUPS {4}u

/* Bytes from the base of a map that has the control port first and then the ports of the nodes. */
#define {0}_CONTROL {5:#x}u
#define {0}_SWITCH(s) ({6:#x}u * (uint32_t)(s))
#define {0}_NODE(n) ({7:#x}u + {8:#x}u * (uint32_t)(n))
#define {0}_BYTES {9:#x}u
)";

std::string sizes(const NetworkDesign& design) {
  const std::uint32_t nodes = design.graph.nodes(), first = verilog::control_bytes(design);
  return fmt::format(kSizes, upper(design.module), design.graph.switches(), nodes,
                     design.groups.size(), design.node_groups, 0,
                     verilog::window_bytes(design.config), first, verilog::kNodeBytes,
                     std::uint64_t{first} + std::uint64_t{nodes} * verilog::kNodeBytes);
}

/// The words of the image that keep what is written, by their addresses on the control port.
std::string image_words(const NetworkDesign& design, std::uint32_t& count) {
  std::string text;
  count = 0;
  for (const RegisterLoad& load : design.image) {
    if (load.address >= registers::kRoutes || load.address == registers::kUpperRoute) continue;
    const std::uint32_t at = load.sw << verilog::address_width(design.config) | load.address;
    text += fmt::format("    {{{:#07x}u, {:#010x}u}},\n", at, load.value);
    ++count;
  }
  return text;
}

constexpr const char* kNetwork = R"(
/* What the hardware has written before ready_o, without the routes. */
static const muster_image_word {0}_image[] = {{
{1}}};

/* Where each node is: switch and port. */
static const muster_place {0}_places[{2}_NODES] = {{
{3}}};

static const muster_network {0}_network = {{
    {2}_SWITCHES, {4:#x}u, {5}, {6}u, {0}_image, {2}_NODES, {0}_places}};
)";

constexpr std::string_view kPrefix = "muster_";  // rdl/ has the map of module muster_X as X

/// What the words of each switch say of it, in the order of `muster_network`.
std::string switch_sizes(const SwitchConfig& config) {
  const std::uint32_t memory = group_memory(config);
  return fmt::format("{}u, {}u, {}u, {}u, {}u, {}u, {}u, {}u", config.dests, memory,
                     memory != 0 ? 0 : config.regs, config.ports, config.vcs, config.depth,
                     config.gid_w, config.flit_w);
}

}  // namespace

std::string to_c_header(const NetworkDesign& design) {
  verilog::check(design);
  const std::string macro = upper(design.module);
  if (macro == "MUSTER")
    throw InputError("--module 'muster': the driver has names of this network; take another");
  std::string text =
      "/* SPDX-License-Identifier: Apache-2.0 */\n"
      "/* Written by `muster topo export --format c-header` for the driver in sw/;\n"
      " * docs/how-to/generated-top.md describes it.\n *\n";
  text += commented(verilog::summary(design, " * "));
  for (std::size_t g = 0; g < design.groups.size(); ++g)
    text += fmt::format(" * Group {}: {}\n", g, commented(design.groups[g]));
  text += fmt::format(
      " */\n#ifndef {0}_NETWORK_H\n#define {0}_NETWORK_H\n\n#include \"muster.h\"\n", macro);
  std::uint32_t words = 0;
  const std::string image = image_words(design, words);
  std::string places;
  for (topology::NodeId n = 0; n < design.graph.nodes(); ++n) {
    const topology::PortRef at = design.graph.node(n).at;
    places += fmt::format("    {{{}u, {}u}},\n", at.sw, at.port);
  }
  text += sizes(design);
  text += fmt::format(kNetwork, design.module, image, macro, places,
                      verilog::window_bytes(design.config) / 4, switch_sizes(design.config), words);
  return text + "\n#endif\n";
}

std::string to_rdl(const NetworkDesign& design) {
  verilog::check(design);
  const SwitchConfig& config = design.config;
  const std::uint32_t memory = group_memory(config);
  std::string sizes =
      memory != 0 ? fmt::format(".Groups({})", memory) : fmt::format(".Regs({})", config.regs);
  sizes += fmt::format(", .Dests({})", config.dests);
  for (std::size_t i = 0; i < config.kind->variants.size(); ++i)
    if (config.kind->variants[i].in_rdl)
      sizes += fmt::format(", .{}({})", config.kind->variants[i].param, config.variant[i] != 0);
  return fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Written by `muster topo export --format rdl`; docs/how-to/generated-top.md describes it. "
      "Its\n// includes are in rdl/ of Muster.\n//\n{0}"
      "`include \"{10}.rdl\"\n`include \"endpoint.rdl\"\n\n"
      "addrmap {1} {{\n"
      "  name = \"network {1}\";\n"
      "  desc = \"the control port, and the port of each node after it\";\n\n"
      "  {10} #(\n"
      "    .Ports({2}), {3}\n"
      "  ) switch[{4}] @ 0x0 += {5:#x};\n"
      "  endpoint #(.Groups({6})) node[{7}] @ {8:#x} += {9:#x};\n"
      "}};\n",
      verilog::summary(design, "// "), design.module, config.ports, sizes, design.graph.switches(),
      verilog::window_bytes(config), design.node_groups, design.graph.nodes(),
      verilog::control_bytes(design), verilog::kNodeBytes,
      config.kind->module.substr(kPrefix.size()));
}

}  // namespace muster::fabric
