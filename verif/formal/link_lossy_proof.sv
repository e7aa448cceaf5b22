// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// The replay buffer of a link end whose block may send barrier messages at any time (Lossy,
// docs/systems/retry-link.md): data always find a place, and a message is lost when the page says
// so; so none is lost while fewer than Slots - 2 x Reserve are kept, whatever the data. Data have
// Reserve credits; one comes back when its flit is no longer kept, as link_end_proof shows of whole
// ends. Messages, acknowledgements and replays come at any time.
module link_lossy_proof #(
  parameter int unsigned Slots = 4,
  parameter int unsigned Reserve = 2,
  localparam int unsigned Width = 20,
  localparam int unsigned SeqW = $clog2(Slots) + 1
) (
  input  wire logic              clk_i,
  input  wire logic              data_i,
  input  wire logic              message_i,
  input  wire logic              credit_i,
  input  wire logic [Width-1:0]  word_i,
  input  wire logic              allow_i,
  input  wire logic              ack_valid_i,
  input  wire logic [SeqW-1:0]   comes_i,
  input  wire logic              rewind_i
);
  `MUSTER_FORMAL_RESET

  logic comes, lost, full, empty, came_q, confirms;
  logic [SeqW-1:0] ack_q;
  always_ff @(posedge clk_i) begin
    came_q <= rst_ni;
    ack_q <= comes_i;
  end
  assign confirms = ack_valid_i && came_q;
  muster_link_replay #(.Slots(Slots), .Width(Width), .Reserve(Reserve)) dut (
    .clk_i, .rst_ni,
    .clear_i(1'b0),
    .push_i(comes || message_i),
    .flit_i(word_i),
    .loose_i(!comes),
    .lost_o(lost),
    .full_o(full),
    .allow_i,
    .comes_valid_i(1'b1),
    .comes_i,
    .ack_valid_i(confirms),
    .ack_i(ack_q),
    .rewind_i,
    .empty_o(empty)
  );

  // ---- What is kept, by the page: is it data, the oldest lowest ---------------------------------
  logic [Slots-1:0] is_data_q, is_data_d;
  logic [SeqW-1:0] base_q, kept_q, confirmed, gone, left, data_kept;
  logic stored;
  assign confirmed = ack_q - base_q;
  assign gone = (confirms && confirmed <= kept_q) ? confirmed : '0;
  assign left = kept_q - gone;
  assign stored = comes || (message_i && (kept_q < SeqW'(Slots - Reserve)));
  always_comb begin
    is_data_d = is_data_q >> gone;
    data_kept = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (stored && left == SeqW'(i)) is_data_d[i] = comes;
      data_kept = data_kept + SeqW'(is_data_q[i]);
    end
  end

  // ---- Credits of data that are not back --------------------------------------------------------
  logic [SeqW-1:0] out_q;
  logic back;
  assign comes = data_i && (out_q < SeqW'(Reserve));
  assign back = credit_i && (out_q > data_kept);

  logic has_lost_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      is_data_q <= '0;
      base_q <= '0;
      kept_q <= '0;
      out_q <= '0;
      has_lost_q <= 1'b0;
    end else begin
      is_data_q <= is_data_d;
      base_q <= base_q + gone;
      kept_q <= left + SeqW'(stored);
      out_q <= out_q + SeqW'(comes) - SeqW'(back);
      has_lost_q <= has_lost_q || (message_i && lost);
    end
  end

  `MUSTER_ASSERT(DataFindAPlace_A, !comes || (!full && !lost))
  `MUSTER_ASSERT(MessagesNeverOverflow_A, comes || !full)
  `MUSTER_ASSERT(LostAsThePageSays_A, lost == (!comes && kept_q >= SeqW'(Slots - Reserve)))
  `MUSTER_ASSERT(FewMessagesAreNotLost_A,
                 !lost || kept_q - data_kept + SeqW'(2 * Reserve) >= SeqW'(Slots))
  `MUSTER_ASSERT(EmptyMeansNone_A, empty == (kept_q == '0))
  `MUSTER_ASSERT(MessagesLeavePlaces_A, kept_q - data_kept <= SeqW'(Slots - Reserve))
  `MUSTER_ASSERT(DataKeptHaveCredits_A, data_kept <= out_q)

  `MUSTER_COVER(AllPlacesTaken_C, kept_q == SeqW'(Slots))
  `MUSTER_COVER(StoresAfterALoss_C, has_lost_q && message_i && !comes && !lost)
  `MUSTER_COVER(DataKeepMessagesOut_C, message_i && lost && (kept_q == data_kept ||
                                                             Reserve < Slots - Reserve))

endmodule

`default_nettype wire
