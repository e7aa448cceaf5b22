// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// What stands between a node of the board-level system and a preempting switch, on a link of one
// virtual channel (docs/systems/preempting-switches.md, Nodes): barrier messages of group 0 and a
// stream as packets.
//
// The arrival of arrives_i in t is a message of three flits in the first barrier, to the switch
// Center, and of two in the others, to the node's own switch. It waits for the end of a packet that
// has begun, so nothing is cut on this link, and for the credit of the barrier buffer; its first
// flit can be on the wires in t + 2. No packet begins while it waits. released_o is set in the
// cycle in which the last flit of a distribution message is on the wires.
//
// A packet is a head flit, then its beats, each with a credit. A flit is on the wires in the cycle
// after that in which it is sent. What comes in is taken at once, and its credit is on the wires in
// the next cycle.
module muster_board_bsr_node #(
  /// address of the node, 0 to 2047
  parameter int unsigned Self = 0,
  /// address of its switch, 0 to 2047
  parameter int unsigned Home = 4,
  /// address of the switch of the group's center, 0 to 2047
  parameter int unsigned Center = 4,
  /// places in each queue of its switch, 1 to 16
  parameter int unsigned Depth = 2,
  localparam int unsigned FlitW = 16,
  localparam int unsigned KindW = muster_pkg::KindW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              arrives_i,
  output logic                   released_o,

  input  wire logic              tvalid_i,
  output logic                   tready_o,
  input  wire logic [1:0]        tdest_i,
  input  wire logic [FlitW-1:0]  tdata_i,
  input  wire logic              tlast_i,

  /// to the switch; bit 1 of credits is that of the barrier buffer
  output logic                   tx_valid_o,
  output logic [KindW-1:0]       tx_kind_o,
  output logic [FlitW-1:0]       tx_payload_o,
  input  wire logic [1:0]        tx_credit_i,

  /// from the switch
  input  wire logic              rx_valid_i,
  input  wire logic [KindW-1:0]  rx_kind_i,
  output logic [1:0]             rx_credit_o
);
  `MUSTER_RANGE(Self, 0, 2047)
  `MUSTER_RANGE(Home, 0, 2047)
  `MUSTER_RANGE(Center, 0, 2047)

  logic later_q;  // the first barrier is over
  logic waits_q, inside_q, room_q;  // a message waits; a packet has begun; the buffer's credit
  logic [1:0] at_q;  // flits of the message that have gone
  logic sends_sync, last_sync, sends_data, begins, has_one;
  assign sends_sync = waits_q && (at_q != '0 || (room_q && !inside_q));
  assign last_sync = sends_sync && at_q == (later_q ? 2'd1 : 2'd2);
  assign begins = tvalid_i && !inside_q && !waits_q && has_one;
  assign tready_o = inside_q && has_one;
  assign sends_data = begins || (tvalid_i && tready_o);

  muster_pkg::bsr_message_t message;
  logic [muster_pkg::BsrFlits*FlitW-1:0] flits;
  always_comb begin
    message = '0;
    message.kind = later_q ? muster_pkg::BsrReduction : muster_pkg::BsrFirst;
    {message.source_high, message.source_low} = later_q ? 11'(Self) : 11'(Home);
    message.dest = later_q ? 11'(Home) : 11'(Center);
    message.new_node = later_q ? '0 : 11'(Home);
  end
  assign flits = message;

  logic [KindW-1:0] kind;
  logic [FlitW-1:0] payload;
  always_comb begin
    if (sends_sync) begin
      kind = (at_q == '0) ? muster_pkg::KindFirst : muster_pkg::KindMessage;
      payload = flits[32'(at_q)*FlitW+:FlitW];
    end else if (!inside_q) begin
      kind = KindW'(1 << muster_pkg::KindHead);
      payload = FlitW'(tdest_i);
    end else begin
      kind = KindW'(tlast_i) << muster_pkg::KindTail;
      payload = tdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      later_q <= 1'b0;
      waits_q <= 1'b0;
      at_q <= '0;
      inside_q <= 1'b0;
      room_q <= 1'b1;
      rx_credit_o <= '0;
    end else begin
      later_q <= later_q || last_sync;
      waits_q <= arrives_i || (waits_q && !last_sync);
      if (sends_sync) at_q <= last_sync ? '0 : at_q + 1'b1;
      if (sends_data) inside_q <= begins || !tlast_i;
      room_q <= tx_credit_i[1] || (room_q && !sends_sync);
      rx_credit_o[0] <= rx_valid_i && (!rx_kind_i[muster_pkg::KindSync] ||
                                       rx_kind_i == muster_pkg::KindPad);
      rx_credit_o[1] <= released_o;
    end
  end
  assign released_o = rx_valid_i && rx_kind_i == muster_pkg::KindMessage;

  // One virtual channel, and no flit that is reserved before it is sent.
  /* verilator lint_off UNUSEDSIGNAL */
  logic has_two, vc;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_link_tx #(.Vcs(1), .Depth(Depth), .FlitW(FlitW)) link (
    .clk_i, .rst_ni,
    .send_i(sends_sync || sends_data),
    .vc_i(1'b0),
    .kind_i(kind),
    .payload_i(payload),
    .reserve_i(1'b0),
    .express_i(sends_sync || sends_data),
    .express_vc_i(sends_data),
    .has_one_o(has_one),
    .has_many_o(has_two),
    .tx_valid_o,
    .tx_vc_o(vc),
    .tx_kind_o,
    .tx_payload_o,
    .tx_credit_i(tx_credit_i[0])
  );

  `MUSTER_ASSERT(OneFlit_A, !(sends_sync && sends_data))
  `MUSTER_ASSERT(OneArrival_A, !(arrives_i && waits_q))

endmodule

`default_nettype wire
