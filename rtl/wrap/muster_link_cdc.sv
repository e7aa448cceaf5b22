// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// One channel of a link between two clock domains: flits from domain a to domain b through an
// asynchronous queue with Gray pointers, credits back as counts in Gray code. Two of them, one for
// each channel, make a link in both directions. The clocks may have any ratio and phase, and drift.
//
// Between resets no flit is lost, duplicated or reordered. No flit waits for room: Slots has a
// place for each credit, Vcs x Depth and one of a pocket, as each flit in the queue holds one that
// is not back. Without a pocket barrier messages take no credit: Slots has a place for each of
// Groups, which has one message on the way. If a sender breaks this, flits are dropped and
// a_overflow_o is set until reset.
//
// Latency: a flit on the wires in domain a is on those of domain b after an edge of a and
// Stages + 2 edges of b, or one more; a credit on the wires in b likewise after an edge of b and
// Stages + 2 of a. Each clock takes or gives a flit a cycle, and a credit of each class.
//
// Resets. Each side has a reset of its own, synchronous to its clock, of any length from one edge
// on, and goes up when the other is there (docs/systems/wrappers.md). The blocks send nothing
// before x_up_o. After power-up both resets are low at once for an edge of each clock.
// A side that is reset later loses what was in the queue and on the way. The other side sees it, is
// broken, and passes nothing any more: x_broken_o stays until it is reset as well, with the block
// behind it, whose credits and packets are those of a link that no longer is. Then both are up
// again. Nothing of an older session is taken for one of the new, in whichever order, as often and
// as briefly as the two are reset.
module muster_link_cdc #(
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// places in each queue of the receiver, 1 to 16
  parameter int unsigned Depth = 4,
  /// credits that go back: Vcs, and one more for a link with pockets; 1 to 5. Requires
  /// Backs == Vcs || Backs == Vcs + 1
  parameter int unsigned Backs = 2,
  /// payload bits, 16 to 512
  parameter int unsigned FlitW = 16,
  /// barrier messages without a credit that may be under way: the groups that use the link, one
  /// each; of no effect with a pocket; 0 to 63
  parameter int unsigned Groups = 1,
  /// places of the queue, 4 to 64, a power of two. Requires Slots >= Vcs * Depth + Backs - Vcs and
  /// Backs > Vcs || Slots >= Vcs * Depth + Groups
  parameter int unsigned Slots = 16,
  /// flip-flops of a synchronizer, 2 to 3
  parameter int unsigned Stages = 2,
  localparam int unsigned VcW = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  /// domain a, of the sender: its flits, and credits to it
  input  wire logic              a_clk_i,
  input  wire logic              a_rst_ni,
  input  wire logic              a_rx_valid_i,
  input  wire logic [VcW-1:0]    a_rx_vc_i,
  input  wire logic [KindW-1:0]  a_rx_kind_i,
  input  wire logic [FlitW-1:0]  a_rx_payload_i,
  output logic [Backs-1:0]       a_rx_credit_o,
  /// the other side is there; it has been reset, so this side must be; a flit was dropped
  output logic                   a_up_o,
  output logic                   a_broken_o,
  output logic                   a_overflow_o,

  /// domain b, of the receiver: flits to it, and its credits
  input  wire logic              b_clk_i,
  input  wire logic              b_rst_ni,
  output logic                   b_tx_valid_o,
  output logic [VcW-1:0]         b_tx_vc_o,
  output logic [KindW-1:0]       b_tx_kind_o,
  output logic [FlitW-1:0]       b_tx_payload_o,
  input  wire logic [Backs-1:0]  b_tx_credit_i,
  output logic                   b_up_o,
  output logic                   b_broken_o
);
  localparam int unsigned WordW = VcW + KindW + FlitW;
  localparam int unsigned AddrW = $clog2(Slots);
  localparam int unsigned CountW = $clog2(Depth + 1);

  `MUSTER_RANGE(Vcs, 1, 4)
  `MUSTER_RANGE(Backs, 1, 5)
  `MUSTER_REFUSE(classes, Backs != Vcs && Backs != Vcs + 1, "Backs must be Vcs or Vcs + 1")
  `MUSTER_RANGE(Groups, 0, 63)
  `MUSTER_REFUSE(slots, Slots + Vcs < Vcs * Depth + Backs,
                 "Slots must be Vcs x Depth, and one more for a pocket")
  `MUSTER_REFUSE(messages, Backs == Vcs && Slots < Vcs * Depth + Groups,
                 "Slots must be at least Vcs x Depth + Groups, without a pocket")
  `MUSTER_RANGE(FlitW, 16, 512)
  `MUSTER_RANGE(Stages, 2, 3)

  // ---- Sessions ------------------------------------------------------------------------------
  logic [2:0] a_self, b_self, a_other, b_other;
  logic write, read;
  logic [AddrW-1:0] write_addr, read_addr;
  logic [AddrW:0] a_write_pointer, b_write_pointer, a_read_pointer, b_read_pointer;

  muster_cdc_sync #(.Width(2), .Stages(Stages), .Init(0)) a_alive (
    .clk_i(a_clk_i), .rst_ni(a_rst_ni), .bits_i(b_self[1:0]), .bits_o(a_other[1:0])
  );
  muster_cdc_sync #(.Width(1), .Stages(Stages), .Init(1)) a_answers (
    .clk_i(a_clk_i), .rst_ni(a_rst_ni), .bits_i(b_self[2]), .bits_o(a_other[2])
  );
  muster_cdc_session a_session (
    .clk_i(a_clk_i), .rst_ni(a_rst_ni), .other_i(a_other), .self_o(a_self),
    .up_o(a_up_o), .broken_o(a_broken_o)
  );
  muster_cdc_sync #(.Width(2), .Stages(Stages), .Init(0)) b_alive (
    .clk_i(b_clk_i), .rst_ni(b_rst_ni), .bits_i(a_self[1:0]), .bits_o(b_other[1:0])
  );
  muster_cdc_sync #(.Width(1), .Stages(Stages), .Init(1)) b_answers (
    .clk_i(b_clk_i), .rst_ni(b_rst_ni), .bits_i(a_self[2]), .bits_o(b_other[2])
  );
  muster_cdc_session b_session (
    .clk_i(b_clk_i), .rst_ni(b_rst_ni), .other_i(b_other), .self_o(b_self),
    .up_o(b_up_o), .broken_o(b_broken_o)
  );

  // ---- Flits. Pointers and counts have a stage more than `alive`: what a reset makes of them is
  // not seen before it is seen that there was one ---------------------------------------------
  muster_cdc_sync #(.Width(AddrW + 1), .Stages(Stages + 1)) a_pointer (
    .clk_i(a_clk_i), .rst_ni(a_rst_ni), .bits_i(b_read_pointer), .bits_o(a_read_pointer)
  );
  muster_cdc_sync #(.Width(AddrW + 1), .Stages(Stages + 1)) b_pointer (
    .clk_i(b_clk_i), .rst_ni(b_rst_ni), .bits_i(a_write_pointer), .bits_o(b_write_pointer)
  );
  muster_cdc_flits_in #(.Slots(Slots)) flits_in (
    .clk_i(a_clk_i), .rst_ni(a_rst_ni), .up_i(a_up_o), .broken_i(a_broken_o),
    .valid_i(a_rx_valid_i), .write_o(write), .addr_o(write_addr),
    .pointer_o(a_write_pointer), .read_pointer_i(a_read_pointer), .overflow_o(a_overflow_o)
  );
  muster_cdc_memory #(.Width(WordW), .Slots(Slots)) memory (
    .write_clk_i(a_clk_i), .write_i(write), .write_addr_i(write_addr),
    .word_i({a_rx_vc_i, a_rx_kind_i, a_rx_payload_i}),
    .read_clk_i(b_clk_i), .read_i(read), .read_addr_i(read_addr),
    .word_o({b_tx_vc_o, b_tx_kind_o, b_tx_payload_o})
  );
  muster_cdc_flits_out #(.Slots(Slots)) flits_out (
    .clk_i(b_clk_i), .rst_ni(b_rst_ni), .up_i(b_up_o),
    .read_o(read), .addr_o(read_addr), .valid_o(b_tx_valid_o),
    .pointer_o(b_read_pointer), .write_pointer_i(b_write_pointer)
  );

  // ---- Credits ------------------------------------------------------------------------------
  for (genvar c = 0; c < Backs; c++) begin : gen_class
    logic [CountW-1:0] b_count, a_count;
    muster_cdc_credits_in #(.Depth(Depth)) credits_in (
      .clk_i(b_clk_i), .rst_ni(b_rst_ni), .credit_i(b_tx_credit_i[c]), .count_o(b_count)
    );
    muster_cdc_sync #(.Width(CountW), .Stages(Stages + 1)) a_counts (
      .clk_i(a_clk_i), .rst_ni(a_rst_ni), .bits_i(b_count), .bits_o(a_count)
    );
    muster_cdc_credits_out #(.Depth(Depth)) credits_out (
      .clk_i(a_clk_i), .rst_ni(a_rst_ni), .up_i(a_up_o), .count_i(a_count),
      .credit_o(a_rx_credit_o[c])
    );
  end

endmodule

`default_nettype wire
