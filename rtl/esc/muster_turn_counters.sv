// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Counters that go around, each by itself: 0 .. Modulus - 1, then 0 again.
//
// Counter c steps at an edge with step_i[c]; after reset all are 0. They are stored transposed:
// count_o[b] has bit b of every counter, so that one gate of the text is a gate for each of them.
//
// Example, Counters 2, Modulus 3, counters at 2 and 1, step_i = 11: they are at 0 and 2 in the next
// cycle, count_o[0] = 00, count_o[1] = 10.
module muster_turn_counters #(
  /// 1 to 64
  parameter int unsigned Counters = 4,
  /// 1 to 128
  parameter int unsigned Modulus = 12,
  localparam int unsigned CountW = (Modulus > 1) ? $clog2(Modulus) : 1
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [Counters-1:0]                step_i,
  output logic [CountW-1:0][Counters-1:0]         count_o
);
  `MUSTER_RANGE(Counters, 1, 64)
  `MUSTER_RANGE(Modulus, 1, 128)

  function automatic logic [CountW*Counters-1:0] after(input logic [CountW*Counters-1:0] count,
                                                       input logic [Counters-1:0] step);
    logic [Counters-1:0] carry, back;
    back = step;  // to 0
    for (int unsigned b = 0; b < CountW; b++) begin
      back = back & (count[b*Counters+:Counters] ^ {Counters{(((Modulus - 1) >> b) % 2) == 0}});
    end
    carry = step;
    for (int unsigned b = 0; b < CountW; b++) begin
      after[b*Counters+:Counters] = (count[b*Counters+:Counters] ^ carry) & ~back;
      carry = carry & count[b*Counters+:Counters];
    end
  endfunction

  logic [CountW*Counters-1:0] count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || Modulus == 1) count_q <= '0;
    else count_q <= after(count_q, step_i);
  end
  assign count_o = count_q;

  // ---- Facts --------------------------------------------------------------------------------
  if (CountW == 1 || Modulus == 2 ** CountW) begin : gen_all_numbers
  end else begin : gen_below
    logic [Counters-1:0] beyond;
    always_comb begin
      beyond = '1;
      for (int unsigned b = 0; b < CountW; b++) begin
        beyond = ((Modulus >> b) % 2 == 1) ? beyond & count_q[b*Counters+:Counters]
                                           : beyond | count_q[b*Counters+:Counters];
      end
    end
    `MUSTER_ASSERT(BelowModulus_A, beyond == '0)
  end

endmodule

`default_nettype wire
