// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// Which requests for one output of an interchange box are surplus, and in which order the packets
// that are taken enter its buffer.
//
// Requests are looked at in the scan order, after_i[j][i] being set if input i comes after input j.
// A request is surplus if there is room for no more packets than requests come before it; room_i[k]
// says that k + 1 packets fit. The box decides from the surplus of all outputs which it takes: not
// all that are not surplus here, because a broadcast may be blocked at another output.
//
// who_o names in the cycle after a packet was taken the inputs whose packets were, in the scan
// order, who_o[0] first; beyond their number, that of entering_o of the cycle before, it is
// undefined.
//
// Counts are in unary, so there is no carry chain; with at most one request nothing is counted.
//
// Example, Size 4, order 2 1 0 3, requests_i = 1011, room_i = 0001: surplus_o has inputs 0 and 3.
// With taken_i = 0010 entering_o is 00010, and in the next cycle who_o[0] is 1.
module muster_output_scan #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  localparam int unsigned IndexW = $clog2(Size)
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  /// clock enable of what is registered; must be set where taken_i is not zero
  input  wire logic                         active_i,

  input  wire logic [Size-1:0][Size-1:0]    after_i,
  input  wire logic [Size-1:0]              requests_i,
  input  wire logic [Size-1:0]              room_i,
  /// requests that are blocked here
  output logic [Size-1:0]                   surplus_o,
  /// two requests or more
  output logic                              contended_o,

  /// the box takes the packet of input i; depends on surplus_o
  input  wire logic [Size-1:0]              taken_i,
  /// one-hot: it takes this many
  output logic [Size:0]                     entering_o,
  /// registered
  output logic [Size-1:0][IndexW-1:0]       who_o
);
  localparam int unsigned Counts = (Size - 1) * Size;

  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_output_scan: Size must be 2, 4 or 8");
  end

  // Bit (k - 1) * Size + i: k marks or more are before input i in the scan order, k = 1 .. Size-1.
  function automatic logic [Counts-1:0] count_before(input logic [Size*Size-1:0] behind,
                                                     input logic [Size-1:0] marks);
    logic [Size-1:0] one_more;
    count_before = '0;
    for (int unsigned j = 0; j < Size; j++) begin
      one_more = {Size{marks[j]}} & behind[j*Size+:Size];
      count_before = count_before |
                     (Counts'({count_before, {Size{1'b1}}}) & {(Size - 1){one_more}});
    end
  endfunction

  // ---- Requests -----------------------------------------------------------------------------
  always_comb begin
    contended_o = 1'b0;
    for (int unsigned i = 1; i < Size; i++) begin
      if (requests_i[i] && ((requests_i & ((Size'(1'b1) << i) - 1'b1)) != '0)) contended_o = 1'b1;
    end
  end

  logic [Counts-1:0] requests_before;
  always_comb begin
    requests_before = '0;
    surplus_o = requests_i & {Size{!room_i[0]}};
    // Before a single request there is none.
    if (`MUSTER_FEW(contended_o)) begin
      requests_before = count_before(after_i, requests_i);
      for (int unsigned k = 1; k < Size; k++) begin
        if (!room_i[k]) surplus_o = surplus_o | (requests_i & requests_before[(k-1)*Size+:Size]);
      end
    end
  end

  // ---- Those taken --------------------------------------------------------------------------
  always_comb begin
    entering_o = (Size + 1)'(1'b1);
    for (int unsigned i = 0; i < Size; i++) begin
      if (taken_i[i]) entering_o = {entering_o[Size-1:0], 1'b0};
    end
  end

  function automatic logic [IndexW-1:0] index_of(input logic [Size-1:0] one_hot);
    index_of = '0;
    for (int unsigned i = 1; i < Size; i++) begin
      index_of = index_of | (IndexW'(i) & {IndexW{one_hot[i]}});
    end
  endfunction

  // The input of each place. The one that is taken among one request has place 0.
  function automatic logic [Size*IndexW-1:0] in_order(input logic several,
                                                      input logic [Size*Size-1:0] behind,
                                                      input logic [Size-1:0] taken);
    logic [Size*Size-1:0] place;
    in_order = '0;
    if (several) begin
      place = {count_before(behind, taken), {Size{1'b1}}};
      place = {Size{taken}} & place & ~(place >> Size);
      for (int unsigned k = 0; k < Size; k++) begin
        in_order[k*IndexW+:IndexW] = index_of(place[k*Size+:Size]);
      end
    end else begin
      in_order[0+:IndexW] = index_of(taken);
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (active_i) who_o <= in_order(contended_o, after_i, taken_i);
  end

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(TakenWereRequests_A, (taken_i & ~(requests_i & ~surplus_o)) == '0)

endmodule

`default_nettype wire
