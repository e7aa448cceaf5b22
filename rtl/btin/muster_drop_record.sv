// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The record of the messages that a switch has dropped since the host last cleared it: their
// number, and the first of them.
//
// An event of port p in cycle t is counted at the edge of t + 1; events of several ports count one
// each; the count saturates at 255. If the count was 0, the lowest of these ports and its info_i in
// t are kept until clear_i. A clear at that edge wins: the event is not recorded.
//
// Events are timing-critical, so they are evaluated in the next cycle. pending_o: there are some.
// With Late they and info_i come from flip-flops, and are those of the cycle before.
module muster_drop_record #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// bits of what is kept of the first event, 1 to 32
  parameter int unsigned InfoW = 8,
  /// event_i and info_i are of the cycle before, and come_i of no concern; 0 to 1
  parameter int unsigned Late = 0
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  input  wire logic [Ports-1:0]             event_i,
  /// an event of port p is possible in this cycle; what is kept of it
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [Ports-1:0]             come_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [Ports-1:0][InfoW-1:0]  info_i,
  input  wire logic                         clear_i,

  /// how many events; of the first one, 0 while there is none
  output logic [7:0]                        count_o,
  output logic [5:0]                        port_o,
  output logic [InfoW-1:0]                  info_o,

  output logic                              pending_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(InfoW, 1, 32)
  `MUSTER_RANGE(Late, 0, 1)

  logic [Ports-1:0] event_q, above, first;
  logic [Ports-1:0][InfoW-1:0] info_q;
  logic [7:0] count_q;
  localparam int unsigned PortW = $clog2(Ports);
  logic [PortW-1:0] port_q, port;
  logic [InfoW-1:0] first_info_q, info;
  logic [8:0] sum;

  muster_above_lowest #(.N(Ports)) lowest (
    .bits_i(event_q),
    .above_o(above)
  );
  assign first = event_q & ~above;

  // A simulator skips this in the cycles without an event, which are most.
  always_comb begin
    port = '0;
    info = '0;
    if (event_q != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (first[p]) begin
          port = port | PortW'(p);
          info = info | info_q[p];
        end
      end
    end
  end
  assign sum = {1'b0, count_q} + 9'($unsigned($countones(event_q)));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_q <= '0;
      port_q <= '0;
      first_info_q <= '0;
    end else begin
      count_q <= sum[8] ? '1 : sum[7:0];
      if (count_q == '0 && event_q != '0) begin
        port_q <= port;
        first_info_q <= info;
      end
    end
  end

  if (Late == 1) begin : gen_late
    assign event_q = event_i;
    assign info_q = info_i;
  end else begin : gen_kept
    always_ff @(posedge clk_i) begin
      if (!rst_ni) event_q <= '0;
      else event_q <= event_i;
      for (int unsigned p = 0; p < Ports; p++) begin
        if (come_i[p]) info_q[p] <= info_i[p];
      end
    end
  end

  assign count_o = count_q;
  assign port_o = 6'(port_q);
  assign info_o = first_info_q;
  assign pending_o = event_q != '0;

  `MUSTER_ASSERT(EventHasCome_A, Late == 1 || (event_i & ~come_i) == '0)
  `MUSTER_ASSERT(NoneOfNothing_A, count_q != '0 || (port_q == '0 && first_info_q == '0))

endmodule

`default_nettype wire
