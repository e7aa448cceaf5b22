// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// register_agent under any packets of any shape at any time, any host, any delay of the answer.
//
//   - isolation: while port `outside` has no permit, nothing that comes in there is ever written,
//     whatever other ports do: a write comes only out of a packet that came in at another port
//   - a write is done only over the word that the request expects, read since the host was there
//   - every request that was accepted and formed well has one answer of five flits, or is stranded;
//     nothing else is ever sent
//
// Packets of a queue are contiguous: the flit after a tail is a first one and no other is.
module register_agent_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Regs = 1,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned WordW = muster_pkg::AgentWordW
) (
  input  wire logic                          clk_i,
  input  wire logic [Queues-1:0]             taken_i,
  input  wire logic [Queues-1:0]             tail_i,
  input  wire logic [Queues-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]              permit_i,
  input  wire logic                          host_i,
  input  wire logic [31:0]                   word_i,
  input  wire logic [Ports-1:0]              route_mask_i,
  input  wire logic                          leaves_i,
  input  wire logic [Ports-1:0]              outside_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // ---- Contiguous packets -------------------------------------------------------------------
  logic [Queues-1:0] open_q, first;  // a packet has begun and its tail has not come
  assign first = taken_i & ~open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= (open_q & ~taken_i) | (taken_i & ~tail_i);
  end

  // ---- The agent ----------------------------------------------------------------------------
  logic read, write, route_read, quiescent;
  logic [11:0] address;
  logic [31:0] data;
  logic [muster_pkg::DestW-1:0] dest;
  logic [Ports-1:0] want, permit, mask;
  logic [Vcs-1:0] vc;
  logic [muster_pkg::KindW-1:0] kind;
  logic [WordW-1:0] payload;
  logic [3:0][Ports-1:0] happens;

  register_agent #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Regs(Regs)
  ) dut (
    .clk_i,
    .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .payload_i,
    .permit_i(permit),
    .host_i,
    .read_o(read),
    .write_o(write),
    .address_o(address),
    .data_o(data),
    .word_i,
    .route_read_o(route_read),
    .route_dest_o(dest),
    .route_mask_i(mask),
    .want_o(want),
    .vc_o(vc),
    .kind_o(kind),
    .payload_o(payload),
    .leaves_i,
    .event_o(happens),
    .quiescent_o(quiescent)
  );

  // The table's answer holds until it is read again; one port has no permit, ever.
  logic [Ports-1:0] mask_q, outside_q;
  always_ff @(posedge clk_i) begin
    if (route_read) mask_q <= route_mask_i;
    if (!rst_ni) outside_q <= outside_i;
  end
  assign mask = mask_q;
  assign permit = permit_i & ~outside_q;

  // ---- What has happened, told from the packets alone ---------------------------------------
  // The accepted packet's port, flits so far, and whether one is accepted or being answered.
  logic serves_q, received_q;
  logic [Queues-1:0] source_q, lowest, take_now;
  logic [5:0] flits_q;  // bit i: i + 1 so far; none: more than 6
  logic [2:0] sent_q;
  logic request_q;
  logic begins, ends, formed, over;
  assign lowest = first & (~first + 1'b1);
  assign begins = !serves_q && (first != '0);
  assign take_now = begins ? lowest : ((serves_q && !received_q) ? source_q & taken_i : '0);
  assign ends = (take_now & tail_i) != '0;
  assign formed = !begins && request_q && flits_q[5];
  assign over = leaves_i && (sent_q == 3'd4);

  logic [WordW-1:0] head;
  always_comb begin
    head = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (lowest[q]) head = head | payload_i[q];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      serves_q <= 1'b0;
      received_q <= 1'b0;
      sent_q <= '0;
    end else begin
      if (begins) begin
        source_q <= lowest;
        request_q <= head[15:11] == 5'd1;
        received_q <= 1'b0;
        sent_q <= '0;
      end
      if (ends && formed) received_q <= 1'b1;
      if (leaves_i) sent_q <= sent_q + 1'b1;
      serves_q <= (serves_q || begins) && !(ends && !formed) && !over && (happens[3] == '0);
    end
  end

  for (genvar i = 0; i < 6; i++) begin : gen_count
    logic now;
    assign now = (i == 0) ? begins
                          : !begins && (take_now != '0) && flits_q[(i > 0) ? i-1 : 0];
    always_ff @(posedge clk_i) begin
      flits_q[i] <= rst_ni && (now || (flits_q[i] && (take_now == '0)));
    end
  end

  logic [Ports-1:0] source;
  for (genvar i = 0; i < Ports; i++) begin : gen_source
    assign source[i] = |source_q[i*Vcs+:Vcs];
  end

  // The word last read, and whether the host has been there since.
  logic [31:0] seen_q;
  logic fresh_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= 1'b0;
    else fresh_q <= read || (fresh_q && !host_i && !write);
    if (read) seen_q <= word_i;
  end

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  `MUSTER_ASSUME(OneOutside_M, $onehot0(outside_q))

  `MUSTER_ASSERT(OutsideNeverWrites_A, !write || (source & outside_q) == '0)
  `MUSTER_ASSERT(WriteIsARequest_A, !write || (serves_q && received_q && sent_q == '0))
  `MUSTER_ASSERT(WriteIsFresh_A, !write || fresh_q)
  `MUSTER_ASSERT(WriteIsABarrierRegister_A, !write || (address[11:6] == 6'd1 && !address[1]))
  `MUSTER_ASSERT(AnswerIsToARequest_A, want == '0 || (serves_q && received_q))
  `MUSTER_ASSERT(AnswerEnds_A, want == '0 || (kind[0] == (sent_q == 3'd4)))
  `MUSTER_ASSERT(BusyMeansServing_A, happens[0] == '0 || serves_q || begins)
  `MUSTER_ASSERT(QuietMeansNoAnswer_A, !quiescent || want == '0)

  `MUSTER_COVER(Writes_C, write)
  `MUSTER_COVER(Answers_C, over)
  `MUSTER_COVER(OutsideIsRefused_C, (happens[2] & outside_q) != '0)

endmodule

`default_nettype wire
