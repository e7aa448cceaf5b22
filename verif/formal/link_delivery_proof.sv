// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// muster_link_delivery under any flits, in any order, and any rooms, of a link that goes up and
// down when it likes, seen at `chosen`, any one virtual channel. A packet is open behind a flit
// that is no tail.
//
//   - a flit that is accepted is on the wires in the next cycle, unchanged, a cut mark too
//   - a packet that is open while the link is down is ended by one mark of its own, the word
//     0xf800, as soon as there is room and no lower channel has one to be ended; none is made
//     otherwise
//   - nothing else is ever on the wires
module link_delivery_proof #(
  parameter int unsigned Vcs = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          clear_i,
  input  wire logic                          down_i,
  input  wire logic                          accept_i,
  input  wire logic [VcW-1:0]                vc_i,
  input  wire logic [muster_pkg::KindW-1:0]  kind_i,
  input  wire logic [FlitW-1:0]              payload_i,
  input  wire logic [Vcs-1:0]                room_i,
  input  wire logic [VcW-1:0]                chosen_i
);
  `MUSTER_FORMAL_RESET

  logic [Vcs-1:0] made;
  logic any_open, tx_valid;
  logic [VcW-1:0] tx_vc, chosen_q;
  logic [muster_pkg::KindW-1:0] tx_kind;
  logic [FlitW-1:0] tx_payload;

  muster_link_delivery #(.Vcs(Vcs), .FlitW(FlitW)) dut (
    .clk_i, .rst_ni,
    .clear_i,
    .down_i,
    .accept_i,
    .vc_i,
    .kind_i,
    .payload_i,
    .room_i,
    .tail_o(made),
    .open_o(any_open),
    .tx_valid_o(tx_valid),
    .tx_vc_o(tx_vc),
    .tx_kind_o(tx_kind),
    .tx_payload_o(tx_payload)
  );

  // What was in the cycle before: a flit, a mark that was made, of which channel.
  logic [3+VcW+FlitW-1:0] flit_q;
  logic accepted_q, made_q, open_q, mine, ends;
  logic [Vcs-1:0] made_for_q, lower;
  assign mine = accept_i && !kind_i[muster_pkg::KindSync] && vc_i == chosen_q;
  assign ends = made[chosen_q];
  assign lower = (Vcs'(1) << chosen_q) - 1'b1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {accepted_q, made_q, open_q} <= '0;
      chosen_q <= chosen_i;
    end else begin
      accepted_q <= accept_i;
      made_q <= made != '0;
      if (clear_i || ends) open_q <= 1'b0;
      else if (mine) open_q <= !kind_i[muster_pkg::KindTail];
    end
    flit_q <= {kind_i, vc_i, payload_i};
    made_for_q <= made;
  end

  `MUSTER_ASSUME(ChannelsExist_M, 32'(vc_i) < Vcs && 32'(chosen_q) < Vcs)
  `MUSTER_ASSUME(AcceptsOnlyUp_M, !accept_i || !down_i)

  `MUSTER_ASSERT(Unchanged_A, !accepted_q || {tx_kind, tx_vc, tx_payload} == flit_q)
  `MUSTER_ASSERT(MarkIsTheWord_A, !made_q || (tx_kind == 3'b011 && tx_payload == 16'hf800 &&
                                              made_for_q == Vcs'(1) << tx_vc))
  `MUSTER_ASSERT(NothingElse_A, tx_valid == (accepted_q || made_q))
  `MUSTER_ASSERT(OnlyOpenIsEnded_A, !ends || (down_i && open_q && room_i[chosen_q]))
  `MUSTER_ASSERT(OpenIsEnded_A, !(down_i && open_q && room_i[chosen_q]) || ends ||
                                (made & lower) != '0)
  `MUSTER_ASSERT(OpenIsTold_A, !open_q || any_open)

  `MUSTER_COVER(Ends_C, ends)
  `MUSTER_COVER(LowerFirst_C, Vcs == 1 || (down_i && open_q && room_i[chosen_q] && !ends))
  `MUSTER_COVER(PassesAMark_C, accepted_q && tx_kind == 3'b011 && tx_payload[15:11] == 5'd31)

endmodule

`default_nettype wire
