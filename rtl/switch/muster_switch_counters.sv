// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What the ports of a switch have done, as counts for the host, and the interrupt. The words at
// 0x00E, 0x00F and 0x200 + 4p of docs/reference/registers.md; docs/systems/barrier-switch.md,
// "Counters".
//
// Flits and stalls of cycle t are counted at the edge of t. What is dropped, refused or lost in t
// is timing-critical, so it is counted, and is a cause, at the edge of t + 1; pending_o: there is
// some. Counts saturate. A write of the host wins over an event of its edge, but a cause that is
// cleared and set at one edge is set.
module muster_switch_counters #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// of port p in this cycle: a flit is on the output wires; one waits for the output and does not
  /// go; something that came in there is dropped
  input  wire logic [Ports-1:0]  flit_i,
  input  wire logic [Ports-1:0]  stall_i,
  input  wire logic [Ports-1:0]  drop_i,
  /// a write is refused; a flit or a message is lost for want of a place; a register is suspect; an
  /// entry of the routing table or a group's word is damaged
  input  wire logic              refused_i,
  input  wire logic              overflow_i,
  input  wire logic              suspect_i,
  input  wire logic              damage_i,

  /// the register port: a read in this cycle, of the host or the access unit; a write of the host
  input  wire logic              read_i,
  input  wire logic [11:0]       read_addr_i,
  input  wire logic              write_i,
  input  wire logic [11:0]       addr_i,
  // Bits that no word has are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]       wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// 0 without a read, and for an address outside this module
  output logic [31:0]            word_o,

  output logic                   irq_o,
  output logic                   pending_o
);
  localparam int unsigned Counts = 3 * Ports;

  `MUSTER_RANGE(Ports, 3, 32)

  // ---- Counts -----------------------------------------------------------------------------------
  // Count 3p + k is word k of port p.
  logic [Ports-1:0] drop_q;
  logic [Counts-1:0] events;
  logic [Counts-1:0][31:0] count;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign events[3*p+:3] = {drop_q[p], stall_i[p], flit_i[p]};
  end
  for (genvar c = 0; c < Counts; c++) begin : gen_count
    localparam int unsigned Word = c / 3 * 4 + c % 3;
    logic [31:0] count_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (write_i && addr_i == muster_pkg::RegPorts + 12'(Word))) begin
        count_q <= '0;
      end else if (events[c] && count_q != '1) begin
        count_q <= count_q + 1'b1;
      end
    end
    assign count[c] = count_q;
  end

  // ---- The interrupt ----------------------------------------------------------------------------
  // Bit 3 of the mask is that of a suspect register, which is no cause that stays.
  logic refused_q, overflow_q, damage_q;
  logic [4:0] causes_q, mask_q, cleared;
  assign cleared = (write_i && addr_i == muster_pkg::RegIrqCauses) ? wdata_i[4:0] : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drop_q <= '0;
      refused_q <= 1'b0;
      overflow_q <= 1'b0;
      causes_q <= '0;
      damage_q <= 1'b0;
      mask_q <= muster_pkg::RegIrqEnableReset[4:0];
    end else begin
      drop_q <= drop_i;
      refused_q <= refused_i;
      overflow_q <= overflow_i;
      damage_q <= damage_i;
      causes_q <= (causes_q & ~cleared) |
                  {damage_q, 1'b0, overflow_q, refused_q, drop_q != '0};
      if (write_i && addr_i == muster_pkg::RegIrqEnable) mask_q <= wdata_i[4:0];
    end
  end
  assign irq_o = ((causes_q | {1'b0, suspect_i, 3'b0}) & mask_q) != '0;
  assign pending_o = (drop_q != '0) || refused_q || overflow_q || damage_i || damage_q;

  // ---- Words ------------------------------------------------------------------------------------
  // ORed: all but one are 0.
  always_comb begin
    word_o = '0;
    if (read_i) begin
      if (read_addr_i == muster_pkg::RegIrqEnable) word_o = 32'(mask_q);
      if (read_addr_i == muster_pkg::RegIrqCauses) word_o = word_o | 32'(causes_q);
      for (int unsigned c = 0; c < Counts; c++) begin
        if (read_addr_i == muster_pkg::RegPorts + 12'(c / 3 * 4 + c % 3)) begin
          word_o = word_o | count[c];
        end
      end
    end
  end

  `MUSTER_ASSERT(NoCauseUnseen_A, !irq_o || suspect_i || causes_q != '0)

endmodule

`default_nettype wire
