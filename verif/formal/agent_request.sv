// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The request packet that muster_register_agent has accepted, told from the flits only: for proofs.
//
// Packets of a queue are contiguous: the flit after a tail is a first one (first_o) and no other
// is. Of the first flits that come while no packet is served, that of the lowest queue is accepted.
// The packet is served until its tail, if it is no request of the right length, or ends with a cut
// mark; else until its answer has left or is stranded.
module agent_request #(
  parameter int unsigned Queues = 3,
  localparam int unsigned WordW = muster_pkg::AgentWordW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// flits for this switch, those of muster_register_agent; cut_i: it is a cut mark
  input  wire logic [Queues-1:0]             taken_i,
  input  wire logic [Queues-1:0]             tail_i,
  input  wire logic [Queues-1:0]             cut_i,
  input  wire logic [Queues-1:0][WordW-1:0]  payload_i,
  output logic [Queues-1:0]                  first_o,
  /// a flit of the answer leaves; there will be none
  input  wire logic                          leaves_i,
  input  wire logic                          stranded_i,

  /// a packet is accepted in this cycle; one is served; and it is a whole request
  output logic                               begins_o,
  output logic                               serves_o,
  output logic                               received_o,
  /// its queue, one-hot; how many flits of its answer have left; the last one leaves
  output logic [Queues-1:0]                  source_o,
  output logic [2:0]                         sent_o,
  output logic                               over_o,
  /// the request is a write, over this word
  output logic                               writes_o,
  output logic [31:0]                        expected_o
);
  localparam int unsigned Before = muster_pkg::RequestFlits - 1;
  localparam logic [2:0] LastSent = 3'(muster_pkg::AnswerFlits - 1);

  logic [Queues-1:0] open_q;  // a packet has begun and its tail has not come
  logic [Queues-1:0] now;
  logic [Before-1:0] flits_q;  // bit i: i + 1 so far; none: more than Before
  logic request_q, ends, formed;
  logic [WordW-1:0] flit;

  assign first_o = taken_i & ~open_q;
  assign begins_o = !serves_o && (first_o != '0);
  assign now = begins_o ? first_o & (~first_o + 1'b1)
                        : ((serves_o && !received_o) ? source_o & taken_i : '0);
  assign ends = (now & tail_i) != '0;
  assign formed = !begins_o && request_q && flits_q[Before-1] && (now & cut_i) == '0;
  assign over_o = leaves_i && (sent_o == LastSent);

  always_comb begin
    flit = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (now[q]) flit = flit | payload_i[q];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= '0;
      serves_o <= 1'b0;
      received_o <= 1'b0;
      sent_o <= '0;
    end else begin
      open_q <= (open_q & ~taken_i) | (taken_i & ~tail_i);
      if (begins_o) begin
        source_o <= now;
        request_q <= flit[muster_pkg::DestW+:muster_pkg::OpcodeW] ==
                     muster_pkg::OpcodeW'(muster_pkg::OpcodeRequest);
        received_o <= 1'b0;
        sent_o <= '0;
      end
      if (ends && formed) received_o <= 1'b1;
      if (leaves_i) sent_o <= sent_o + 1'b1;
      serves_o <= (serves_o || begins_o) && !(ends && !formed) && !over_o && !stranded_i;
    end
    if (!begins_o && now != '0) begin
      if (flits_q[1]) writes_o <= flit[WordW-1];
      if (flits_q[2]) expected_o[15:0] <= flit;
      if (flits_q[3]) expected_o[31:16] <= flit;
    end
  end

  for (genvar i = 0; i < Before; i++) begin : gen_count
    logic this_one;
    assign this_one = (i == 0) ? begins_o
                               : !begins_o && (now != '0) && flits_q[(i > 0) ? i-1 : 0];
    always_ff @(posedge clk_i) begin
      flits_q[i] <= rst_ni && (this_one || (flits_q[i] && (now == '0)));
    end
  end

endmodule

`default_nettype wire
