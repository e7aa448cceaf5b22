// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The session of a link end: handshake, timer, and the reason why the link is down
// (docs/systems/retry-link.md, State, What is received).
//
// Wait: frames of an earlier session on the wires are ignored. Start: init frames until the other
// end has heard one and has been heard. Up: flits go. Down: the host restarts it.
//
// greets_o: an init frame is sent in this cycle, before all else. ask_o and echo_o are its fields.
module muster_link_session #(
  /// cycles without progress before all is sent again, 4 to 255
  parameter int unsigned Timeout = 16,
  /// times in a row that this may bring nothing, 1 to 15
  parameter int unsigned Retries = 8
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  /// a good frame: init, not init; its fields
  input  wire logic        init_i,
  input  wire logic        other_i,
  input  wire logic        ask_i,
  input  wire logic        echo_i,

  /// the end waits to be confirmed; something was
  input  wire logic        waits_i,
  input  wire logic        progress_i,
  /// the other end wants all again at once
  input  wire logic        nack_i,
  /// time is over: send again
  output logic             again_o,

  /// a flit has no place in the buffer
  input  wire logic        overflow_i,
  /// of the host
  input  wire logic        kill_i,
  input  wire logic        restart_i,
  /// nothing is left of the session that has ended
  input  wire logic        drained_i,
  /// all begins anew
  output logic             clear_o,

  output logic             greets_o,
  output logic             ask_o,
  output logic             echo_o,

  output logic             waiting_o,
  output logic             up_o,
  /// up from the next cycle on, because both ends have heard each other
  output logic             rises_o,
  output logic             down_o,
  output logic             restarts_o,
  output logic [1:0]       state_o,
  output logic [2:0]       reason_o
);
  `MUSTER_RANGE(Timeout, 4, 255)
  `MUSTER_RANGE(Retries, 1, 15)

  localparam logic [1:0] Wait = 2'd0;
  localparam logic [1:0] Start = 2'd1;
  localparam logic [1:0] Up = 2'd2;
  localparam logic [1:0] Down = 2'd3;
  localparam logic [2:0] Silent = 3'd1;
  localparam logic [2:0] Peer = 3'd2;
  localparam logic [2:0] Overflow = 3'd3;
  localparam logic [2:0] Killed = 3'd4;

  localparam int unsigned TimerW = $clog2(Timeout);
  localparam int unsigned TriesW = $clog2(Retries + 1);
  localparam logic [TimerW-1:0] Last = TimerW'(Timeout - 1);

  logic [1:0] state_q, state_d;
  logic [2:0] reason_q, reason_d;
  logic [TimerW-1:0] timer_q, timer_d;
  logic [TriesW-1:0] tries_q, tries_d;
  logic heard_q, heard_d, greets_q, greets_d, restart_q;
  logic over, silent, forgotten;

  assign waiting_o = state_q == Wait;
  assign up_o = state_q == Up;
  assign down_o = state_q == Down;
  assign rises_o = (state_q == Start) && init_i && echo_i;
  assign state_o = state_q;
  assign reason_o = reason_q;
  assign restarts_o = restart_q;
  assign greets_o = greets_q;
  assign ask_o = state_q == Start;
  assign echo_o = heard_q && !down_o;
  assign clear_o = down_o && restart_q && drained_i;

  assign over = (timer_q == Last) && (!up_o || (waits_i && !progress_i && !nack_i));
  assign silent = up_o && over && (tries_q == TriesW'(Retries));
  assign again_o = up_o && over && !silent;
  assign forgotten = up_o && init_i && !echo_i;

  always_comb begin
    state_d = state_q;
    reason_d = reason_q;
    timer_d = over ? '0 : timer_q + 1'b1;
    tries_d = tries_q;
    heard_d = heard_q;
    greets_d = 1'b0;
    case (state_q)
      Wait: begin
        if (over) begin
          state_d = Start;
          greets_d = 1'b1;
        end
      end
      Start: begin
        greets_d = over || (init_i && ask_i);
        heard_d = heard_q || (init_i && (ask_i || echo_i));
        if (rises_o) begin
          state_d = Up;
          timer_d = '0;
        end
      end
      Up: begin
        greets_d = init_i && ask_i && echo_i;
        if (progress_i || nack_i) timer_d = '0;
        else if (!waits_i) timer_d = timer_q;  // 0
        if (progress_i) tries_d = '0;
        else if (again_o) tries_d = tries_q + 1'b1;
      end
      default: begin
        greets_d = other_i && ask_i;
        timer_d = timer_q;
      end
    endcase
    if (!down_o && (kill_i || overflow_i || forgotten || silent)) begin
      state_d = Down;
      greets_d = 1'b1;
      reason_d = kill_i ? Killed : overflow_i ? Overflow : forgotten ? Peer : Silent;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_o) begin
      state_q <= Wait;
      reason_q <= '0;
      timer_q <= '0;
      tries_q <= '0;
      heard_q <= 1'b0;
      greets_q <= 1'b0;
      restart_q <= 1'b0;
    end else begin
      state_q <= state_d;
      reason_q <= reason_d;
      timer_q <= timer_d;
      tries_q <= tries_d;
      heard_q <= heard_d;
      greets_q <= greets_d;
      restart_q <= restart_q || (restart_i && down_o);
    end
  end

  `MUSTER_ASSERT(TriesInRange_A, {1'b0, tries_q} <= (TriesW + 1)'(Retries))
  `MUSTER_ASSERT(RestartsOnlyDown_A, !restart_q || down_o)
  `MUSTER_ASSERT(DownForAReason_A, down_o == (reason_q != '0))
  `MUSTER_ASSERT(NoTimeWithoutWait_A, !up_o || waits_i || timer_q == '0)
  `MUSTER_ASSERT(UpIsHeard_A, !up_o || heard_q)

endmodule

`default_nettype wire
