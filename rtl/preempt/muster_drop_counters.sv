// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The counts of dropped messages and flits, for each port and reason: a word of the register map
// for each port.
//
// Each event bit of a cycle advances its counter at the edge. Counters have four bits, to keep them
// small, and saturate at 15: they tell the host whether something was dropped, and where. A read is
// combinational: the counters of port read_port_i, that of event_i[c] in byte c.
module muster_drop_counters #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  localparam int unsigned PortW = $clog2(Ports)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  /// reason c, a bit for each port
  input  wire logic [3:0][Ports-1:0] event_i,

  /// a port below Ports
  input  wire logic [PortW-1:0]      read_port_i,
  output logic [31:0]                counts_o
);
  localparam int unsigned CountW = 4;

  `MUSTER_RANGE(Ports, 3, 16)

  // Bit b of all counters, by reason and port.
  logic [CountW-1:0][4*Ports-1:0] count_q, count_d;
  logic [4*Ports-1:0] full, carry, of_port;
  logic [4*CountW-1:0] selected;

  always_comb begin
    full = '1;
    for (int unsigned b = 0; b < CountW; b++) full = full & count_q[b];
    carry = event_i & ~full;
    for (int unsigned b = 0; b < CountW; b++) begin
      count_d[b] = count_q[b] ^ carry;
      carry = carry & count_q[b];
    end
    for (int unsigned b = 0; b < CountW; b++) begin
      of_port = count_q[b] >> read_port_i;
      for (int unsigned c = 0; c < 4; c++) selected[c*CountW+b] = of_port[c*Ports];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= count_d;
  end

  muster_pkg::bsr_port_drops_t counts;
  always_comb begin
    counts.out_of_phase = 8'(selected[3*CountW+:CountW]);
    counts.wrong_source = 8'(selected[2*CountW+:CountW]);
    counts.unknown_group = 8'(selected[CountW+:CountW]);
    counts.malformed = 8'(selected[CountW-1:0]);
  end
  assign counts_o = counts;

  `MUSTER_ASSERT(ReadPortExists_A, 32'(read_port_i) < Ports)

endmodule

`default_nettype wire
