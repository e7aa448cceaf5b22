// SPDX-License-Identifier: Apache-2.0
// Names that a generated module cannot have.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "fabric/verilog/sections.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric {
namespace {

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

}  // namespace

void verilog::check_name(const std::string& name) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto other = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  };
  if (name.empty() || !letter(name[0]) || !std::all_of(name.begin(), name.end(), other))
    throw InputError(fmt::format(
        "--module '{}' is no name of a module: letters, digits and _, a letter first", name));
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("--module '{}': {}; take another", name, why));
  };
  if (has(kOwn, name)) refuse("Muster has a module or a type of this name");
  if (has(kSystemVerilog, name)) refuse("a keyword of SystemVerilog");
  if (has(kSystemRdl, name)) refuse("a keyword of SystemRDL");
}

}  // namespace muster::fabric
