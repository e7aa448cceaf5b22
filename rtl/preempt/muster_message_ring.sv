// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The barrier buffers of one input port, which its messages use in a ring.
// docs/systems/preempting-switches.md, "Several buffers".
//
// The link fills one of them. The unit chooses the next message (choose_i), takes it in the cycle
// after that (taken_o), or consumes it at once because it only counts (count_i). The oldest asks
// for an output; in the cycle in which its last flit goes, the one behind it does. With Spares = 0
// these are all the same buffer.
module muster_message_ring #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of a message in a flit: 16, 24, 32 or 48
  parameter int unsigned WordW = muster_pkg::BsrFlitW,
  /// buffers beyond the first, 0 to 7
  parameter int unsigned Spares = 0
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  /// a flit of a message comes: see muster_message_buffer; the mask of the routing table in the
  /// cycle after read_o, with Spares = 0 from then on
  input  wire logic                                 valid_i,
  input  wire logic                                 first_i,
  input  wire logic [WordW-1:0]                     flit_i,
  output logic                                      read_o,
  output logic [muster_pkg::DestW-1:0]              dest_o,
  input  wire logic [Ports-1:0]                     mask_i,
  output logic                                      malformed_o,
  output logic                                      freed_o,

  /// address of this switch
  input  wire logic [muster_pkg::DestW-1:0]         address_i,
  /// the next message: it can be chosen, but for the order of first messages; it is one that keeps
  /// an order, for this switch, the oldest; its mask; it may only count for this group
  output logic                                      able_o,
  output logic                                      orders_o,
  output logic                                      here_o,
  output logic                                      is_oldest_o,
  output logic [Ports-1:0]                          mask_o,
  output logic                                      counts_o,
  output logic [muster_pkg::BsrGidW-1:0]            gid_o,
  /// only with able_o; only with counts_o, and not both
  input  wire logic                                 choose_i,
  input  wire logic                                 count_i,

  /// the message that was chosen in the cycle before; what becomes of it
  output logic                                      taken_o,
  output muster_pkg::bsr_message_t                  taken_message_o,
  output logic                                      taken_first_o,
  output logic                                      taken_here_o,
  output logic                                      taken_oldest_o,
  output logic [Ports-1:0]                          taken_mask_o,
  input  wire logic                                 consume_i,
  input  wire logic                                 change_i,
  input  wire logic [1:0]                           bnt_i,
  input  wire logic                                 refused_i,
  input  wire logic [muster_pkg::DestW-1:0]         new_node_i,

  /// the oldest is going; it is a first one, that keeps an order; its mask and next flit; this is
  /// sent, or the message dropped
  output logic                                      going_o,
  output logic                                      going_first_o,
  output logic                                      going_orders_o,
  output logic [Ports-1:0]                          going_mask_o,
  output logic [WordW-1:0]                          next_o,
  input  wire logic                                 sent_i,
  input  wire logic                                 drop_i,
  /// the last flit goes, and the message behind is going: its type, its mask
  output logic                                      follows_o,
  output logic                                      follows_first_o,
  output logic [Ports-1:0]                          follows_mask_o,

  /// no message, and no part of one, is here
  output logic                                      empty_o
);
  `MUSTER_RANGE(Spares, 0, 7)
  `MUSTER_RANGE(Ports, 3, 16)

  localparam int unsigned N = Spares + 1;
  localparam logic Late = Spares != 0 || muster_pkg::bsr_first_flits(WordW) ==
                                         muster_pkg::bsr_later_flits(WordW);
  localparam int unsigned MessageW = muster_pkg::BsrFlits * muster_pkg::BsrFlitW;

  // One-hot: the buffer that fills, the next to choose, the one chosen, the oldest, the one behind.
  logic [N-1:0] fills, next, taken_q, oldest, behind;
  logic [N-1:0] read, malformed, freed, gone, completes, complete, first, here, going;
  logic [N-1:0] ends, empty, orders, counts;
  logic masked;  // a mask is there that is not kept yet
  logic [N-1:0][muster_pkg::DestW-1:0] dest;
  logic [N-1:0][muster_pkg::BsrGidW-1:0] gid;
  logic [N-1:0][MessageW-1:0] message;
  logic [N-1:0][WordW-1:0] flit;
  logic [N-1:0][Ports-1:0] mask;
  logic [MessageW-1:0] taken_message;

  for (genvar n = 0; n < N; n++) begin : gen_buffer
    muster_pkg::bsr_message_t held;

    muster_message_buffer #(
      .WordW(WordW)
    ) buffer (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i && fills[n]),
      .first_i,
      .flit_i,
      .oldest_i(oldest[n]),
      .read_o(read[n]),
      .dest_o(dest[n]),
      .malformed_o(malformed[n]),
      .freed_o(freed[n]),
      .gone_o(gone[n]),
      .completes_o(completes[n]),
      .complete_o(complete[n]),
      .message_o(held),
      .first_o(first[n]),
      .take_i(taken_q[n] || (count_i && next[n])),
      .consume_i(taken_q[n] ? consume_i : count_i),
      .change_i,
      .bnt_i,
      .refused_i,
      .new_node_i,
      .going_o(going[n]),
      .next_o(flit[n]),
      .sent_i(sent_i && oldest[n]),
      .ends_o(ends[n]),
      .drop_i(drop_i && oldest[n]),
      .empty_o(empty[n])
    );
    assign message[n] = held;
    assign gid[n] = held.gid;
    assign here[n] = held.dest == address_i;
    // Of several, first messages that tell nothing new keep none.
    assign orders[n] = first[n] && (Spares == 0 || held.bnt != muster_pkg::BntNothing);
    assign counts[n] = complete[n] && first[n] && !orders[n] && !held.refused && here[n];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) taken_q <= '0;
    else taken_q <= choose_i ? next : '0;
  end

  if (Spares == 0) begin : gen_one
    assign {fills, next, oldest} = '1;
    assign behind = '0;
    assign mask = mask_i;
    assign masked = 1'b0;
    assign read_o = read;
    assign dest_o = dest;
  end else begin : gen_several
    logic [N-1:0] fills_q, next_q, oldest_q, read_q;

    function automatic logic [N-1:0] after(input logic [N-1:0] one_hot);
      after = {one_hot[N-2:0], one_hot[N-1]};
    endfunction

    assign fills = fills_q;
    assign next = next_q;
    assign oldest = oldest_q;
    assign behind = after(oldest_q);
    for (genvar n = 0; n < N; n++) begin : gen_mask
      logic [Ports-1:0] mask_q;
      assign mask[n] = read_q[n] ? mask_i : mask_q;
      always_ff @(posedge clk_i) mask_q <= mask[n];
    end
    assign read_o = read != '0;
    assign masked = read_q != '0;
    always_comb begin
      dest_o = '0;
      for (int unsigned n = 0; n < N; n++) begin
        if (fills[n]) dest_o = dest_o | dest[n];
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        fills_q <= N'(1);
        next_q <= N'(1);
        oldest_q <= N'(1);
        read_q <= '0;
      end else begin
        read_q <= read;
        if (completes != '0) fills_q <= after(fills_q);
        if (choose_i || count_i) next_q <= after(next_q);
        if (gone != '0) oldest_q <= after(oldest_q);
      end
    end
  end

  // A first message whose mask is read with its last flit is looked at when it is there.
  assign able_o = (next & ((complete & ~taken_q) |
                           (Late ? completes & ~first : completes))) != '0;

  // ---- Of which buffer ------------------------------------------------------------------------
  always_comb begin
    gid_o = '0;
    taken_message = '0;
    mask_o = '0;
    taken_mask_o = '0;
    going_mask_o = '0;
    follows_mask_o = '0;
    next_o = '0;
    for (int unsigned n = 0; n < N; n++) begin
      if (next[n]) begin
        gid_o = gid_o | gid[n];
        mask_o = mask_o | mask[n];
      end
      if (taken_q[n]) begin
        taken_message = taken_message | message[n];
        taken_mask_o = taken_mask_o | mask[n];
      end
      if (oldest[n]) begin
        going_mask_o = going_mask_o | mask[n];
        next_o = next_o | flit[n];
      end
      if (behind[n]) follows_mask_o = follows_mask_o | mask[n];
    end
  end
  assign orders_o = (next & orders) != '0;
  assign counts_o = (next & counts) != '0;
  assign here_o = (next & here) != '0;
  assign is_oldest_o = (next & oldest) != '0;

  assign taken_message_o = taken_message;
  assign taken_o = taken_q != '0;
  assign taken_first_o = (taken_q & first) != '0;
  assign taken_here_o = (taken_q & here) != '0;
  assign taken_oldest_o = (taken_q & oldest) != '0;

  assign going_o = (oldest & going) != '0;
  assign going_first_o = (oldest & first) != '0;
  assign going_orders_o = (oldest & orders) != '0;
  assign follows_o = ends != '0 && (behind & going) != '0;
  assign follows_first_o = (behind & first) != '0;

  assign malformed_o = malformed != '0;
  assign freed_o = freed != '0;
  assign empty_o = (&empty) && !masked;

  `MUSTER_ASSERT(OnePointer_A, Spares == 0 || ($onehot(fills) && $onehot(next) && $onehot(oldest)))
  `MUSTER_ASSERT(FreedInTurn_A, ((freed & (freed - 1'b1)) | (gone & ~oldest)) == '0)
  `MUSTER_ASSERT(ChosenWhenAble_A, !(choose_i && (count_i || !able_o)) && (!count_i || counts_o))

endmodule

`default_nettype wire
