// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Which requests for one output of an interchange box are surplus, and which place in the buffer
// each packet gets that is taken. Combinational; clk_i and rst_ni are for the assertions.
//
// Requests are looked at in the scan order, after_i[j][i] being set if input i comes after input j.
// A request is surplus if there is room for no more packets than requests come before it; room_i[k]
// says that k + 1 packets fit. The box decides from the surplus of all outputs whom it takes: some
// of those that are no surplus, for a broadcast may be blocked elsewhere. They take places from 0
// on, in the scan order: arrive_o[k][i] is set if input i is taken and k others before it.
//
// open_o[k] is set if there are more than k requests, so that place k may be taken: it says where
// packets arrive before it is known who is taken. Counts are in unary, there is no carry chain; and
// as long as there is at most one request nothing has to be counted.
//
// Example, Size 4, order 2 1 0 3, requests_i = 1011, room_i = 0001: surplus_o has inputs 0 and 3,
// open_o = 0111; with taken_i = 0010 arrive_o[0] = 0010.
module output_scan #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  input  wire logic [Size-1:0][Size-1:0]  after_i,
  input  wire logic [Size-1:0]            requests_i,
  input  wire logic [Size-1:0]            room_i,
  /// blocked here; means nothing where there is no request
  output logic [Size-1:0]                 surplus_o,
  /// two requests or more
  output logic                            contended_o,

  /// the box takes the packet of input i; depends on surplus_o
  input  wire logic [Size-1:0]            taken_i,
  output logic [Size-1:0]                 open_o,
  output logic [Size-1:0][Size-1:0]       arrive_o
);
  localparam int unsigned Counts = (Size - 1) * Size;

  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("output_scan: Size must be 2, 4 or 8");
  end

  // Bit (k - 1) * Size + i: k marks or more are before input i in the scan order, k = 1 .. Size-1.
  function automatic logic [Counts-1:0] count_before(input logic [Size*Size-1:0] after,
                                                     input logic [Size-1:0] marks);
    logic [Size-1:0] one_more;
    count_before = '0;
    for (int unsigned j = 0; j < Size; j++) begin
      one_more = {Size{marks[j]}} & after[j*Size+:Size];
      count_before = count_before | (((count_before << Size) | Counts'({Size{1'b1}})) &
                                     {(Size - 1){one_more}});
    end
  endfunction

  // ---- Requests -----------------------------------------------------------------------------
  always_comb begin
    contended_o = 1'b0;
    for (int unsigned i = 1; i < Size; i++) begin
      if (requests_i[i] && ((requests_i & (Size'(1) << i) - 1'b1) != '0)) contended_o = 1'b1;
    end
  end

  logic [Counts-1:0] requests_before;
  always_comb begin
    requests_before = '0;
    surplus_o = {Size{!room_i[0]}};
    open_o = '0;
    open_o[0] = requests_i != '0;
    if (contended_o) begin
      requests_before = count_before(after_i, requests_i);
      for (int unsigned k = 1; k < Size; k++) begin
        if (!room_i[k]) surplus_o = surplus_o | requests_before[(k-1)*Size+:Size];
        open_o[k] = (requests_i & requests_before[(k-1)*Size+:Size]) != '0;
      end
    end
  end

  // ---- Those taken --------------------------------------------------------------------------
  // place[k*Size+i]: k taken ones or more are before input i.
  logic [Size*Size-1:0] place;
  always_comb begin
    arrive_o = '0;
    arrive_o[0] = taken_i;
    place = '0;
    if (contended_o) begin
      place = {count_before(after_i, taken_i), {Size{1'b1}}};
      for (int unsigned k = 0; k < Size - 1; k++) begin
        arrive_o[k] = taken_i & place[k*Size+:Size] & ~place[(k+1)*Size+:Size];
      end
      arrive_o[Size-1] = taken_i & place[(Size-1)*Size+:Size];
    end
  end

  // ---- Facts --------------------------------------------------------------------------------
  function automatic logic [Size-1:0] any_place(input logic [Size*Size-1:0] arrive);
    any_place = '0;
    for (int unsigned k = 0; k < Size; k++) any_place = any_place | arrive[k*Size+:Size];
  endfunction

  `MUSTER_ASSERT(TakenWereRequests_A, (taken_i & ~(requests_i & ~surplus_o)) == '0)
  `MUSTER_ASSERT(TakenGetPlaces_A, any_place(arrive_o) == taken_i)

endmodule

`default_nettype wire
