// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The state of one group in a switch whose unit takes one message a cycle
// (docs/systems/many-groups.md).
//
// It has the same fields and states as muster_barrier_register, but decides nothing.
// muster_serial_unit reads the register of the message's group, decides, and gives its decision to
// all registers; the matching one (match_o) applies it at the edge. Requests and outputs are those
// of muster_barrier_register.
//
// Data are used only where they have been written: up_data_o while some child has arrived,
// down_data_o while one is to be served.
module muster_serial_register #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// write the control word, the child mask; see muster_barrier_register. Either clears all state
  input  wire logic               control_write_i,
  input  wire logic               valid_i,
  input  wire logic               turn_i,
  input  wire logic               claimed_i,
  input  wire logic [2:0]         op_i,
  input  wire logic [ParentW-1:0] parent_i,
  input  wire logic [GidW-1:0]    gid_i,
  input  wire logic               children_write_i,
  input  wire logic [Ports-1:0]   children_i,

  /// group of the message of this cycle, if there is one; it is this register's
  input  wire logic [GidW-1:0]    msg_gid_i,
  output logic                    match_o,
  /// for the register that matches: this child arrives, one-hot or none
  input  wire logic [Ports-1:0]   arrives_i,
  /// all have arrived then, and the parent is to be asked; one-hot or none
  input  wire logic [Ports-1:0]   asks_i,
  /// the barrier is over: the children are to be served
  input  wire logic               releases_i,
  /// the data of those that have arrived, with this one; the data of the release
  input  wire logic [DataW-1:0]   up_data_i,
  input  wire logic [DataW-1:0]   down_data_i,

  /// a message waits for port p; it leaves in this cycle, only where request_o[p]
  output logic [Ports-1:0]        request_o,
  input  wire logic [Ports-1:0]   leaves_i,

  /// for the unit and the host
  output logic                    valid_o,
  output logic                    turn_o,
  output logic                    claimed_o,
  output logic                    sent_o,
  output logic [2:0]              op_o,
  output logic [ParentW-1:0]      parent_o,
  output logic [GidW-1:0]         gid_o,
  output logic [Ports-1:0]        children_o,
  output logic [Ports-1:0]        arrived_o,
  output logic [Ports-1:0]        serve_o,
  output logic [DataW-1:0]        up_data_o,
  output logic [DataW-1:0]        down_data_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(DataW, 2, 74)

  logic valid_q, turn_q, claimed_q, sent_q;
  logic [2:0] op_q;
  logic [ParentW-1:0] parent_q;
  logic [GidW-1:0] gid_q;
  logic [Ports-1:0] children_q, arrived_q, serve_q, asks_q;
  logic [DataW-1:0] up_q, down_q;
  logic clears;

  assign match_o = valid_q && (gid_q == msg_gid_i);
  assign clears = match_o && releases_i;
  assign request_o = serve_q | asks_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      turn_q <= 1'b0;
      claimed_q <= 1'b0;
      op_q <= '0;
      parent_q <= '0;
      gid_q <= '0;
      children_q <= '0;
    end else begin
      if (children_write_i) children_q <= children_i;
      if (control_write_i) begin
        valid_q <= valid_i;
        turn_q <= turn_i;
        claimed_q <= claimed_i;
        op_q <= op_i;
        parent_q <= parent_i;
        gid_q <= gid_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_write_i || children_write_i) begin
      sent_q <= 1'b0;
      asks_q <= '0;
      arrived_q <= '0;
      serve_q <= '0;
    end else begin
      sent_q <= (sent_q || (leaves_i & asks_q) != '0) && !clears;
      asks_q <= (asks_q & ~leaves_i) | (match_o ? asks_i : '0);
      arrived_q <= (arrived_q | (match_o ? arrives_i : '0)) & ~{Ports{clears}};
      serve_q <= clears ? children_q : serve_q & ~leaves_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (match_o && arrives_i != '0) up_q <= up_data_i;
    if (clears) down_q <= down_data_i;
  end

  assign valid_o = valid_q;
  assign turn_o = turn_q;
  assign claimed_o = claimed_q;
  assign sent_o = sent_q;
  assign op_o = op_q;
  assign parent_o = parent_q;
  assign gid_o = gid_q;
  assign children_o = children_q;
  assign arrived_o = arrived_q;
  assign serve_o = serve_q;
  assign up_data_o = up_q;
  assign down_data_o = down_q;

  logic full;
  assign full = valid_q && (children_q != '0) && (arrived_q == children_q);
  `MUSTER_ASSERT(AsksWhileFull_A, asks_q == '0 || (full && !sent_q))
  `MUSTER_ASSERT(SentIsFull_A, !sent_q || full)
  `MUSTER_ASSERT(AllServedBeforeFull_A, !full || serve_q == '0)
  `MUSTER_ASSERT(OneDownwardSlot_A, !clears || (serve_q == '0 && asks_q == '0))
  `MUSTER_ASSERT(ArrivedIsChild_A, (arrived_q & ~children_q) == '0)
  `MUSTER_ASSERT(ServedHasNotArrived_A, (arrived_q & serve_q) == '0)
  `MUSTER_ASSERT(LeavesOnRequest_A, (leaves_i & ~request_o) == '0)

endmodule

`default_nettype wire
