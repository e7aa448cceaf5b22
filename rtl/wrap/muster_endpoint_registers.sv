// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of an endpoint: its words by address, and its counters. The map is in
// docs/systems/wrappers.md. A write takes effect at the edge, a read is answered in the same cycle
// and changes nothing; what has no meaning reads 0 and ignores writes.
//
// The words of the groups are kept by muster_endpoint_group: group_write_o[g] says that word
// group_word_o of group g is written, and group_rdata_i has that word of each.
module muster_endpoint_registers #(
  /// groups, 1 to 8
  parameter int unsigned Groups = 2,
  /// own address after reset, with its check, 0 to 65536; 65536: 0, without the check
  parameter int unsigned Address = 65536
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic                     reg_valid_i,
  input  wire logic                     reg_write_i,
  input  wire logic [11:0]              reg_addr_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]              reg_wdata_i,  // as many bits as the words here have
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                   reg_rdata_o,

  /// the sizes that it was built with, as the host reads them; constants
  input  wire logic [31:0]              sizes_i,
  input  wire logic [31:0]              widths_i,

  output logic [Groups-1:0]             group_write_o,
  output logic [2:0]                    group_word_o,
  input  wire logic [Groups-1:0][31:0]  group_rdata_i,
  input  wire logic [Groups-1:0]        waiting_i,
  input  wire logic [Groups-1:0]        released_i,

  /// packets must be for this address
  output logic                          check_o,
  output logic [15:0]                   address_o,

  /// events that are counted, each for a cycle
  input  wire logic                     message_dropped_i,
  input  wire logic                     arrival_refused_i,
  input  wire logic                     packet_dropped_i,
  input  wire logic                     flit_dropped_i,
  input  wire logic                     control_refused_i,
  input  wire logic                     packet_cut_i,
  input  wire logic                     packet_aborted_i,
  input  wire logic                     packet_illegal_i
);
  // Four counters in each of two words.
  localparam int unsigned Words = 2;
  localparam int unsigned Counters = 4 * Words;
  localparam int unsigned CounterW = 8;

  `MUSTER_RANGE(Groups, 1, 8)
  `MUSTER_RANGE(Address, 0, 65536)

  logic write, of_group;
  logic [Words-1:0] clears;
  assign write = reg_valid_i && reg_write_i;
  assign of_group = reg_addr_i[11:6] == muster_pkg::EndpointRegGroups[11:6];
  assign group_word_o = reg_addr_i[2:0];
  assign clears[0] = write && reg_addr_i == muster_pkg::EndpointRegDrops;
  assign clears[1] = write && reg_addr_i == muster_pkg::EndpointRegStreamDrops;
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      group_write_o[g] = write && of_group && reg_addr_i[5:3] == 3'(g);
    end
  end

  // ---- State --------------------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::endpoint_address_t new_address;
  /* verilator lint_on UNUSEDSIGNAL */
  assign new_address = reg_wdata_i;
  logic check_q;
  logic [15:0] address_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      check_q <= Address < 65536;
      address_q <= 16'(Address);
    end else if (write && reg_addr_i == muster_pkg::EndpointRegAddress) begin
      check_q <= new_address.check;
      address_q <= new_address.node;
    end
  end
  assign check_o = check_q;
  assign address_o = address_q;

  logic [Counters-1:0] event_of;
  logic [Counters-1:0][CounterW-1:0] count_q;
  assign event_of = {control_refused_i, packet_cut_i, packet_aborted_i, packet_illegal_i,
                     message_dropped_i, arrival_refused_i, packet_dropped_i, flit_dropped_i};
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Counters; c++) begin
      if (!rst_ni || clears[c/4]) count_q[c] <= '0;
      else if (event_of[c] && count_q[c] != '1) count_q[c] <= count_q[c] + 1'b1;
    end
  end

  // ---- Reads --------------------------------------------------------------------------------
  logic [31:0] group_word;
  always_comb begin
    group_word = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (reg_addr_i[5:3] == 3'(g)) group_word = group_rdata_i[g];
    end
  end

  muster_pkg::identity_t identity;
  muster_pkg::endpoint_summary_t summary;
  muster_pkg::endpoint_address_t address;
  muster_pkg::endpoint_drops_t drops;
  muster_pkg::endpoint_stream_drops_t stream_drops;
  always_comb begin
    identity.magic = muster_pkg::RegIdentityMagic;
    identity.kind = muster_pkg::KindAxisEndpoint;
    identity.version = muster_pkg::RegIdentityVersion;
    summary = '0;
    summary.waiting = 8'(waiting_i);
    summary.released = 8'(released_i);
    address = '0;
    address.check = check_q;
    address.node = address_q;
    {stream_drops.controls, stream_drops.cut, stream_drops.aborted, stream_drops.illegal,
     drops.messages, drops.arrivals, drops.packets, drops.flits} = count_q;
  end
  always_comb begin
    reg_rdata_o = '0;
    if (reg_valid_i && !reg_write_i) begin
      if (of_group) begin
        reg_rdata_o = group_word;
      end else begin
        case (reg_addr_i)
          muster_pkg::RegIdentity: reg_rdata_o = identity;
          muster_pkg::EndpointRegSizes: reg_rdata_o = sizes_i;
          muster_pkg::EndpointRegWidths: reg_rdata_o = widths_i;
          muster_pkg::EndpointRegSummary: reg_rdata_o = summary;
          muster_pkg::EndpointRegAddress: reg_rdata_o = address;
          muster_pkg::EndpointRegDrops: reg_rdata_o = drops;
          muster_pkg::EndpointRegStreamDrops: reg_rdata_o = stream_drops;
          default: reg_rdata_o = '0;
        endcase
      end
    end
  end

  `MUSTER_ASSERT(OneGroupWritten_A, (group_write_o & (group_write_o - 1'b1)) == '0)

endmodule

`default_nettype wire
