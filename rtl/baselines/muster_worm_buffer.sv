// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The worm buffer of one input port: room for a whole worm, 66 flits, read by every output at its
// own pace. docs/systems/baselines.md, "Worm buffers".
//
// In cycle t, if fewer than 66 entries are held at its beginning, the flit offered is taken
// (push_o). A worm is open from its head on until its tail. A flit is an address flit if it is a
// head while none is open, or if its opcode field is 10, it is no tail, and the flit before it was
// an address flit of the open worm; then read_o asks the routing table in t, whose output is at
// route_i in t + 1. An address flit goes there, and opens it; any other goes to the outputs that
// address flits of its worm have opened. An address without an output goes nowhere and sets
// unrouted_o for cycle t + 1.
//
// A head inside a worm is headless: it is kept as a cut mark and ends the worm. Another flit, while
// no worm is open, is headless too, and goes nowhere. headless_o is set as they are taken. A cut
// mark is no head.
//
// From t + 1 on the entry is seen by a cursor for each output. at_o[p] says that the cursor of p
// stands at an entry that goes to p, which tail_o[p], cut_o[p] (a cut mark) and payload_o[p] show;
// it moves on with sent_i[p]. begin_o[p] says that a worm may begin there: its tail is held, or no
// tail of any is, so that it is the oldest. At an entry that does not go to p it moves on by
// itself, an entry a cycle. An entry that all cursors have passed is gone.
//
// Payloads are in a memory whose outputs are registers, read in the cycle before: a block RAM, of
// which the tool makes a copy for each cursor. Tails and who an entry goes to are read in the same
// cycle: LUT RAM where there is any, else flip-flops.
//
// Example: address flits for outputs 1 and 2, then two of payload, come in cycles 0 to 3. at_o[1]
// is set in 1, 3 and 4, at_o[2] in 2, 3 and 4, if each is sent at once.
module muster_worm_buffer #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// entries, 3 to 66: fewer than a whole worm for proofs alone, worms would wait for each other
  parameter int unsigned Entries = 66,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// a flit stands at the head of the queue; held until push_o
  input  wire logic                          head_data_i,
  input  wire logic [KindW-1:0]              head_kind_i,
  input  wire logic [FlitW-1:0]              head_payload_i,
  /// it is taken
  output logic                               push_o,

  /// read the table with the destination in that flit
  output logic                               read_o,
  /// the output read, one-hot or zero, valid from the cycle after read_o
  input  wire logic [Ports-1:0]              route_i,

  /// by output: its cursor stands at an entry that goes there; that is a tail, a cut mark; payload
  output logic [Ports-1:0]                   at_o,
  output logic [Ports-1:0]                   tail_o,
  output logic [Ports-1:0]                   cut_o,
  output logic [Ports-1:0][FlitW-1:0]        payload_o,
  /// the worm of that entry may take the output, if none has it
  output logic [Ports-1:0]                   begin_o,
  /// that entry has left by output p; only with at_o[p]
  input  wire logic [Ports-1:0]              sent_i,

  /// the address taken in the cycle before has no route; a headless flit is taken
  output logic                               unrouted_o,
  output logic                               headless_o,
  output logic                               empty_o
);
  localparam int unsigned PointerW = $clog2(Entries);
  localparam int unsigned CountW = $clog2(Entries + 1);
  localparam logic [PointerW-1:0] Last = PointerW'(Entries - 1);
  localparam int unsigned OpcodeW = muster_pkg::OpcodeW;

  `MUSTER_RANGE(Ports, 3, 16)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_RANGE(Entries, 3, 66)

  function automatic logic [PointerW-1:0] after(input logic [PointerW-1:0] pointer);
    after = (pointer == Last) ? '0 : pointer + 1'b1;
  endfunction

  // ---- What comes in --------------------------------------------------------------------------
  logic [Ports-1:0] left_none, left_all;  // entries that a cursor has not passed: none, all
  logic [Ports-1:0] has_tail;             // among them is a tail
  logic [PointerW-1:0] write_q, fresh_at_q;
  logic tail_in;         // a tail is taken
  logic fresh_q;         // an entry was written in the cycle before, at fresh_at_q
  logic open_q;          // a worm has begun, its tail has not come
  logic addresses_q;     // the last entry was an address flit
  logic fresh_tail_q;    // the last entry was a tail
  logic fresh_cut_q;     // it was a cut mark
  logic mark, head, cut, stray, tail, address;
  logic [Ports-1:0] opened_q, opened, outputs;  // outputs: of the fresh entry

  assign push_o = head_data_i && (left_all == '0);
  assign mark = muster_pkg::is_cut(head_kind_i,
                                   head_payload_i[muster_pkg::DestW+:muster_pkg::OpcodeW]);
  assign head = head_kind_i[muster_pkg::KindHead] && !mark;
  assign cut = head && open_q;
  assign stray = !head && !open_q;
  assign headless_o = push_o && (cut || stray);
  assign tail = (head_kind_i[muster_pkg::KindTail] && !stray) || cut;
  assign address = open_q ? !tail && addresses_q && head_payload_i[muster_pkg::DestW+:OpcodeW] ==
                                                    OpcodeW'(muster_pkg::OpcodeWorm)
                          : head;
  assign read_o = push_o && address;
  assign tail_in = push_o && tail;

  // Behind a tail nothing is open, for a stray flit as for the next head.
  assign outputs = addresses_q ? route_i : opened_q;
  assign opened = fresh_tail_q ? '0 : opened_q | outputs;
  assign unrouted_o = fresh_q && addresses_q && (route_i == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      fresh_q <= 1'b0;
      open_q <= 1'b0;
      addresses_q <= 1'b0;
      opened_q <= '0;
    end else begin
      fresh_q <= push_o;
      if (fresh_q) opened_q <= opened;
      if (push_o) begin
        write_q <= after(write_q);
        open_q <= (open_q || head) && !tail;
        addresses_q <= address;
      end
    end
  end

  // The outputs of an entry are known a cycle after its flit is taken; until then it is fresh.
  (* ram_style = "block" *) logic [FlitW-1:0] payloads [Entries];
  logic [Ports+1:0] marks [Entries];  // cut mark, tail, outputs
  logic [FlitW-1:0] payload, fresh_payload_q;
  assign payload = cut ? FlitW'(muster_pkg::CutWord) : head_payload_i;
  always_ff @(posedge clk_i) begin
    if (push_o) begin
      payloads[write_q] <= payload;
      fresh_payload_q <= payload;
      fresh_tail_q <= tail;
      fresh_cut_q <= cut || mark;
      fresh_at_q <= write_q;
    end
    if (fresh_q) marks[fresh_at_q] <= {fresh_cut_q, fresh_tail_q, outputs};
  end

  // ---- Cursors --------------------------------------------------------------------------------
  for (genvar p = 0; p < Ports; p++) begin : gen_cursor
    logic [PointerW-1:0] cursor_q, cursor_d;
    logic [CountW-1:0] left_q, tails_left_q;  // entries, tails that it has not passed
    logic [FlitW-1:0] payload_q;              // of the entry at the cursor, if it is not fresh
    // One bit of the outputs is this one's.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Ports+1:0] entry;
    /* verilator lint_on UNUSEDSIGNAL */
    logic held, fresh, moves, tail_out;

    assign held = left_q != '0;
    assign fresh = fresh_q && (left_q == CountW'(1));
    assign entry = fresh ? {fresh_cut_q, fresh_tail_q, outputs} : marks[cursor_q];
    assign at_o[p] = held && entry[p];
    assign tail_o[p] = held && entry[Ports];
    assign cut_o[p] = held && entry[Ports+1];
    assign payload_o[p] = fresh ? fresh_payload_q : payload_q;
    assign moves = held && (!at_o[p] || sent_i[p]);
    assign tail_out = moves && tail_o[p];
    assign cursor_d = moves ? after(cursor_q) : cursor_q;
    assign has_tail[p] = tails_left_q != '0;
    assign left_none[p] = !held;
    assign left_all[p] = left_q == CountW'(Entries);

    always_ff @(posedge clk_i) if (held) payload_q <= payloads[cursor_d];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        cursor_q <= '0;
        left_q <= '0;
        tails_left_q <= '0;
      end else begin
        cursor_q <= cursor_d;
        left_q <= left_q + CountW'(push_o) - CountW'(moves);
        tails_left_q <= tails_left_q + CountW'(tail_in) - CountW'(tail_out);
      end
    end
  end

  // If any cursor has not passed a tail, the worm that is coming in is not the oldest.
  assign begin_o = (has_tail == '0) ? '1 : has_tail;
  assign empty_o = (&left_none) && !fresh_q;

  `MUSTER_ASSERT(SentWasThere_A, (sent_i & ~at_o) == '0)
  `MUSTER_ASSERT(TailIsHeld_A, (has_tail & left_none) == '0)
  `MUSTER_ASSERT(FreshIsHeld_A, !fresh_q || left_none == '0)

endmodule

`default_nettype wire
