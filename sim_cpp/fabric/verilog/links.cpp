// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fabric/verilog/sections.hpp"
#include "muster/fabric/layout.hpp"

namespace muster::fabric::verilog {
namespace {

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
      R"(  link_relay #(
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

}  // namespace

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

}  // namespace muster::fabric::verilog
