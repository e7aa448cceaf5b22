// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fabric/verilog/network_verilog.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric::verilog {
namespace {

constexpr std::uint32_t kMostPorts = 32;       // of muster_barrier_switch
constexpr std::uint32_t kMostSwitches = 256;   // of muster_network_registers
constexpr std::size_t kMostWords = 4'194'304;  // of muster_network_registers
constexpr std::uint32_t kMostNodeGroups = 8;   // of muster_axis_endpoint

// Names that a generated module cannot have.
// Words with a blank before and after each.
/// Modules of rtl/muster.f and types of rdl/, of which the build has made a list.
constexpr std::string_view kOwn = " " MUSTER_OWN_NAMES " ";
/// IEEE 1800-2017, annex B.
constexpr std::string_view kSystemVerilog =
    " accept_on alias always always_comb always_ff always_latch and assert assign assume automatic"
    " before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle"
    " checker class clocking cmos config const constraint context continue cover covergroup"
    " coverpoint cross deassign default defparam design disable dist do edge else end endcase"
    " endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface"
    " endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable"
    " endtask enum event eventually expect export extends extern final first_match for force"
    " foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone"
    " ignore_bins illegal_bins implements implies import incdir include initial inout input inside"
    " instance int integer interconnect interface intersect join join_any join_none large let"
    " liblist library local localparam logic longint macromodule matches medium modport module"
    " nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output"
    " package packed parameter pmos posedge primitive priority program property protected pull0"
    " pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase"
    " randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos"
    " rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared"
    " sequence shortint shortreal showcancelled signed small soft solve specify specparam static"
    " string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on"
    " table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0"
    " tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped"
    " use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard"
    " wire with within wor xnor xor ";
/// SystemRDL 2.0, without those that are keywords of SystemVerilog too.
constexpr std::string_view kSystemRdl =
    " abstract accesstype addressingtype addrmap all alternate boolean bothedge compact component"
    " componentwidth encode external false field fullalign hw internal level mem na nonsticky"
    " number onreadtype onwritetype precedencetype r rclr regalign regfile rset ruser rw rw1"
    " signal sw true w w1 wclr woclr woset wot wr wset wuser wzc wzs wzt ";

bool has(std::string_view words, const std::string& name) {
  return words.find(" " + name + " ") != std::string_view::npos;
}

/// Throws InputError for what is no name of a module, or the name of something else.
void check_name(const std::string& name) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto other = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  };
  if (name.empty() || !letter(name[0]) || !std::ranges::all_of(name, other))
    throw InputError("--module '{}' is no name of a module: letters, digits and _, a letter first",
                     name);
  const auto refuse = [&](std::string_view why) {
    throw InputError("--module '{}': {}; take another", name, why);
  };
  if (has(kOwn, name)) refuse("Muster has a module or a type of this name");
  if (has(kSystemVerilog, name)) refuse("a keyword of SystemVerilog");
  if (has(kSystemRdl, name)) refuse("a keyword of SystemRDL");
}

/// Free text on one line.
std::string line_of(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)); }, ' ');
  return text;
}

}  // namespace

std::string summary(const NetworkDesign& design, const std::string& mark) {
  const topology::Graph& graph = design.graph;
  std::string text;
  if (!graph.name.empty()) text += fmt::format("{}Network: {}\n", mark, line_of(graph.name));
  if (!graph.generator.empty())
    text += fmt::format("{}Made by: {}\n", mark, line_of(graph.generator));
  return text + fmt::format("{}Switches: {}, configuration {}; nodes: {}; words of the image: {}\n",
                            mark, graph.switches(), design.config.name, graph.nodes(),
                            design.image.size());
}

void check(const NetworkDesign& design) {
  check_name(design.module);
  const SwitchConfig& config = design.config;
  if (repeats(config))
    throw InputError(
        "switch configuration '{}' repeats messages, which AXI endpoints do not; take another",
        config.name);
  if (config.ports > kMostPorts)
    throw InputError("a switch has {} ports; a barrier switch in RTL has {} at most", config.ports,
                     kMostPorts);
  if (design.graph.switches() > kMostSwitches)
    throw InputError("{} switches; a generated module has {} at most", design.graph.switches(),
                     kMostSwitches);
  if (design.image.size() > kMostWords)
    throw InputError(
        "the switches hold {} words of routes and groups; a generated module has {} at most",
        design.image.size(), kMostWords);
  if (design.node_groups > kMostNodeGroups)
    throw InputError("a node is a member of {} groups; an AXI endpoint of {} at most",
                     design.node_groups, kMostNodeGroups);
}

}  // namespace muster::fabric::verilog
