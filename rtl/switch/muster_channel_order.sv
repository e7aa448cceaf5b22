// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The order in which packets of several inputs get an output channel: the "next" of
// docs/systems/data-path.md. Without it the arbiters of allocation, which serve all virtual
// channels, could skip the same packet each time its channel becomes free.
//
// Queue i * Vcs + v waits for channel (p, v) while it requests p and does not own the channel. In
// every cycle in which (p, v) has no next, the first waiting queue at or after the channel's
// round-robin pointer is picked, and the pointer moves past it. From the next cycle on it is the
// next and the channel is kept for it, until its first flit is allocated. If that happens in the
// cycle of the pick, the channel has no next afterwards.
//
// Latency: next_o and kept_o follow the wait by one cycle, so they are available at the beginning
// of the allocation. All are 0 after reset.
module muster_channel_order #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 2 to 4: one alone is in turn already
  parameter int unsigned Vcs = 2
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  /// queue q has a data flit at its head and a route
  input  wire logic [Ports*Vcs-1:0]               request_i,
  /// its output port, one-hot
  input  wire logic [Ports*Vcs-1:0][Ports-1:0]    want_i,
  /// its packet owns the output channel already
  input  wire logic [Ports*Vcs-1:0]               owner_i,
  /// its head flit is allocated in this cycle
  input  wire logic [Ports*Vcs-1:0]               taken_i,

  /// queue q is the next of the channel it waits for
  output logic [Ports*Vcs-1:0]                    next_o,
  /// channel (p, v) has a next: kept_o[v][p]
  output logic [Vcs-1:0][Ports-1:0]               kept_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(Vcs, 2, 4)

  localparam int unsigned Queues = Ports * Vcs;

  logic [Queues-1:0] next_q, next_d;
  logic [Vcs-1:0][Ports-1:0] kept_q, kept_d;
  // By channel without a next: the inputs that wait, the one picked.
  // Bit (v * Ports + p) * Ports + i: channel v of output p, input i.
  logic [Vcs*Ports*Ports-1:0] waits, pick;
  logic [Queues*Ports-1:0] want;  // queue q, output p: q * Ports + p
  assign want = want_i;

  // Most queues are idle or have a next before them: conditions that change nothing save a
  // simulator the work.
  always_comb begin
    waits = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (request_i[i*Vcs+v] && !owner_i[i*Vcs+v] && (want_i[i*Vcs+v] & ~kept_q[v]) != '0) begin
          for (int unsigned p = 0; p < Ports; p++) begin
            waits[(v*Ports+p)*Ports+i] = want[(i*Vcs+v)*Ports+p];
          end
        end
      end
    end
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    for (genvar p = 0; p < Ports; p++) begin : gen_output
      muster_rr_arbiter #(.N(Ports)) turn (
        .clk_i, .rst_ni,
        .req_i(waits[(v*Ports+p)*Ports+:Ports]),
        .take_i(1'b1),
        .grant_o(pick[(v*Ports+p)*Ports+:Ports])
      );
    end
  end

  // A channel is released or given a next, never both: a channel that is kept has no input picked.
  always_comb begin
    next_d = next_q & ~taken_i;
    kept_d = kept_q;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (next_q[i*Vcs+v] && taken_i[i*Vcs+v]) kept_d[v] = kept_d[v] & ~want_i[i*Vcs+v];
      end
    end
    for (int unsigned v = 0; v < Vcs; v++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (pick[(v*Ports+p)*Ports+:Ports] != '0) begin
          for (int unsigned i = 0; i < Ports; i++) begin
            if (pick[(v*Ports+p)*Ports+i] && !taken_i[i*Vcs+v]) begin
              next_d[i*Vcs+v] = 1'b1;
              kept_d[v] = kept_d[v] | (Ports'(1'b1) << p);
            end
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q <= '0;
      kept_q <= '0;
    end else begin
      next_q <= next_d;
      kept_q <= kept_d;
    end
  end

  assign next_o = next_q;
  assign kept_o = kept_q;

  // By virtual channel: ports kept for the nexts, and those kept for two.
  logic [Vcs-1:0][Ports-1:0] named, named_twice;
  always_comb begin
    named = '0;
    named_twice = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (next_q[i*Vcs+v]) begin
          named_twice[v] = named_twice[v] | (named[v] & want_i[i*Vcs+v]);
          named[v] = named[v] | want_i[i*Vcs+v];
        end
      end
    end
  end
  `MUSTER_ASSERT(NextWaits_A, (next_q & ~(request_i & ~owner_i)) == '0)
  `MUSTER_ASSERT(KeptForOne_A, named == kept_q && named_twice == '0)

endmodule

`default_nettype wire
