// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// Combines the synchronization data of the ports that arrive at a barrier, for one barrier register
// (BTIN section 3.2: the merging of reduction messages).
//
// op_i: bits 1..0 are 0 OR, 1 XOR, 2 MAX, 3 SUM that stays at all ones; with bit 2 data are
// complemented on the way in and the result on the way out, so that 4 is AND and 6 is MIN. Data are
// unsigned numbers.
//
// OR and AND take the data of all ports in the cycle in which they come, and cost no cycle. The
// others are folded one port a cycle: the data of arrivals_i in cycle t stand in a latch of their
// port from t + 1 on, and in every cycle in which some wait (folding_o) those of the lowest port
// are combined at the edge. last_o: they are the only ones. So n ports whose data came in t are
// folded in t + 1 .. t + n, and up_o is complete in t + n + 1. No message waits for that.
// The operations are associative and commutative, so ports need no order.
//
// A port arrives again only after clear_i or restart_i. Data that come down the tree take the way
// of those that go up, and pass.
module data_fold #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// bits of synchronization data, 2 to 74
  parameter int unsigned DataW = 6
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  input  wire logic [2:0]                    op_i,
  /// data of these ports have come: they arrive, or one passes to passed_o and the result is taken
  input  wire logic [Ports-1:0]              come_i,
  input  wire logic [Ports-1:0]              arrivals_i,
  input  wire logic [Ports-1:0][DataW-1:0]   data_i,
  output logic [DataW-1:0]                   passed_o,
  /// the result is taken: begin anew; none waits then but the last
  input  wire logic                          restart_i,
  /// forget all, whatever comes in this cycle
  input  wire logic                          clear_i,

  /// what is combined so far, and what it will be after this cycle if it is not cleared
  output logic [DataW-1:0]                   up_o,
  output logic [DataW-1:0]                   up_next_o,
  /// data of these ports wait; of one port alone
  output logic [Ports-1:0]                   folding_o,
  output logic                               last_o
);
  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("data_fold: Ports must be 3 to 16");
  end
  if (DataW < 2 || DataW > 74) begin : gen_bad_data
    $error("data_fold: DataW must be 2 to 74");
  end

  localparam logic [1:0] Or = 2'd0, Xor = 2'd1, Max = 2'd2;

  logic [DataW-1:0] up_q, up_d, flip, come, operand, folded;
  logic [Ports-1:0] waiting_q, waiting_d, above, first;
  logic [Ports-1:0][DataW-1:0] latch_q;
  logic at_once;

  assign flip = {DataW{op_i[2]}};
  assign at_once = op_i[1:0] == Or;

  // Few cycles have an arrival or data that wait: conditions save a simulator the work.
  always_comb begin
    come = '0;
    if (`MUSTER_FEW(come_i != '0)) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (come_i[p]) come = come | (data_i[p] ^ flip);
      end
    end
  end

  above_lowest #(
    .N(Ports)
  ) lowest (
    .bits_i(waiting_q),
    .above_o(above)
  );
  assign first = waiting_q & ~above;
  always_comb begin
    operand = '0;
    if (`MUSTER_FEW(waiting_q != '0)) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (first[p]) operand = operand | latch_q[p];
      end
    end
  end

  logic [DataW:0] sum;
  assign sum = {1'b0, up_q} + {1'b0, operand};
  always_comb begin
    unique case (op_i[1:0])
      Or: folded = up_q | operand;
      Xor: folded = up_q ^ operand;
      Max: folded = (operand > up_q) ? operand : up_q;
      default: folded = sum[DataW] ? '1 : sum[DataW-1:0];
    endcase
  end

  assign up_d = at_once ? up_q | come : folded;
  assign waiting_d = (waiting_q & ~first) | (at_once ? '0 : arrivals_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_q <= '0;
      waiting_q <= '0;
    end else if (`MUSTER_FEW(clear_i || come_i != '0 || waiting_q != '0)) begin
      // By gates, for it is known late: a branch would become a reset on a net of its own.
      up_q <= up_d & {DataW{!clear_i && !restart_i}};
      waiting_q <= waiting_d & {Ports{!clear_i}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (`MUSTER_FEW(arrivals_i != '0) && !at_once) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (arrivals_i[p]) latch_q[p] <= data_i[p] ^ flip;
      end
    end
  end

  assign up_o = up_q ^ flip;
  assign up_next_o = up_d ^ flip;
  assign passed_o = come ^ flip;
  assign folding_o = waiting_q;
  assign last_o = (waiting_q != '0) && (waiting_q == first);

  `MUSTER_ASSERT(ArrivesOnce_A, (arrivals_i & waiting_q) == '0)
  `MUSTER_ASSERT(OrNeverWaits_A, !at_once || waiting_q == '0)
  `MUSTER_ASSERT(OnePasses_A, come_i == arrivals_i ||
                              (arrivals_i == '0 && (come_i & (come_i - 1'b1)) == '0 && restart_i))
  `MUSTER_ASSERT(RestartLeavesNone_A, !restart_i || clear_i || waiting_d == '0)

endmodule

`default_nettype wire
