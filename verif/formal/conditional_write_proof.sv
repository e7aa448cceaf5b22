// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Agent, register port and a barrier register together, as in a barrier switch: any packets from
// any port with any permits, any accesses of the host, any barrier messages, any delay.
//
//   - a write by packet is atomic: at the edge at which it is done the word is what the request
//     expects, whatever host, other packets and messages have done since it was read
//   - the answer tells the truth: status 0 to a write exactly if the word has been written, and
//     then the word before is the expected one
//   - what has been written is there in the next cycle
//   - a register that is not valid, so one that has been released, claimed or never used, has no
//     arrival, nothing sent, nothing to serve or fold, and asks for no output; it takes no message
//
// So of two requests that expect a word to be 0 at most one is done, and a release, child mask and
// control word to 0, leaves nothing. Packets of a queue are contiguous, and nobody writes a valid
// register's parent into its child mask.
module conditional_write_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 1,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned GidW = 4,
  localparam int unsigned DataW = 2
) (
  input  wire logic                          clk_i,
  input  wire logic [Queues-1:0]             taken_i,
  input  wire logic [Queues-1:0]             tail_i,
  input  wire logic [Queues-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]              route_mask_i,
  input  wire logic                          leaves_i,
  input  wire logic                          host_i,
  input  wire logic                          host_write_i,
  input  wire logic [11:0]                   host_addr_i,
  input  wire logic [31:0]                   host_data_i,
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0]              msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]    msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]   msg_data_i,
  input  wire logic [Ports-1:0]              goes_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // ---- Contiguous packets -------------------------------------------------------------------
  logic [Queues-1:0] open_q, first;
  assign first = taken_i & ~open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= (open_q & ~taken_i) | (taken_i & ~tail_i);
  end

  // ---- Agent, port, register ----------------------------------------------------------------
  logic agent_read, agent_write, route_read;
  logic [11:0] agent_address, address;
  logic [31:0] agent_data, wdata, rdata, word;
  logic [muster_pkg::DestW-1:0] dest;
  logic [Ports-1:0] want, permit, mask_q;
  logic [Vcs-1:0] vc;
  logic [muster_pkg::KindW-1:0] kind;
  logic [WordW-1:0] payload;
  logic [3:0][Ports-1:0] happens;
  logic quiescent;

  always_ff @(posedge clk_i) begin
    if (route_read) mask_q <= route_mask_i;
  end

  register_agent #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Regs(1)
  ) agent (
    .clk_i,
    .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .payload_i,
    .permit_i(permit),
    .host_i,
    .read_o(agent_read),
    .write_o(agent_write),
    .address_o(agent_address),
    .data_o(agent_data),
    .word_i(rdata),
    .route_read_o(route_read),
    .route_dest_o(dest),
    .route_mask_i(mask_q),
    .want_o(want),
    .vc_o(vc),
    .kind_o(kind),
    .payload_o(payload),
    .leaves_i,
    .event_o(happens),
    .quiescent_o(quiescent)
  );

  logic [0:0][1:0] write;
  logic [3:0] slot;
  logic [1:0] index;
  logic barrier_read;

  assign address = host_i ? host_addr_i : agent_address;
  assign wdata = host_i ? host_data_i : agent_data;

  register_port #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(2),
    .Regs(1),
    .GidW(GidW),
    .Dests(16)
  ) port (
    .clk_i,
    .rst_ni,
    .reg_valid_i(host_i || agent_read || agent_write),
    .reg_write_i(host_i ? host_write_i : agent_write),
    .reg_addr_i(address),
    .reg_wdata_i(wdata),
    .reg_rdata_o(rdata),
    .own_o(),
    .permit_o(permit),
    .spill_o(),
    .unroutable_i('0),
    .route_write_o(),
    .route_addr_o(),
    .route_entry_o(),
    .barrier_write_o(write),
    .barrier_read_o(barrier_read),
    .barrier_slot_o(slot),
    .barrier_index_o(index),
    .barrier_word_i(word),
    .drop_port_o(),
    .drop_counts_i('0),
    .agent_counts_i('0)
  );

  logic valid, turn, claimed, sent;
  logic [2:0] op;
  logic [3:0] parent;
  logic [GidW-1:0] gid;
  logic [Ports-1:0] children, arrived, serve, folding, request, match;
  logic [DataW-1:0] up, down;

  barrier_register #(
    .Ports(Ports),
    .GidW(GidW),
    .DataW(DataW)
  ) dut (
    .clk_i,
    .rst_ni,
    .control_write_i(write[0][0]),
    .valid_i(wdata[31]),
    .turn_i(wdata[30]),
    .claimed_i(wdata[29]),
    .op_i(wdata[28:26]),
    .parent_i(wdata[19:16]),
    .gid_i(wdata[GidW-1:0]),
    .children_write_i(write[0][1]),
    .children_i(wdata[Ports-1:0]),
    .msg_i,
    .msg_distribution_i,
    .msg_gid_i,
    .msg_data_i,
    .match_o(match),
    .wrong_port_o(),
    .out_of_phase_o(),
    .request_o(request),
    .up_data_o(up),
    .down_data_o(down),
    .leaves_i(goes_i & request),
    .valid_o(valid),
    .turn_o(turn),
    .claimed_o(claimed),
    .op_o(op),
    .parent_o(parent),
    .gid_o(gid),
    .children_o(children),
    .arrived_o(arrived),
    .serve_o(serve),
    .sent_o(sent),
    .folding_o(folding)
  );

  // The words as docs/registers.md has them.
  logic [31:0] control, mask, now;
  assign control = {valid, turn, claimed, op, 6'd0, parent, 16'(gid)};
  assign mask = 32'(children);
  always_comb begin
    word = '0;
    if (barrier_read && slot == '0) begin
      unique case (index)
        2'd0: word = control;
        2'd1: word = mask;
        2'd2: word = {16'(serve), 16'(arrived)};
        default: word = {16'(folding), 15'd0, sent};
      endcase
    end
  end
  assign now = agent_address[0] ? mask : control;

  // ---- The request, told from the packets alone ---------------------------------------------
  logic serves_q, received_q, writes_q, wrote_q;
  logic [Queues-1:0] source_q, take_now;
  logic [5:0] flits_q;  // bit i: i + 1 so far; none: more than 6
  logic [2:0] sent_q;
  logic [31:0] expected_q;
  logic request_q, begins, ends, formed, over;
  assign begins = !serves_q && (first != '0);
  assign take_now = begins ? first & (~first + 1'b1)
                           : ((serves_q && !received_q) ? source_q & taken_i : '0);
  assign ends = (take_now & tail_i) != '0;
  assign formed = !begins && request_q && flits_q[5];
  assign over = leaves_i && (sent_q == 3'd4);

  logic [WordW-1:0] flit;
  always_comb begin
    flit = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (take_now[q]) flit = flit | payload_i[q];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      serves_q <= 1'b0;
      received_q <= 1'b0;
      sent_q <= '0;
      wrote_q <= 1'b0;
    end else begin
      if (begins) begin
        source_q <= take_now;
        request_q <= flit[15:11] == 5'(muster_pkg::OpcodeRequest);
        received_q <= 1'b0;
        sent_q <= '0;
        wrote_q <= 1'b0;
      end
      if (ends && formed) received_q <= 1'b1;
      if (agent_write) wrote_q <= 1'b1;
      if (leaves_i) sent_q <= sent_q + 1'b1;
      serves_q <= (serves_q || begins) && !(ends && !formed) && !over && (happens[3] == '0);
    end
    if (!begins && take_now != '0) begin
      if (flits_q[1]) writes_q <= flit[15];
      if (flits_q[2]) expected_q[15:0] <= flit;
      if (flits_q[3]) expected_q[31:16] <= flit;
    end
  end

  for (genvar i = 0; i < 6; i++) begin : gen_count
    logic this_one;
    assign this_one = (i == 0) ? begins
                               : !begins && (take_now != '0) && flits_q[(i > 0) ? i-1 : 0];
    always_ff @(posedge clk_i) begin
      flits_q[i] <= rst_ni && (this_one || (flits_q[i] && (take_now == '0)));
    end
  end

  // The last write of the control word and of the child mask.
  logic [31:0] written_q;
  logic [Ports-1:0] mask_written_q;
  logic fresh_q, mask_fresh_q;
  always_ff @(posedge clk_i) begin
    fresh_q <= rst_ni && write[0][0];
    written_q <= wdata & {6'h3f, 6'd0, 4'hf, 12'd0, 4'hf};
    mask_fresh_q <= rst_ni && write[0][1];
    mask_written_q <= wdata[Ports-1:0];
  end

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  // What writers owe, docs/registers.md.
  `MUSTER_ASSUME(ParentIsNoChild_M,
                 !valid || turn || (children & Ports'(16'd1 << parent)) == '0)

  logic answering;
  assign answering = want != '0;
  `MUSTER_ASSERT(WriteIsOverTheExpected_A, !agent_write || now == expected_q)
  `MUSTER_ASSERT(WriteWasAskedFor_A, !agent_write || (received_q && writes_q && !wrote_q))
  `MUSTER_ASSERT(DoneIfWritten_A,
                 !answering || sent_q != 3'd2 || !writes_q || (payload[13:12] == '0) == wrote_q)
  `MUSTER_ASSERT(BeforeWasTheExpected_A,
                 !answering || !wrote_q || sent_q < 3'd3 ||
                 payload == ((sent_q == 3'd3) ? expected_q[15:0] : expected_q[31:16]))
  `MUSTER_ASSERT(WrittenIsThere_A, !fresh_q || control == written_q)
  `MUSTER_ASSERT(MaskIsThere_A, !mask_fresh_q || children == mask_written_q)
  `MUSTER_ASSERT(NothingInAFreeRegister_A,
                 valid || {arrived, serve, folding, request, match, sent} == '0)

  `MUSTER_COVER(Claims_C, agent_write && control == '0 && agent_data[29])
  `MUSTER_COVER(Refuses_C, answering && sent_q == 3'd2 && writes_q && !wrote_q)

endmodule

`default_nettype wire
