// SPDX-License-Identifier: Apache-2.0
#include "fabric/verilog/network_verilog.hpp"

#include <fmt/format.h>

#include "fabric/configurations.hpp"
#include "muster/fabric/layout.hpp"

namespace muster::fabric {
namespace verilog {
namespace {

constexpr const char* kEnds = R"(
  // Ends of links: port p of switch s is end Ports * s + p, node n is end First + n. "Out" is what
  // the block at an end puts on its wires, "in" what comes to it.
  localparam int unsigned First = Ports * Switches;
  localparam int unsigned Ends = First + Nodes;
)";

constexpr const char* kWires = R"(  logic [Ends-1:0] out_valid, in_valid;
  logic [Ends-1:0][VcW-1:0] out_vc, in_vc;
  logic [Ends-1:0][KindW-1:0] out_kind, in_kind;
  logic [Ends-1:0][FlitW-1:0] out_payload, in_payload;
  logic [Ends-1:0][BackW-1:0] out_credit, in_credit;
)";

constexpr const char* kRegisters = R"(
  // Register ports of the switches.
  logic [Switches-1:0] reg_valid;
  logic reg_write;
  logic [RegAddrW-1:0] reg_addr;
  logic [31:0] reg_wdata;
  logic [Switches-1:0][31:0] reg_rdata;
)";

bool has_open_port(const NetworkDesign& design) {
  const topology::Graph& graph = design.graph;
  return 2 * graph.links().size() + graph.nodes() <
         std::size_t{design.config.ports} * graph.switches();
}

/// `line` and the parts, with commas between them, in lines of up to 100 characters; those after
/// the first begin with `next`.
std::string wrapped(std::string line, const std::string& next,
                    const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = fmt::format(" {}{}", parts[i], i + 1 < parts.size() ? "," : "");
    if (line.size() + part.size() > 100) {
      text += line + "\n";
      line = next;
    }
    line += part;
  }
  return text + line;
}

/// The ports of a module's instance, and the signals that are connected to them, `at` an index.
void add_pins(std::vector<std::string>& pins, const std::vector<Signal>& signals,
              const std::string& port, const std::string& signal, const std::string& at) {
  for (const Signal& s : signals)
    pins.push_back(
        fmt::format(".{0}{4}_{3}({1}{4}_{3}{2})", port, signal, at, s.out ? 'o' : 'i', s.name));
}

using topology::Peer;

/// "port 0 to switch 1, 2 to node 0"
std::string neighbours(const topology::Graph& graph, topology::SwitchId s) {
  std::vector<std::string> ports;
  for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
    const Peer& peer = graph.peer(s, p);
    if (peer.kind == Peer::Kind::kSwitch)
      ports.push_back(fmt::format("{} to port {} of switch {}", p, peer.port, peer.id));
    if (peer.kind == Peer::Kind::kNode) ports.push_back(fmt::format("{} to node {}", p, peer.id));
  }
  return wrapped(fmt::format("  // Switch {}: port", s), "  //", ports) + ".\n";
}

/// Parameters by which switches of the module differ; the others have names in the header.
std::string parameters(const SwitchConfig& config) {
  std::vector<std::string> parts{".Ports(Ports)", ".Vcs(Vcs)", ".Depth(Depth)", ".FlitW(FlitW)",
                                 ".GidW(GidW)"};
  for (const auto& [name, value] : block_of(config).params)
    if (value != 0 && name != "Ports" && name != "Vcs" && name != "Depth" && name != "FlitW" &&
        name != "GidW")
      parts.push_back(fmt::format(".{}({})", name, value));
  return wrapped("   ", "   ", parts) + "\n";
}

/// The signals of a switch's ports are elements of `of`, those of a node's are one.
std::string link_ports(const std::string& of) {
  std::string text;
  for (const auto& [port, way, last] :
       {std::tuple{"rx", "in", "out"}, std::tuple{"tx", "out", "in"}}) {
    const char put = port[0] == 'r' ? 'i' : 'o', back = port[0] == 'r' ? 'o' : 'i';
    text += fmt::format(
        "    .{0}_valid_{1}({2}_valid{3}), .{0}_vc_{1}({2}_vc{3}),\n"
        "    .{0}_kind_{1}({2}_kind{3}), .{0}_payload_{1}({2}_payload{3}),\n"
        "    .{0}_credit_{4}({5}_credit{3}),\n",
        port, put, way, of, back, last);
  }
  return text;
}

constexpr const char* kFields[] = {"valid", "vc", "kind", "payload"};

std::string index_of(const End& end) {
  return end.node ? fmt::format("First+{}", end.id) : fmt::format("Ports*{}+{}", end.id, end.port);
}

std::string name_of(const End& end) {
  return end.node ? fmt::format("node {}", end.id)
                  : fmt::format("port {} of switch {}", end.port, end.id);
}

std::string instance_of(const End& end) {
  return end.node ? fmt::format("node{}", end.id) : fmt::format("sw{}_{}", end.id, end.port);
}

std::string wires(const Channel& channel) {
  const std::string from = index_of(channel.from), to = index_of(channel.to);
  std::string text;
  for (const char* field : kFields)
    text += fmt::format("  assign in_{0}[{2}] = out_{0}[{1}];\n", field, from, to);
  return text + fmt::format("  assign in_credit[{}] = out_credit[{}];\n", from, to);
}

std::string relay(const Channel& channel) {
  return fmt::format(
      R"(  muster_link_relay #(
    .Stages({0}), .Vcs(Vcs), .Backs(BackW), .FlitW(FlitW)
  ) {1}_to_{2} (
    .clk_i, .rst_ni,
    .rx_valid_i(out_valid[{3}]), .rx_vc_i(out_vc[{3}]), .rx_kind_i(out_kind[{3}]),
    .rx_payload_i(out_payload[{3}]), .rx_credit_o(in_credit[{3}]),
    .tx_valid_o(in_valid[{4}]), .tx_vc_o(in_vc[{4}]), .tx_kind_o(in_kind[{4}]),
    .tx_payload_o(in_payload[{4}]), .tx_credit_i(out_credit[{4}]),
    .quiescent_o()
  );
)",
      channel.latency - 1, instance_of(channel.from), instance_of(channel.to),
      index_of(channel.from), index_of(channel.to));
}

std::string link(const Channel& channel) {
  if (channel.latency == 1)
    return fmt::format("\n  // From {} to {}.\n{}", name_of(channel.from), name_of(channel.to),
                       wires(channel));
  return fmt::format(
      "\n  // From {} to {}, {} cycles.\n  /* verilator lint_off PINCONNECTEMPTY */\n{}"
      "  /* verilator lint_on PINCONNECTEMPTY */\n",
      name_of(channel.from), name_of(channel.to), channel.latency, relay(channel));
}

std::string open_port(const End& end) {
  std::string text = fmt::format("\n  // {} is open.\n", name_of(end));
  text[6] = 'P';
  for (const char* field : {"valid", "vc", "kind", "payload", "credit"})
    text += fmt::format("  assign in_{}[{}] = '0;\n", field, index_of(end));
  return text;
}

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

/// A signal of the module.
std::string port(bool out, const std::string& range, const std::string& name) {
  return fmt::format("  {} {:<28} {}_{},\n", out ? "output logic     " : "input  wire logic", range,
                     name, out ? 'o' : 'i');
}

/// The signals of an interface, `range` before those of several.
std::string ports(const std::vector<Signal>& signals, const std::string& prefix,
                  const std::string& range) {
  std::string text;
  for (const Signal& s : signals)
    text += port(s.out, range + std::string(s.range), fmt::format("{}{}", prefix, s.name));
  return text;
}

/// Header comment, sizes and ports.
std::string header(const NetworkDesign& design) {
  const topology::Graph& graph = design.graph;
  const SwitchConfig& config = design.config;
  const std::uint32_t register_width = address_width(config);
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n`default_nettype none\n\n"
      "// Written by `muster topo export --format verilog`; docs/how-to/generated-top.md says what "
      "the\n// ports do.\n//\n";
  text += summary(design, "// ");
  text += fmt::format(
      "module {} #(\n"
      "  localparam int unsigned Switches = {},\n"
      "  localparam int unsigned Nodes = {},\n"
      "  localparam int unsigned Ports = {},\n"
      "  localparam int unsigned Vcs = {},\n"
      "  localparam int unsigned Depth = {},\n"
      "  localparam int unsigned FlitW = {},\n"
      "  localparam int unsigned GidW = {},\n"
      "  localparam int unsigned RegAddrW = {},\n"
      "  localparam int unsigned CtlAddrW = {},\n"
      "  localparam int unsigned NodeAddrW = muster_pkg::RegAddrW + 2,\n"
      "  localparam int unsigned VcW = {},\n"
      "  localparam int unsigned OpcodeW = muster_pkg::OpcodeW\n"
      ") (\n",
      design.module, graph.switches(), graph.nodes(), config.ports, config.vcs, config.depth,
      config.flit_w, config.gid_w, register_width,
      number_width(graph.switches()) + register_width + 2, number_width(config.vcs));
  text +=
      fmt::format("  input  wire logic {0:<28} clk_i,\n  input  wire logic {0:<28} rst_ni,\n", "");
  text += "  /// the switches have the image; until then all that follows waits\n";
  text += fmt::format("  output logic      {:<28} ready_o,\n\n", "");
  text += "  /// AXI4-Lite: registers of switch s from byte s << (RegAddrW + 2) on\n";
  text += ports(axi_lite(0, "[CtlAddrW-1:0]"), "ctl_", "");
  text += "\n  /// AXI4-Lite: registers of node n in element n\n";
  text += ports(axi_lite(0, "[NodeAddrW-1:0]"), "node_", "[Nodes-1:0]");
  text += "\n  /// streams of node n in element n, as axis_endpoint has them\n";
  text += ports(axi_stream(config, false), "s_axis_", "[Nodes-1:0]");
  text += ports(axi_stream(config, true), "m_axis_", "[Nodes-1:0]");
  return text + fmt::format(
                    "  /// a group of node n whose interrupt is wanted has been released\n"
                    "  output logic      {:<28} irq_o\n);\n",
                    "[Nodes-1:0]");
}

/// Signals at the ends of links and at the register ports.
std::string signals(const NetworkDesign& design) {
  std::string text = fmt::format(
      "  localparam int unsigned KindW = muster_pkg::KindW;\n"
      "  localparam int unsigned BackW = Vcs{};\n{}\n",
      has_pockets(design.config) ? " + 1" : "", kEnds);
  const bool open = has_open_port(design);
  if (open)
    text +=
        "  // What leaves an open port goes nowhere.\n  /* verilator lint_off UNUSEDSIGNAL */\n";
  text += kWires;
  if (open) text += "  /* verilator lint_on UNUSEDSIGNAL */\n";
  return text + kRegisters;
}

/// What stands in front of the switches' register ports.
std::string register_ports(const NetworkDesign& design) {
  const std::uint32_t image_width = number_width(static_cast<std::uint32_t>(design.image.size()));
  std::vector<std::string> pins;
  add_pins(pins, axi_lite(0), "", "ctl_", "");
  return fmt::format(
      R"(
  logic [{}:0] image_at;
  logic [{}:0] image_word;
  muster_network_registers #(
    .Blocks(Switches), .RegAddrW(RegAddrW), .Words({}), .Routes({}), .Wait({})
  ) registers (
    .clk_i, .rst_ni,
{},
    .image_at_o(image_at), .image_word_i(image_word), .ready_o,
    .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i(reg_rdata)
  );
)",
      image_width - 1,
      number_width(design.graph.switches()) + address_width(design.config) + 32 - 1,
      design.image.size(), design.config.dests, group_memory(design.config),
      wrapped("   ", "   ", pins));
}

std::string switches(const NetworkDesign& design) {
  std::string text =
      "\n  // Their clocks are not gated here, and they do not repeat messages.\n"
      "  /* verilator lint_off PINCONNECTEMPTY */\n";
  for (topology::SwitchId s = 0; s < design.graph.switches(); ++s) {
    text += neighbours(design.graph, s);
    text += fmt::format("  {} #(\n{}  ) sw{} (\n    .clk_i, .rst_ni,\n", design.config.kind->module,
                        parameters(design.config), s);
    text += link_ports(fmt::format("[Ports*{}+:Ports]", s));
    text += fmt::format(
        "    .reg_valid_i(reg_valid[{0}]), .reg_write_i(reg_write), .reg_addr_i(reg_addr),\n"
        "    .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata[{0}]),\n"
        "    .irq_o(), .quiescent_o()\n  );\n{1}",
        s, s + 1 < design.graph.switches() ? "\n" : "");
  }
  return text + "  /* verilator lint_on PINCONNECTEMPTY */\n";
}

std::string nodes(const NetworkDesign& design) {
  std::string text;
  for (topology::NodeId n = 0; n < design.graph.nodes(); ++n) {
    const topology::PortRef at = design.graph.node(n).at;
    const std::string element = fmt::format("[{}]", n);
    std::vector<std::string> pins;
    add_pins(pins, axi_lite(0), "", "node_", element);
    add_pins(pins, axi_stream(design.config, false), "s_axis_", "s_axis_", element);
    add_pins(pins, axi_stream(design.config, true), "m_axis_", "m_axis_", element);
    text += fmt::format(R"(
  // Node {0}, at port {1} of switch {2}.
  muster_network_node #(
    .Vcs(Vcs), .Depth(Depth), .FlitW(FlitW), .GidW(GidW), .Groups({3}), .Pocket({4}),
    .Dests({6}), .Address({0})
  ) node{0} (
    .clk_i, .rst_ni, .ready_i(ready_o),
{7},
{5}    .irq_o(irq_o[{0}])
  );
)",
                        n, at.port, at.sw, design.node_groups, has_pockets(design.config) ? 1 : 0,
                        link_ports(fmt::format("[First+{}]", n)), design.config.dests,
                        wrapped("   ", "   ", pins));
  }
  return text;
}

/// Wires or relays for each link, and what open ports see.
std::string links(const NetworkDesign& design) {
  const topology::Graph& graph = design.graph;
  std::string text;
  const Layout layout(graph);
  for (const Channel& channel : layout.channels()) text += link(channel);
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t p = 0; p < design.config.ports; ++p)
      if (p >= graph.ports(s) || graph.peer(s, p).kind == topology::Peer::Kind::kOpen)
        text += open_port({false, s, p});
  return text;
}

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

}  // namespace
}  // namespace verilog

std::string to_verilog(const NetworkDesign& design) {
  verilog::check(design);
  return verilog::header(design) + verilog::signals(design) + verilog::register_ports(design) +
         verilog::switches(design) + verilog::nodes(design) + verilog::links(design) +
         verilog::image(design) + "endmodule\n\n`default_nettype wire\n";
}

}  // namespace muster::fabric
