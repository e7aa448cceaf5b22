// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A group in an endpoint: its member arrives by one store, and is released by a message.
//
// A write of word 1 arrives: it brings bits 31..0 of the data, words 4 and 5 have those above. The
// reduction message waits at send_valid_o until send_taken_i. The distribution message of the
// group, on the wires in t with release_i, ends the barrier: from t + 1 on the status says
// released and the result has its data. Nothing is done between the two but what the host does: he
// may wait at once or later, or be interrupted.
//
// An arrival is refused, refused_o, while a barrier is under way or the group has no member here;
// nothing is sent. A message is taken, taken_o, only if its group has arrived and its own message
// has gone; whoever brings others counts them. A write of word 0 begins the group anew; it wins
// over a message of its cycle, and a release over a write of the status.
module endpoint_group #(
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// a write of word_i; the words are those of docs/systems/wrappers.md
  input  wire logic               write_i,
  input  wire logic [2:0]         word_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]        wdata_i,  // as many bits as the word has
  /* verilator lint_on UNUSEDSIGNAL */
  /// the word word_i, as it is
  output logic [31:0]             rdata_o,
  output logic                    refused_o,

  /// its reduction message
  output logic                    send_valid_o,
  input  wire logic               send_taken_i,
  output logic [GidW-1:0]         send_gid_o,
  output logic [DataW-1:0]        send_data_o,

  /// a distribution message of group release_gid_i is on the wires
  input  wire logic               release_i,
  input  wire logic [GidW-1:0]    release_gid_i,
  input  wire logic [DataW-1:0]   release_data_i,
  output logic                    taken_o,

  output logic                    waiting_o,
  output logic                    released_o,
  output logic                    irq_o
);
  // Word 0.
  localparam int unsigned MemberAt = 31;
  localparam int unsigned IrqAt = 30;
  // Word 2.
  localparam int unsigned WaitingAt = 0;
  localparam int unsigned ReleasedAt = 1;
  localparam int unsigned RefusedAt = 2;
  localparam int unsigned CountAt = 16;

  localparam int unsigned WideW = 96;  // words 3, 6 and 7

  if (GidW < 4 || GidW > 12) begin : gen_bad_gid
    $error("endpoint_group: GidW must be 4 to 12");
  end
  if (DataW < 2 || DataW > 74) begin : gen_bad_data
    $error("endpoint_group: DataW must be 2 to 74");
  end

  logic member_q, irq_q, waiting_q, send_q, released_q, refused_q;
  logic [GidW-1:0] gid_q;
  logic [15:0] count_q;
  logic [DataW-1:0] data_q, result_q;

  logic sets_up, arrives, accepted, clears;
  assign sets_up = write_i && word_i == 3'd0;
  assign arrives = write_i && word_i == 3'd1;
  assign clears = write_i && word_i == 3'd2;
  assign accepted = arrives && member_q && !waiting_q;
  assign refused_o = arrives && !accepted;
  assign taken_o = release_i && waiting_q && !send_q && release_gid_i == gid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      member_q <= 1'b0;
      irq_q <= 1'b0;
      gid_q <= '0;
    end else if (sets_up) begin
      member_q <= wdata_i[MemberAt];
      irq_q <= wdata_i[IrqAt];
      gid_q <= wdata_i[GidW-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || sets_up) begin
      waiting_q <= 1'b0;
      send_q <= 1'b0;
      released_q <= 1'b0;
      refused_q <= 1'b0;
      count_q <= '0;
    end else begin
      waiting_q <= accepted || (waiting_q && !taken_o);
      send_q <= accepted || (send_q && !send_taken_i);
      released_q <= taken_o || (released_q && !accepted && !(clears && wdata_i[ReleasedAt]));
      refused_q <= refused_o || (refused_q && !(clears && wdata_i[RefusedAt]));
      count_q <= count_q + 16'(taken_o);
    end
  end

  // ---- Data: bits 31..0 come with the arrival, those above before ---------------------------
  logic [WideW-1:0] result;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || sets_up) result_q <= '0;
    else if (taken_o) result_q <= release_data_i;
  end
  assign result = WideW'(result_q);

  /* verilator lint_off UNUSEDSIGNAL */
  logic [WideW-1:0] operand, written;  // as many bits as there are data
  /* verilator lint_on UNUSEDSIGNAL */
  assign operand = WideW'(data_q);
  always_comb begin
    written = operand;
    if (accepted) written[31:0] = wdata_i;
    if (write_i && word_i == 3'd4) written[63:32] = wdata_i;
    if (write_i && word_i == 3'd5) written[95:64] = wdata_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) data_q <= '0;
    else if (!waiting_q) data_q <= written[DataW-1:0];
  end

  // ---- Reads --------------------------------------------------------------------------------
  always_comb begin
    rdata_o = '0;
    unique case (word_i)
      3'd0: begin
        rdata_o[MemberAt] = member_q;
        rdata_o[IrqAt] = irq_q;
        rdata_o[GidW-1:0] = gid_q;
      end
      3'd2: begin
        rdata_o[WaitingAt] = waiting_q;
        rdata_o[ReleasedAt] = released_q;
        rdata_o[RefusedAt] = refused_q;
        rdata_o[CountAt+:16] = count_q;
      end
      3'd3: rdata_o = result[31:0];
      3'd4: rdata_o = operand[63:32];
      3'd5: rdata_o = operand[95:64];
      3'd6: rdata_o = result[63:32];
      3'd7: rdata_o = result[95:64];
      default: rdata_o = '0;
    endcase
  end

  assign send_valid_o = send_q;
  assign send_gid_o = gid_q;
  assign send_data_o = data_q;
  assign waiting_o = waiting_q;
  assign released_o = released_q;
  assign irq_o = released_q && irq_q;

  `MUSTER_ASSERT(SendsWhileItWaits_A, !send_q || waiting_q)
  `MUSTER_ASSERT(WaitsOrReleased_A, !(waiting_q && released_q))
  `MUSTER_ASSERT(MembersOnly_A, !waiting_q || member_q)

endmodule

`default_nettype wire
