// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// An interchange box that combines synchronization messages (beyond the paper, which calls it
// extremely expensive; Pfister and Norton, 1985). docs/systems/esc-references.md is the
// specification.
//
// Ports, random numbers, scan order and latency are those of muster_interchange_box.sv, but the box
// looks at its packets, which are those of docs/systems/esc.md: two agree if both are of kind 2,
// synchronization, and their routing tags are equal; merged, the numbers of messages (less 1, bits
// 33 .. 18) and the cycles of generation (bits 61 .. 34) are added. A synchronization packet is not
// a broadcast.
//
// Example, Size 4, Depth 12: synchronization packets for one PE at all inputs, buffers empty: all
// are taken, and one packet with bits 33 .. 18 = 3 is at that output in the next cycle.
module muster_combining_box #(
  /// n, inputs and outputs: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// S, packets in an output buffer, 1 to 64
  parameter int unsigned Depth = 4,
  /// bits of a packet, 64 to 64
  parameter int unsigned PacketW = 64,
  localparam int unsigned DigitW = (Size > 1) ? $clog2(Size) : 1
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  /// first value of the random numbers; taken while rst_ni is low, 0 as 1
  input  wire logic [15:0]                     seed_i,

  /// input i offers packet_i[i]
  input  wire logic [Size-1:0]                 valid_i,
  /// the output it asks for
  input  wire logic [Size-1:0][DigitW-1:0]     digit_i,
  /// it asks for all outputs; digit_i is then ignored; only for kinds other than 2
  input  wire logic [Size-1:0]                 broadcast_i,
  input  wire logic [Size-1:0][PacketW-1:0]    packet_i,
  /// the box takes it at this edge; only where valid_i
  output logic [Size-1:0]                      ready_o,

  /// buffer o is not empty; packet_o[o] is its oldest packet
  output logic [Size-1:0]                      valid_o,
  output logic [Size-1:0][PacketW-1:0]         packet_o,
  /// that packet leaves at this edge; ignored without valid_o
  input  wire logic [Size-1:0]                 ready_i,

  /// all buffers are empty: with idle inputs nothing changes
  output logic                                 quiescent_o
);
  localparam logic [1:0] KindSynchronization = 2'd2;

  if (Size != 2 && Size != 4 && Size != 8) begin : gen_bad_size
    $error("muster_combining_box: Size must be 2, 4 or 8");
  end
  if (Depth < 1 || Depth > 64) begin : gen_bad_depth
    $error("muster_combining_box: Depth must be 1 to 64");
  end
  if (PacketW != 64) begin : gen_bad_packet
    $error("muster_combining_box: PacketW must be 64");
  end

  // ---- The order of the inputs --------------------------------------------------------------
  logic [Size-1:0][Size-1:0] after;
  logic [Size-1:0] contended;
  // Draw bit 2 is not used in a box of fewer than eight inputs.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [3:0] draw;
  /* verilator lint_on UNUSEDSIGNAL */

  muster_block_random #(
    .DrawBits(4)
  ) random (
    .clk_i,
    .rst_ni,
    .seed_i,
    .step_i(contended != '0),
    .draw_o(draw)
  );

  // Places of the inputs in the order, see muster_scan_order.sv.
  logic [Size-1:0][DigitW-1:0] place;
  for (genvar i = 0; i < Size; i++) begin : gen_place
    assign place[i] = (DigitW'(i) ^ {DigitW{draw[3]}}) - (draw[DigitW-1:0] ^ {DigitW{draw[3]}});
  end
  for (genvar j = 0; j < Size; j++) begin : gen_after
    for (genvar i = 0; i < Size; i++) begin : gen_input
      assign after[j][i] = place[i] > place[j];
    end
  end

  // ---- Packets that agree -------------------------------------------------------------------
  // All that agree ask for one output and are taken together.
  logic [Size*Size-1:0] agree;
  logic [Size*PacketW-1:0] sum;

  logic [Size-1:0][27:0] birth;
  logic [Size-1:0][15:0] others;
  for (genvar i = 0; i < Size; i++) begin : gen_fields
    assign birth[i] = packet_i[i][61:34];
    assign others[i] = packet_i[i][33:18];
  end

  for (genvar j = 0; j < Size; j++) begin : gen_agree
    for (genvar i = 0; i < Size; i++) begin : gen_input
      assign agree[j*Size+i] = (i != j) && valid_i[i] && valid_i[j] &&
                               (packet_i[i][63:62] == KindSynchronization) &&
                               (packet_i[j][63:62] == KindSynchronization) &&
                               (packet_i[i][17:0] == packet_i[j][17:0]);
    end
    logic [27:0] births;
    logic [15:0] messages;
    always_comb begin
      births = packet_i[j][61:34];
      messages = packet_i[j][33:18];
      for (int unsigned i = 0; i < Size; i++) begin
        if (agree[j*Size+i]) begin
          births = births + birth[i];
          messages = messages + others[i] + 16'd1;
        end
      end
    end
    assign sum[j*PacketW+:PacketW] = {packet_i[j][63:62], births, messages, packet_i[j][17:0]};
  end

  // ---- Outputs ------------------------------------------------------------------------------
  for (genvar o = 0; o < Size; o++) begin : gen_output
    // blocked: of the inputs, by this output or one before it.
    logic [Size-1:0] requests, surplus, blocked;

    for (genvar i = 0; i < Size; i++) begin : gen_request
      assign requests[i] = valid_i[i] && (broadcast_i[i] || (digit_i[i] == DigitW'(o)));
    end
    if (o == 0) begin : gen_first
      assign blocked = requests & surplus;
    end else begin : gen_next
      assign blocked = gen_output[o-1].blocked | (requests & surplus);
    end

    muster_combining_buffer #(
      .Size(Size),
      .Depth(Depth)
    ) buffer (
      .clk_i,
      .rst_ni,
      .after_i(after),
      .requests_i(requests),
      .packet_i,
      .agree_i(agree),
      .sum_i(sum),
      .surplus_o(surplus),
      .contended_o(contended[o]),
      .taken_i(requests & ready_o),
      .pop_i(ready_i[o] && valid_o[o]),
      .valid_o(valid_o[o]),
      .packet_o(packet_o[o])
    );
  end

  assign ready_o = valid_i & ~gen_output[Size-1].blocked;
  assign quiescent_o = valid_o == '0;

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(ReadyToOffers_A, (ready_o & ~valid_i) == '0)
  `MUSTER_ASSERT(EmptyBoxTakesOne_A, !quiescent_o || (valid_i == '0) || (ready_o != '0))

endmodule

`default_nettype wire
