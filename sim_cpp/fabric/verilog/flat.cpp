// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fabric/verilog/network_verilog.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::fabric {
namespace {

using verilog::Signal;

/// Bits of a port of the flat module: streams carry whole bytes.
std::uint32_t padded(const Signal& pin) {
  return pin.name == "tdata" ? (pin.width + 7) / 8 * 8 : pin.width;
}

std::string range(std::uint32_t width) {
  return width == 1 ? "" : fmt::format("[{}:0]", width - 1);
}

std::string port(const Signal& pin, const std::string& prefix) {
  return fmt::format(",\n  {} {:<7} {}{}", pin.out ? "output wire" : "input  wire",
                     range(padded(pin)), prefix, pin.name);
}

/// What a pin of the module inside is connected to: a port, or those of all nodes.
std::string connection(const Signal& pin, const std::string& pins, const std::string& ports,
                       std::uint32_t nodes) {
  std::string text = fmt::format(",\n    .{}{}_{}(", pins, pin.name, pin.out ? 'o' : 'i');
  if (nodes == 0) return fmt::format("{}{}{})", text, ports, pin.name);
  // An output is not wider than its pin, so that what is above it is driven apart.
  const std::string part = padded(pin) > pin.width ? range(pin.width) : "";
  text += "{";
  std::size_t column = text.size() - 2;
  for (std::uint32_t n = nodes; n-- > 0;) {
    const std::string one = fmt::format("{}{}_{}{}", ports, n, pin.name, part);
    if (column + one.size() + 4 > 100) {
      text += "\n      ";
      column = 6;
    }
    text += one + (n > 0 ? ", " : "})");
    column += one.size() + 2;
  }
  return text;
}

/// The bits of ports that are more than a flit: they are 0, or go nowhere.
std::string padding(const NetworkDesign& design) {
  const std::uint32_t width = design.config.flit_w, padded = (width + 7) / 8 * 8;
  if (padded == width) return "";
  std::string text, unused;
  for (topology::NodeId n = 0; n < design.graph.nodes(); ++n) {
    text += fmt::format("  assign m_axis_{}_tdata[{}:{}] = {}'b0;\n", n, padded - 1, width,
                        padded - width);
    unused += fmt::format("{}\n    s_axis_{}_tdata[{}:{}]", n > 0 ? "," : "", n, padded - 1, width);
  }
  return text + "  /* verilator lint_off UNUSEDSIGNAL */\n  wire unused = &{1'b0, " + unused +
         "};\n  /* verilator lint_on UNUSEDSIGNAL */\n";
}

}  // namespace

std::string to_flat_verilog(const NetworkDesign& design) {
  verilog::check(design);
  const std::uint32_t nodes = design.graph.nodes();
  const auto control = verilog::axi_lite(verilog::number_width(verilog::control_bytes(design)));
  const auto node = verilog::axi_lite(registers::kAddressWidth + 2);
  const auto to_send = verilog::axi_stream(design.config, false);
  const auto received = verilog::axi_stream(design.config, true);

  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Written by `muster topo export --format verilog --flat`; docs/how-to/generated-top.md "
      "says what\n// the ports do. Plain Verilog, so that any tool takes it as a top.\n//\n";
  text += verilog::summary(design, "// ");
  text += fmt::format(
      "module {}_flat (\n  input  wire         aclk,\n  input  wire         aresetn,\n"
      "  output wire         ready,\n  output wire {:<7} irq",
      design.module, range(nodes));
  for (const Signal& pin : control) text += port(pin, "s_axil_ctl_");
  std::string pins = "    .clk_i(aclk), .rst_ni(aresetn), .ready_o(ready), .irq_o(irq)";
  for (const Signal& pin : control) pins += connection(pin, "ctl_", "s_axil_ctl_", 0);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    for (const Signal& pin : node) text += port(pin, fmt::format("s_axil_{}_", n));
    for (const Signal& pin : to_send) text += port(pin, fmt::format("s_axis_{}_", n));
    for (const Signal& pin : received) text += port(pin, fmt::format("m_axis_{}_", n));
  }
  for (const Signal& pin : node) pins += connection(pin, "node_", "s_axil_", nodes);
  for (const Signal& pin : to_send) pins += connection(pin, "s_axis_", "s_axis_", nodes);
  for (const Signal& pin : received) pins += connection(pin, "m_axis_", "m_axis_", nodes);
  return text + "\n);\n" + padding(design) +
         fmt::format("  {} network (\n{}\n  );\nendmodule\n", design.module, pins);
}

}  // namespace muster::fabric
