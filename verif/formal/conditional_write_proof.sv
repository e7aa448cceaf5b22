// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "formal.svh"

// Agent, register port and a barrier unit of one register together, as in a barrier switch: any
// packets from any port with any permits, any accesses of the host, any barrier messages, any
// delay.
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
// control word to 0, leaves nothing. Packets of a queue are contiguous, and no write puts a valid
// register's parent into its child mask.
//
// The unit shows the word that is addressed by a read of the host, or else by the access unit. As
// the host may read any word in any cycle, a fact of every word that is read is a fact of the
// state.
//
// With Guard the rules for writes call any write harmful or foreign in any cycle, and the access
// unit gives up what does not advance for two cycles, or nothing; a packet that it gives up or
// finds malformed ends for it as its event says.
module conditional_write_proof #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Guard = 0,
  localparam int unsigned Queues = Ports * Vcs,
  localparam int unsigned WordW = muster_pkg::AgentWordW,
  localparam int unsigned FlitW = 16,
  localparam int unsigned GidW = 12,  // so that data have 2 bits
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic [Queues-1:0]             taken_i,
  input  wire logic [Queues-1:0]             tail_i,
  input  wire logic [Queues-1:0]             mark_i,
  input  wire logic [Queues-1:0][WordW-1:0]  payload_i,
  input  wire logic [Ports-1:0]              route_mask_i,
  input  wire logic                          leaves_i,
  input  wire logic                          host_i,
  input  wire logic                          host_write_i,
  input  wire logic [11:0]                   host_addr_i,
  input  wire logic [31:0]                   host_data_i,
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0][FlitW-1:0]   msg_payload_i,
  input  wire logic [Ports-1:0]              goes_i,
  input  wire logic                          harmful_i,
  input  wire logic                          foreign_i,
  input  wire logic                          patience_i
);
  `MUSTER_FORMAL_RESET

  // ---- Agent, port, unit --------------------------------------------------------------------
  logic [Queues-1:0] first;
  logic agent_read, agent_write, route_read, host_writes, host_touches;
  logic [11:0] agent_address;
  logic [31:0] agent_data, wdata, rdata, word;
  logic [Ports-1:0] want, permit, mask_q;
  logic [WordW-1:0] payload;
  logic [3:0][Ports-1:0] happens;

  logic patient_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) patient_q <= patience_i;
    if (route_read) mask_q <= route_mask_i;
  end

  // A mark is a tail.
  logic [Queues-1:0] cut_mark;
  assign cut_mark = tail_i & mark_i;

  muster_register_agent #(.Ports(Ports), .Vcs(Vcs), .Regs(1), .Guard(Guard)) agent (
    .clk_i, .rst_ni,
    .taken_i,
    .first_i(first),
    .tail_i,
    .cut_i(cut_mark),
    .payload_i,
    .permit_i(permit),
    .host_read_i(host_i),
    .host_write_i(host_writes),
    .host_touches_i(host_touches),
    .read_o(agent_read),
    .write_o(agent_write),
    .address_o(agent_address),
    .data_o(agent_data),
    .word_i(rdata),
    .route_read_o(route_read),
    .route_mask_i(mask_q),
    .want_o(want),
    .payload_o(payload),
    .leaves_i,
    .harmful_i,
    .foreign_i,
    .patience_i({3'd0, patient_q}),
    .event_o(happens)
  );

  logic [0:0][1:0] write;
  logic [3:0] slot;
  logic [3:0] index;

  muster_register_port #(
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(2),
    .Regs(1),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(16),
    .Guard(Guard)
  ) port (
    .clk_i, .rst_ni,
    .reg_valid_i(host_i),
    .reg_write_i(host_write_i),
    .reg_addr_i(host_addr_i),
    .reg_wdata_i(host_data_i),
    .agent_read_i(agent_read),
    .agent_write_i(agent_write),
    .agent_addr_i(agent_address),
    .agent_data_i(agent_data),
    .rdata_o(rdata),
    .write_o(host_writes),
    .touches_o(host_touches),
    .wdata_o(wdata),
    .refused_i(1'b0),
    .permit_o(permit),
    .unroutable_i('0),
    .headless_i('0),
    .sweeping_i(1'b0),
    .barrier_write_o(write),
    .periods_i('0),
    .barrier_slot_o(slot),
    .barrier_index_o(index),
    .barrier_word_i(word),
    .drop_word_i('0),
    .agent_drop_word_i('0)
  );

  logic [Ports-1:0] malformed, unknown, send;

  muster_barrier_unit #(.Ports(Ports), .Regs(1), .FlitW(FlitW), .GidW(GidW)) unit (
    .clk_i, .rst_ni,
    .control_write_i(write[0][0]),
    .children_write_i(write[0][1]),
    .valid_i(wdata[31]),
    .turn_i(wdata[30]),
    .claimed_i(wdata[29]),
    .op_i(wdata[28:26]),
    .parent_i(wdata[16+:ParentW]),
    .gid_i(wdata[GidW-1:0]),
    .children_i(wdata[Ports-1:0]),
    .epoch_i('0),
    .abort_i('0),
    .periods_write_i(1'b0),
    .periods_i('0),
    .msg_i,
    .msg_payload_i,
    .malformed_o(malformed),
    .unknown_o(unknown),
    .send_o(send),
    .leaves_i(goes_i & send),
    .read_i(1'b1),
    .read_register_i(slot),
    .read_word_i(index),
    .word_o(word)
  );

  // ---- The request, told from the packets only ---------------------------------------------
  logic received, writes, wrote_q, begins;
  logic [2:0] sent;
  logic [31:0] expected;
  agent_request #(.Queues(Queues)) packet (
    .clk_i, .rst_ni,
    .taken_i,
    .tail_i,
    .cut_i(cut_mark),
    .payload_i,
    .first_o(first),
    .leaves_i,
    .stranded_i(happens[3] != '0 || (Guard == 1 && happens[1] != '0)),
    .begins_o(begins),
    .received_o(received),
    .sent_o(sent),
    .writes_o(writes),
    .expected_o(expected)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins) wrote_q <= 1'b0;
    else if (agent_write) wrote_q <= 1'b1;
  end

  // ---- The words of the register, as docs/reference/registers.md has them -------------------
  // Control word and child mask are what was written last; of the others only 0 is told here.
  logic [31:0] control_q;
  logic [Ports-1:0] children_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      control_q <= '0;
      children_q <= '0;
    end else begin
      if (write[0][0]) control_q <= wdata & {6'h3f, 10'(2 ** ParentW - 1), 4'd0, {GidW{1'b1}}};
      if (write[0][1]) children_q <= wdata[Ports-1:0];
    end
  end
  logic [31:0] written_over;  // the word that the access unit's write is for
  assign written_over = agent_address[1] ? 32'(children_q) : control_q;
  logic valid, turn, shown;
  logic [ParentW-1:0] parent;
  assign valid = control_q[31];
  assign turn = control_q[30];
  assign parent = control_q[16+:ParentW];
  assign shown = slot == '0;

  // ---- Facts --------------------------------------------------------------------------------
  `MUSTER_ASSUME(LeavesOnWant_M, !leaves_i || want != '0)
  // What writers owe, docs/reference/registers.md.
  `MUSTER_ASSUME(ParentIsNoChild_M,
                 !valid || turn || (children_q & Ports'(64'd1 << parent)) == '0)

  logic answering;
  assign answering = want != '0;
  `MUSTER_ASSERT(WriteIsOverTheExpected_A,
                 !agent_write || (agent_address[7:4] == '0 && written_over == expected))
  `MUSTER_ASSERT(WriteWasAskedFor_A, !agent_write || (received && writes && !wrote_q))
  `MUSTER_ASSERT(DoneIfWritten_A,
                 !answering || sent != 3'd2 || !writes || (payload[14:12] == '0) == wrote_q)
  `MUSTER_ASSERT(BeforeWasTheExpected_A,
                 !answering || !wrote_q || sent < 3'd3 ||
                 payload == ((sent == 3'd3) ? expected[15:0] : expected[31:16]))
  `MUSTER_ASSERT(ControlIsWhatWasWritten_A, !shown || index != 4'd0 || word == control_q)
  `MUSTER_ASSERT(MaskIsWhatWasWritten_A, !shown || index != 4'd2 || word == 32'(children_q))
  `MUSTER_ASSERT(NothingInAFreeRegister_A,
                 valid || !shown || index == 4'd0 || index == 4'd2 || word == '0)
  `MUSTER_ASSERT(AFreeRegisterIsSilent_A, valid || send == '0)
  `MUSTER_ASSERT(AFreeRegisterIsDeaf_A, valid || (msg_i & ~malformed) == unknown)

  `MUSTER_COVER(Claims_C, agent_write && control_q == '0 && agent_data[29])
  `MUSTER_COVER(Refuses_C, answering && sent == 3'd2 && writes && !wrote_q)
  `MUSTER_COVER(WritesBesideARead_C, agent_write && host_i)

endmodule

`default_nettype wire
