// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of an endpoint: its words by address, and its counters. The map is in
// docs/systems/wrappers.md. A write takes effect at the edge, a read is answered in the same cycle
// and changes nothing; what has no meaning reads 0 and ignores writes.
//
// The words of the groups are kept by endpoint_group: group_write_o[g] says that word group_word_o
// of group g is written, and group_rdata_i has that word of each.
module endpoint_registers #(
  /// groups, 1 to 8
  parameter int unsigned Groups = 2
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
  input  wire logic                     flit_dropped_i
);
  // Words; those of group g begin at RegGroup + 8 g.
  localparam logic [11:0] RegGroups = 12'h003;
  localparam logic [11:0] RegGroup = 12'h040;
  // RegGroups.
  localparam int unsigned ReleasedAt = 0;
  localparam int unsigned WaitingAt = 8;
  // RegAddress.
  localparam int unsigned CheckAt = 31;
  // RegDrops: four counters of 8 bits.
  localparam int unsigned CounterW = 8;

  if (Groups < 1 || Groups > 8) begin : gen_bad_groups
    $error("endpoint_registers: Groups must be 1 to 8");
  end

  logic write, of_group, clears;
  assign write = reg_valid_i && reg_write_i;
  assign of_group = reg_addr_i[11:6] == RegGroup[11:6];
  assign group_word_o = reg_addr_i[2:0];
  assign clears = write && reg_addr_i == muster_pkg::RegDrops;
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      group_write_o[g] = write && of_group && reg_addr_i[5:3] == 3'(g);
    end
  end

  // ---- State --------------------------------------------------------------------------------
  logic check_q;
  logic [15:0] address_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      check_q <= 1'b0;
      address_q <= '0;
    end else if (write && reg_addr_i == muster_pkg::RegAddress) begin
      check_q <= reg_wdata_i[CheckAt];
      address_q <= reg_wdata_i[15:0];
    end
  end
  assign check_o = check_q;
  assign address_o = address_q;

  logic [3:0] event_of;
  logic [3:0][CounterW-1:0] count_q;
  assign event_of = {message_dropped_i, arrival_refused_i, packet_dropped_i, flit_dropped_i};
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < 4; c++) begin
      if (!rst_ni || clears) count_q[c] <= '0;
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

  always_comb begin
    reg_rdata_o = '0;
    if (reg_valid_i && !reg_write_i) begin
      if (of_group) begin
        reg_rdata_o = group_word;
      end else begin
        case (reg_addr_i)
          muster_pkg::RegIdentity: begin
            reg_rdata_o = {muster_pkg::RegIdentityMagic, muster_pkg::KindAxisEndpoint,
                           muster_pkg::RegIdentityVersion};
          end
          muster_pkg::RegSizes: reg_rdata_o = sizes_i;
          muster_pkg::RegWidths: reg_rdata_o = widths_i;
          RegGroups: begin
            reg_rdata_o[ReleasedAt+:8] = 8'(released_i);
            reg_rdata_o[WaitingAt+:8] = 8'(waiting_i);
          end
          muster_pkg::RegAddress: begin
            reg_rdata_o[CheckAt] = check_q;
            reg_rdata_o[15:0] = address_q;
          end
          muster_pkg::RegDrops: reg_rdata_o = count_q;
          default: reg_rdata_o = '0;
        endcase
      end
    end
  end

  `MUSTER_ASSERT(OneGroupWritten_A, (group_write_o & (group_write_o - 1'b1)) == '0)

endmodule

`default_nettype wire
