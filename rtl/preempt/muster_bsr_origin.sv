// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// A buffer for messages of the switch itself, from number Ports on among its message buffers.
// docs/systems/preempting-switches.md, "The barrier unit", the origin.
//
// If it is empty in t and is given a message (load_i), with the port of its destination node or
// none, the routing table is read in t, and the mask is there in t + 1. From t + 2 on the message
// is going. Without a route it is dropped instead, in t + 1 (unroutable_o).
module muster_bsr_origin #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of a message in a flit: 16, 24, 32 or 48
  parameter int unsigned WordW = muster_pkg::BsrFlitW
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  output logic                                  empty_o,
  /// only with empty_o
  input  wire logic                             load_i,
  input  wire muster_pkg::bsr_message_t         message_i,
  input  wire logic [Ports-1:0]                 port_i,

  /// the entry of the routing table for the message's destination, in the cycle after load_i
  input  wire logic [Ports-1:0]                 mask_i,
  /// outputs that no message goes by
  input  wire logic [Ports-1:0]                 closed_i,
  output logic                                  unroutable_o,

  /// going: its ways, the next flit, and it is sent
  output logic                                  going_o,
  /// it is for a node of this switch; it is of the type of first messages
  output logic                                  local_o,
  output logic                                  first_o,
  output logic [Ports-1:0]                      mask_o,
  output logic [WordW-1:0]                      next_o,
  input  wire logic                             sent_i,
  /// the message is dropped; only with going_o, before its first flit
  input  wire logic                             drop_i
);
  typedef enum logic [1:0] {
    Empty,
    Routing,
    Going
  } state_e;

  localparam int unsigned Flits = muster_pkg::bsr_first_flits(WordW);
  localparam int unsigned LaterFlits = muster_pkg::bsr_later_flits(WordW);

  `MUSTER_RANGE(Ports, 3, 16)

  state_e state_q, state_d;
  logic [1:0] gone_q;
  logic first_q, local_q, last;  // last: the next flit is the last
  logic [Ports-1:0] port_q, ways;  // its node's port, and while going the mask
  logic [Flits*WordW-1:0] bits_q;  // less those gone

  assign first_o = first_q;
  assign empty_o = state_q == Empty;
  assign going_o = state_q == Going;
  assign local_o = local_q;
  assign ways = local_q ? port_q : mask_i;
  assign mask_o = port_q & ~closed_i;
  assign unroutable_o = state_q == Routing && (ways & ~closed_i) == '0;
  assign last = gone_q == (first_o ? 2'(Flits - 1) : 2'(LaterFlits - 1));
  assign next_o = bits_q[WordW-1:0];

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Empty: if (load_i) state_d = Routing;
      Routing: begin
        if (unroutable_o) state_d = Empty;
        else state_d = Going;
      end
      Going: if ((sent_i && last) || drop_i) state_d = Empty;
      default: state_d = Empty;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Empty;
      gone_q <= '0;
    end else begin
      state_q <= state_d;
      if (sent_i) gone_q <= last ? '0 : gone_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      first_q <= message_i.kind == muster_pkg::BsrFirst;
      local_q <= port_i != '0;
    end
    if (load_i || state_q == Routing) port_q <= load_i ? port_i : ways;
    if (load_i || sent_i) bits_q <= load_i ? (Flits*WordW)'(message_i) : bits_q >> WordW;
  end

  `MUSTER_ASSERT(LoadedWhenEmpty_A, !load_i || empty_o)
  `MUSTER_ASSERT(SentWhenGoing_A, !(sent_i || drop_i) || going_o)
  `MUSTER_ASSERT(OneNode_A, !load_i || (port_i & (port_i - 1'b1)) == '0)

endmodule

`default_nettype wire
