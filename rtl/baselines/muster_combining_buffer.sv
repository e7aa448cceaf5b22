// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The packets of one output of a combining box, in a ring of Depth places; muster_queue_fills.sv
// counts them. docs/systems/interchange-box.md is the specification; the packet is that of
// docs/systems/esc.md.
//
// Place k of the scan order asks for this output with lead_i[k] and the packet sum_i[k]; no two of
// these agree. join_o[k], a function of registers, lead_i and sum_i, tells that it agrees with a
// packet that is queued behind the oldest. At the edge sums that join are added to the packets that
// they agree with, then those of append_i are appended in the order of places, then with pop_i the
// oldest leaves. packet_o is the oldest packet, undefined while there is none.
//
// A free place holds 0, so a packet is appended by adding it, too: a place has one adder, and one
// sum is selected for it.
//
// Example, Size 4: synchronization packets for PE 9 lead at places 0 and 1 in two cycles after each
// other, appended to an empty queue each: the second does not join the first, which is the oldest.
module muster_combining_buffer #(
  /// inputs of the box: 2, 4 or 8, 2 to 8
  parameter int unsigned Size = 4,
  /// packets it holds, 1 to 64
  parameter int unsigned Depth = 4,
  localparam int unsigned PacketW = 64
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  input  wire logic [Size-1:0]                 lead_i,
  input  wire logic [Size-1:0][PacketW-1:0]    sum_i,
  output logic [Size-1:0]                      join_o,
  /// only where lead_i is and join_o is not; no more than there is room for
  input  wire logic [Size-1:0]                 append_i,

  /// the packet at packet_o leaves at this edge; only if there is one
  input  wire logic                            pop_i,
  output logic [PacketW-1:0]                   packet_o
);
  localparam logic [1:0] KindSynchronization = 2'd2;

  `MUSTER_POWER_OF_TWO(Size, 2, 8)
  `MUSTER_RANGE(Depth, 1, 64)

  // ---- The ring -----------------------------------------------------------------------------
  logic [Depth-1:0] head_q, tail_q;  // the oldest packet, the next one; one-hot

  function automatic logic [Depth-1:0] next(input logic [Depth-1:0] place);
    next = Depth'({place, place} >> (Depth - 1));
  endfunction

  // Bit k * Depth + e: place k appends a packet at e, or joins that there; tail: where it appends.
  logic [Size*Depth-1:0] appends, joins;
  for (genvar k = 0; k < Size; k++) begin : gen_tail
    logic [Depth-1:0] tail;
    if (k == 0) begin : gen_first
      assign tail = tail_q;
    end else begin : gen_next
      assign tail = append_i[k-1] ? next(gen_tail[k-1].tail) : gen_tail[k-1].tail;
    end
    assign appends[k*Depth+:Depth] = tail & {Depth{append_i[k]}};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= Depth'(1'b1);
      tail_q <= Depth'(1'b1);
    end else begin
      if (pop_i) head_q <= next(head_q);
      tail_q <= append_i[Size-1] ? next(gen_tail[Size-1].tail) : gen_tail[Size-1].tail;
    end
  end

  // ---- Packets ------------------------------------------------------------------------------
  for (genvar e = 0; e < Depth; e++) begin : gen_entry
    logic [PacketW-1:0] packet_q;
    logic open;
    assign open = packet_q[63:62] == KindSynchronization && !head_q[e];

    logic [Size-1:0] joining, writing;
    logic [PacketW-1:0] oldest;
    for (genvar k = 0; k < Size; k++) begin : gen_join
      assign joining[k] = open && lead_i[k] && sum_i[k][63:62] == KindSynchronization &&
                          sum_i[k][17:0] == packet_q[17:0];
      assign joins[k*Depth+e] = joining[k];
      assign writing[k] = joining[k] || appends[k*Depth+e];
    end
    always_ff @(posedge clk_i) begin : entry
      logic [PacketW-1:0] more;
      // Bit 0 gives a carry where both numbers are less by 1.
      /* verilator lint_off UNUSEDSIGNAL */
      logic [16:0] messages;
      /* verilator lint_on UNUSEDSIGNAL */
      if (!rst_ni || (pop_i && head_q[e])) begin
        packet_q <= '0;
      end else if (writing != '0) begin
        more = '0;
        for (int unsigned k = 0; k < Size; k++) more = more | (sum_i[k] & {PacketW{writing[k]}});
        messages = {packet_q[33:18], 1'b1} + {more[33:18], joining != '0};
        packet_q <= {more[63:62], packet_q[61:34] + more[61:34], messages[16:1], more[17:0]};
      end
    end

    if (e == 0) begin : gen_first
      assign oldest = packet_q & {PacketW{head_q[e]}};
    end else begin : gen_next
      assign oldest = gen_entry[e-1].oldest | (packet_q & {PacketW{head_q[e]}});
    end
  end

  for (genvar k = 0; k < Size; k++) begin : gen_join_any
    assign join_o[k] = joins[k*Depth+:Depth] != '0;
  end
  assign packet_o = gen_entry[Depth-1].oldest;

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSERT(HeadOneHot_A, $onehot(head_q))
  `MUSTER_ASSERT(TailOneHot_A, $onehot(tail_q))
  `MUSTER_ASSERT(AppendedLead_A, (append_i & (~lead_i | join_o)) == '0)

endmodule

`default_nettype wire
