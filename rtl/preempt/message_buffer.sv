// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The message buffer of one input port: the three flits of a barrier message on their way through a
// preempting switch. docs/systems/preempting-switches.md, "Intake".
//
//   filling   0 to 2 flits are there, the last is not; filling_o, and push_i brings the next
//   complete  from the cycle after the last flit came on; the unit takes it with take_i
//   going     it waits for an output, or one serves it: next_o is the flit that goes next, and
//             sent_i takes it; with the last one the buffer is empty again
//
// With take_i and consume_i the buffer is empty in the next cycle; with change_i a first message
// goes on with another tag, mark and new node.
module message_buffer (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  /// takes a flit; the next flit begins a message (always so if it takes none)
  output logic                                      filling_o,
  output logic                                      begins_o,
  /// a flit of a message; only with filling_o
  input  wire logic                                 push_i,
  input  wire logic [muster_pkg::BsrFlitW-1:0]      flit_i,

  /// complete: the unit may take it; the message, while complete or going
  output logic                                      complete_o,
  output muster_pkg::bsr_message_t                  message_o,
  /// the unit takes it; only with complete_o
  input  wire logic                                 take_i,
  input  wire logic                                 consume_i,
  input  wire logic                                 change_i,
  input  wire logic [1:0]                           bnt_i,
  input  wire logic                                 refused_i,
  input  wire logic [muster_pkg::DestW-1:0]         new_node_i,

  /// going: its next flit, whether that is the last, and it is sent; only with going_o
  output logic                                      going_o,
  output logic [muster_pkg::BsrFlitW-1:0]           next_o,
  output logic                                      last_o,
  input  wire logic                                 sent_i,

  /// filling, with 0 flits
  output logic                                      empty_o
);
  typedef enum logic [1:0] {
    Filling,
    Complete,
    Going
  } state_e;

  localparam int unsigned FlitW = muster_pkg::BsrFlitW;

  state_e state_q, state_d;
  logic [1:0] count_q, count_d;  // flits there while filling, flits gone while going
  logic [muster_pkg::BsrFlits*FlitW-1:0] flits_q;
  muster_pkg::bsr_message_t message;
  logic [1:0] last;  // number of the last flit

  assign message = flits_q;
  assign message_o = message;
  assign last = (message.kind == muster_pkg::BsrFirst) ? 2'd2 : 2'd1;
  assign filling_o = state_q == Filling;
  assign begins_o = !filling_o || count_q == '0;
  assign complete_o = state_q == Complete;
  assign going_o = state_q == Going;
  assign empty_o = filling_o && count_q == '0;
  assign last_o = count_q == last;
  assign next_o = flits_q[count_q*FlitW+:FlitW];

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    unique case (state_q)
      Filling: begin
        if (push_i) begin
          count_d = count_q + 1'b1;
          if (count_q != '0 && last_o) begin
            state_d = Complete;
            count_d = '0;
          end
        end
      end
      Complete: if (take_i) state_d = consume_i ? Filling : Going;
      Going: begin
        if (sent_i) begin
          count_d = count_q + 1'b1;
          if (last_o) begin
            state_d = Filling;
            count_d = '0;
          end
        end
      end
      default: state_d = Filling;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Filling;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= count_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) flits_q[count_q*FlitW+:FlitW] <= flit_i;
    else if (take_i && change_i) begin
      flits_q[2*FlitW+:FlitW] <= {bnt_i, refused_i, 2'b00, new_node_i};
    end
  end

  `MUSTER_ASSERT(PushHasRoom_A, !push_i || filling_o)
  `MUSTER_ASSERT(TakenWhenComplete_A, !take_i || complete_o)
  `MUSTER_ASSERT(SentWhenGoing_A, !sent_i || going_o)
  `MUSTER_ASSERT(CountInMessage_A, count_q == '0 || count_q <= last)
  `MUSTER_ASSERT(NoControlHere_A, empty_o || message.kind != muster_pkg::BsrControl)

endmodule

`default_nettype wire
