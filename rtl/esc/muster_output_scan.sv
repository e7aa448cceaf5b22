// SPDX-License-Identifier: Apache-2.0
`default_nettype none

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
  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_output_scan: Size must be 2, 4 or 8");
  end

  for (genvar k = 0; k < Size; k++) begin : gen_place
    logic [Size-1:0] requests, blocked;
    assign requests = requests_i[k];

    // least: m + 1 requests or more come before this place; full: for one m of them and the lower
    // ones there is no room behind those.
    for (genvar m = 0; m < k; m++) begin : gen_before
      logic [Size-1:0] least, full;
      if (m == 0 && k == 1) begin : gen_first
        assign least = gen_place[0].requests;
      end else if (m == 0) begin : gen_one
        assign least = gen_place[k-1].gen_before[0].least | gen_place[k-1].requests;
      end else if (m == k - 1) begin : gen_all
        assign least = gen_place[k-1].gen_before[m-1].least & gen_place[k-1].requests;
      end else begin : gen_more
        assign least = gen_place[k-1].gen_before[m].least |
                       (gen_place[k-1].gen_before[m-1].least & gen_place[k-1].requests);
      end
      if (m == 0) begin : gen_full_one
        assign full = ~room_i[0] | (least & ~room_i[1]);
      end else begin : gen_full_more
        assign full = gen_before[m-1].full | (least & ~room_i[m+1]);
      end
    end

    if (k == 0) begin : gen_none_before
      assign blocked = requests & ~room_i[0];
    end else begin : gen_some_before
      assign blocked = requests & gen_before[k-1].full;
    end
    assign taken_o[k] = requests & {Size{blocked == '0}};
  end

  logic [Size-1:0] twice;
  if (Size == 2) begin : gen_two
    assign twice = gen_place[0].requests & gen_place[1].requests;
  end else begin : gen_many
    assign twice = gen_place[Size-1].gen_before[1].least |
                   (gen_place[Size-1].gen_before[0].least & gen_place[Size-1].requests);
  end
  assign contended_o = twice != '0;

endmodule

`default_nettype wire
