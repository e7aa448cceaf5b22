// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The worm that owns the worm channel of one output, and its next flit.
// docs/systems/baselines.md, "Worm buffers", 3 to 5.
//
// at_i[i]: input i has a flit for this output. While an input owns the channel only it may go.
// Otherwise it is the first that requests and may begin (begin_i) at or after a pointer, which is 0
// after reset. able_o: one may go and has a credit, so the allocator gives the port to no data.
// go_o: it goes in this cycle, because no data flit traverses to the port. The first flit of a worm
// goes out as a head, a cut mark (cut_i) with its kind; one that is not the tail makes its input
// the owner. The tail ends the ownership and moves the pointer past the input.
module muster_worm_output #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// by input: a flit for this output, a tail, a cut mark, its payload
  input  wire logic [Ports-1:0]              at_i,
  input  wire logic [Ports-1:0]              tail_i,
  input  wire logic [Ports-1:0]              cut_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   payload_i,
  /// it may take the channel, if it is free
  input  wire logic [Ports-1:0]              begin_i,
  /// the worm channel has a credit
  input  wire logic                          credit_i,
  /// the crossbar has a data flit for this output
  input  wire logic                          busy_i,

  output logic                               able_o,
  output logic                               go_o,
  /// the input whose flit goes, one-hot or zero
  output logic [Ports-1:0]                   sent_o,
  output logic [KindW-1:0]                   kind_o,
  output logic [FlitW-1:0]                   payload_o
);
  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(FlitW, 16, 80)

  logic [Ports-1:0] owner_q, request, grant;  // the owner: one-hot or zero
  logic tail;

  assign request = (owner_q != '0) ? (at_i & owner_q) : (at_i & begin_i);
  assign able_o = (request != '0) && credit_i;
  assign go_o = able_o && !busy_i;
  assign sent_o = go_o ? grant : '0;
  assign tail = (grant & tail_i) != '0;

  muster_rr_arbiter #(.N(Ports)) turn (
    .clk_i, .rst_ni,
    .req_i(request),
    .take_i(go_o && tail),
    .grant_o(grant)
  );

  always_comb begin
    kind_o = '0;
    kind_o[muster_pkg::KindTail] = tail;
    kind_o[muster_pkg::KindHead] = owner_q == '0 || (grant & cut_i) != '0;
    payload_o = '0;
    if (go_o) begin
      for (int unsigned i = 0; i < Ports; i++) begin
        if (grant[i]) payload_o = payload_o | payload_i[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) owner_q <= '0;
    else if (go_o) owner_q <= tail ? '0 : grant;
  end

  `MUSTER_ASSERT(OneOwner_A, (owner_q & (owner_q - 1'b1)) == '0)
  `MUSTER_ASSERT(OwnerAloneGoes_A, !go_o || owner_q == '0 || sent_o == owner_q)
  `MUSTER_ASSERT(SentWasThere_A, (sent_o & ~at_i) == '0)

endmodule

`default_nettype wire
