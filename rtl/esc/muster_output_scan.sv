// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Which offers an interchange box takes. Places are those of the scan order, place 0 first; bit o
// of each vector is of output o, so that one gate of the text is a gate for each output.
//
// A request is blocked if there is room for no more packets than requests for the same output come
// before it; room_i[k][o] says that k + 1 packets fit. What is offered at a place is taken if none
// of its requests is blocked. One that is not taken still counts before others.
//
// Combinational. Counts are in unary, so there is no carry chain.
//
// Example, Size 4, room for one packet everywhere; places 0, 1 and 3 request output 2, and place 1
// requests all others too: taken_o[0] is 0100, the rest is 0.
module muster_output_scan #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4
) (
  /// requests_i[k][o]: what is offered at place k asks for output o
  input  wire logic [Size-1:0][Size-1:0]    requests_i,
  input  wire logic [Size-1:0][Size-1:0]    room_i,
  /// the requests of each place if they are taken, else 0
  output logic [Size-1:0][Size-1:0]         taken_o,
  /// an output is requested twice or more
  output logic                              contended_o
);
  `MUSTER_POWER_OF_TWO(Size, 2, 8)

  // Cell k * Size + m, of place k: least has the outputs that m + 1 places before it or more ask
  // for, full those with no room behind the requests that come before it, of which it counts m at
  // most.
  for (genvar c = 0; c < Size * Size; c++) begin : gen_cell
    // Nothing is read of cells with m > k.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Size-1:0] least, full;
    /* verilator lint_on UNUSEDSIGNAL */
    if (c % Size >= c / Size) begin : gen_no_place
      assign least = '0;
    end else begin : gen_place
      logic [Size-1:0] last, another;
      assign last = requests_i[c/Size-1];
      if (c % Size == 0) begin : gen_first
        assign another = last;
      end else begin : gen_next
        assign another = gen_cell[c-Size-1].least & last;
      end
      assign least = gen_cell[c-Size].least | another;
    end
    if (c % Size == 0) begin : gen_none
      assign full = ~room_i[0];
    end else begin : gen_some
      assign full = gen_cell[c-1].full | (gen_cell[c-1].least & ~room_i[c%Size]);
    end
  end

  for (genvar k = 0; k < Size; k++) begin : gen_taken
    logic [Size-1:0] blocked;
    assign blocked = requests_i[k] & gen_cell[k*Size+k].full;
    assign taken_o[k] = requests_i[k] & {Size{blocked == '0}};
  end

  logic [Size-1:0] twice;
  localparam int unsigned Last = (Size - 1) * Size;  // the first cell of the last place
  assign twice = gen_cell[Last+1].least | (gen_cell[Last].least & requests_i[Size-1]);
  assign contended_o = twice != '0;

endmodule

`default_nettype wire
