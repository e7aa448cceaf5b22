// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// One output of a switch: the arbitration between data, barrier messages and answers, and the
// sending end of its link. docs/systems/barrier-switch.md, "Output: barrier against data", and
// docs/systems/groups.md for answers.
//
// A data flit that traverses the crossbar always goes out (busy_i), because its credit has been
// reserved. Otherwise a barrier message goes, which takes no credit; otherwise a flit of an answer
// with a credit on a channel without owner. Each goes in the cycle with barrier_go_o or
// answer_go_o. If a traversing flit delays one of these, a flip-flop closes the port in the next
// cycle: open_o is 0, so that no flit is allocated, and the delayed one goes at the latest in the
// cycle after that. So a message waits for at most two data flits, and is on no path to the
// allocation.
//
// With hold_i no virtual channel has a credit; barrier messages still go.
module muster_output_port #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  /// the crossbar has a flit for this output: kind and payload; its channel, one-hot
  input  wire logic                 busy_i,
  input  wire logic [KindW+FlitW-1:0] crossing_i,
  input  wire logic [Vcs-1:0]       crossing_vc_i,
  /// a data flit of virtual channel v is allocated to this output in this cycle
  input  wire logic [Vcs-1:0]       reserve_i,
  /// data of virtual channel v may be allocated
  output logic [Vcs-1:0]            open_o,

  /// the link is held by data without credit (register 0x007)
  input  wire logic                 hold_i,
  /// a barrier message that may leave through this output
  input  wire logic                 barrier_i,
  input  wire logic [FlitW-1:0]     barrier_payload_i,
  output logic                      barrier_go_o,

  /// a flit of an answer for this output, whose channel has no owner; channel one-hot, kind,
  /// payload
  input  wire logic                 answer_i,
  input  wire logic [Vcs-1:0]       answer_vc_i,
  input  wire logic [KindW-1:0]     answer_kind_i,
  input  wire logic [FlitW-1:0]     answer_payload_i,
  output logic                      answer_go_o,
  /// the port is closed to data in this cycle
  output logic                      waiting_o,

  /// link out; see muster_link_tx
  output logic                      tx_valid_o,
  output logic [VcW-1:0]            tx_vc_o,
  output logic [KindW-1:0]          tx_kind_o,
  output logic [FlitW-1:0]          tx_payload_o,
  input  wire logic [Vcs-1:0]       tx_credit_i
);
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("muster_output_port: Vcs must be 1 to 4");
  end
  if (FlitW < 16 || FlitW > 80) begin : gen_bad_flit
    $error("muster_output_port: FlitW must be 16 to 80");
  end

  localparam logic [KindW-1:0] SyncKind = KindW'(1 << muster_pkg::KindSync);

  logic [Vcs-1:0] has_one, usable;
  logic answer_able, waiting_q;

  // A credit on the wires counts already.
  always_comb begin
    usable = has_one | tx_credit_i;
    if (hold_i) usable = '0;
    open_o = usable;
    if (waiting_q) open_o = '0;
  end
  assign waiting_o = waiting_q;

  // Simulation-speed guard, functionally redundant: few cycles have either.
  always_comb begin
    answer_able = 1'b0;
    barrier_go_o = 1'b0;
    answer_go_o = 1'b0;
    if (`MUSTER_FEW(barrier_i || answer_i)) begin
      answer_able = answer_i && ((usable & answer_vc_i) != '0);
      barrier_go_o = barrier_i && !busy_i;
      answer_go_o = answer_able && !busy_i && !barrier_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_q <= 1'b0;
    else waiting_q <= busy_i && (barrier_i || answer_able) && !waiting_q;
  end

  function automatic logic [VcW-1:0] index(input logic [Vcs-1:0] one_hot);
    index = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (one_hot[v]) index = index | VcW'(v);
    end
  endfunction

  // Nothing here spends two credits of a channel at once.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Vcs-1:0] has_two;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [KindW+FlitW-1:0] flit;
  logic [Vcs-1:0] vc;
  always_comb begin
    // Where none goes it does not matter; a barrier message goes before an answer.
    vc = busy_i ? crossing_vc_i : barrier_i ? '0 : answer_vc_i;
    flit = '0;
    if (`MUSTER_FEW(busy_i || barrier_i || answer_i)) begin
      if (busy_i) flit = crossing_i;
      else if (barrier_i) flit = {SyncKind, barrier_payload_i};
      else flit = {answer_kind_i, answer_payload_i};
    end
  end

  muster_link_tx #(
    .Vcs(Vcs),
    .Depth(Depth),
    .FlitW(FlitW)
  ) tx (
    .clk_i,
    .rst_ni,
    .send_i(busy_i || barrier_go_o || answer_go_o),
    .vc_i(index(vc)),
    .kind_i(flit[FlitW+:KindW]),
    .payload_i(flit[FlitW-1:0]),
    .reserve_i,
    .express_i(barrier_go_o || answer_go_o),
    .express_vc_i(answer_go_o ? answer_vc_i : '0),
    .has_one_o(has_one),
    .has_many_o(has_two),
    .tx_valid_o,
    .tx_vc_o,
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i
  );

  `MUSTER_ASSERT(OneGoes_A, !(busy_i && barrier_go_o) && !((busy_i || barrier_go_o) && answer_go_o))
  `MUSTER_ASSERT(ReservedWasOpen_A, (reserve_i & ~open_o) == '0)

endmodule

`default_nettype wire
