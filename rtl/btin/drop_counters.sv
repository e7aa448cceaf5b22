// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Barrier messages dropped, counted for each port and reason; register 0x010 + p of the map.
//
// Each event bit of a cycle advances its counter at the edge. Counters are four bits wide, so that
// they cost little, and stay at 15: a host that looks sees whether something happened, and where.
// At most one of unknown, wrong port and out of phase is told of a port in a cycle, since it has
// one message on the barrier channel; malformed may come beside it, from another virtual channel.
// A read is combinational: the four counters of port read_port_i, each in a byte, malformed lowest.
module drop_counters #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  localparam int unsigned PortW = $clog2(Ports)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  /// one bit for each port: not a message this switch knows
  input  wire logic [Ports-1:0]  malformed_i,
  /// no register has its group
  input  wire logic [Ports-1:0]  unknown_i,
  /// came from a port that is not the parent or a child
  input  wire logic [Ports-1:0]  wrong_port_i,
  /// came from the right port at the wrong time
  input  wire logic [Ports-1:0]  out_of_phase_i,

  /// a port below Ports
  input  wire logic [PortW-1:0]  read_port_i,
  output logic [31:0]            counts_o
);
  localparam int unsigned CountW = 4;

  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("drop_counters: Ports must be 3 to 16");
  end

  logic [3:0][Ports-1:0] event_bits;
  logic [Ports-1:0][3:0][CountW-1:0] count_q, count_d;
  logic [3:0][CountW-1:0] selected;
  assign event_bits = {out_of_phase_i, wrong_port_i, unknown_i, malformed_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else if (event_bits != '0) begin
      count_q <= count_d;
    end
  end

  always_comb begin
    count_d = count_q;
    if (event_bits != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        for (int unsigned c = 0; c < 4; c++) begin
          if (event_bits[c][p] && (count_q[p][c] != '1)) count_d[p][c] = count_q[p][c] + 1'b1;
        end
      end
    end
  end

  assign selected = count_q[read_port_i];
  assign counts_o = {4'd0, selected[3], 4'd0, selected[2], 4'd0, selected[1], 4'd0, selected[0]};

  logic [Ports-1:0] two_reasons, fell;
  assign two_reasons = (unknown_i & wrong_port_i) | (unknown_i & out_of_phase_i) |
                       (wrong_port_i & out_of_phase_i);
  always_comb begin
    fell = '0;
    if (event_bits != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        for (int unsigned c = 0; c < 4; c++) begin
          if (event_bits[c][p] && (count_d[p][c] < count_q[p][c])) fell[p] = 1'b1;
        end
      end
    end
  end
  `MUSTER_ASSERT(OneReasonPerMessage_A, two_reasons == '0)
  `MUSTER_ASSERT(CountNeverFalls_A, fell == '0)
  `MUSTER_ASSERT(ReadPortExists_A, 32'(read_port_i) < Ports)

endmodule

`default_nettype wire
