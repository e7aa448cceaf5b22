// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of a barrier switch: 32-bit words at 12-bit word addresses,
// docs/reference/registers.md.
//
// In every cycle a request of the host, never refused. A read is answered in the same cycle and
// changes nothing; what has no meaning reads 0. A write is kept in flip-flops, in part decoded, and
// done in the next cycle, at its end. The access unit may read in a cycle without a request of the
// host, and write in one in which nothing of the host is done. The module keeps permits, spill port
// and held outputs, has in muster_switch_registers what every switch has, and passes the rest on:
// route_* to the routing table, barrier_* to the barrier registers.
//
// For a barrier register r and its word w the strobe barrier_write_o[r][w] stands in the cycle of
// the write, with wdata_o. In the cycle of a read of one, barrier_read_o is set with its number and
// word, and the answer is at barrier_word_i.
module muster_register_port #(
  /// ports, 3 to 32
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// barrier registers that the word of sizes names, 0 to 16
  parameter int unsigned Named = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// entries of the routing table, 16 to 65536
  parameter int unsigned Dests = 2048,
  /// the switch has a spill port; 0 to 1
  parameter int unsigned Spill = 0,
  /// the registers repeat: their barriers can be aborted, and there is a word of periods; 0 to 1
  parameter int unsigned Retry = 0,
  /// the registers have labels, which the host writes; 0 to 1
  parameter int unsigned Labels = 0,
  /// the switch guards itself, so writes of packets depend on its permits; 0 to 1
  parameter int unsigned Guard = 0,
  localparam int unsigned RouteW = $clog2(Dests),
  localparam int unsigned TableW =
      (Dests > 2048) ? muster_pkg::RegWideAddrW : muster_pkg::RegAddrW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  /// by the host
  input  wire logic                       reg_valid_i,
  input  wire logic                       reg_write_i,
  input  wire logic [TableW-1:0]          reg_addr_i,
  input  wire logic [31:0]                reg_wdata_i,
  /// by the access unit: reads anything, in no cycle with reg_valid_i, or writes the control word
  /// or child mask of a barrier register, in no cycle with write_o, where it has read last
  input  wire logic                       agent_read_i,
  input  wire logic                       agent_write_i,
  input  wire logic [11:0]                agent_addr_i,
  input  wire logic [31:0]                agent_data_i,
  /// a word is read by either, its address, the word
  output logic                            read_o,
  output logic [11:0]                     read_addr_o,
  output logic [31:0]                     rdata_o,
  /// a write of the host is done in this cycle, unless it is refused; a packet's write may depend
  /// on the word; its address; the data of a write by either
  output logic                            write_o,
  output logic                            touches_o,
  output logic [11:0]                     write_addr_o,
  output logic [31:0]                     wdata_o,
  input  wire logic                       refused_i,

  /// ports where packets come in that may write
  output logic [Ports-1:0]                permit_o,
  /// port of the spill node, one-hot or zero
  output logic [Ports-1:0]                spill_o,
  /// outputs that are held: their virtual channels have no credit
  output logic [Ports-1:0]                hold_o,
  /// packets without a route, dropped in this cycle, one bit for each queue; headless flits, one
  /// for each port; the routing table is being swept
  input  wire logic [Ports*Vcs-1:0]       unroutable_i,
  input  wire logic [Ports-1:0]           headless_i,
  input  wire logic                       sweeping_i,

  /// routing table
  output logic                            route_write_o,
  output logic [RouteW-1:0]               route_addr_o,
  output logic [Ports:0]                  route_entry_o,

  /// word w of barrier register r is written: bit 0 control, bit 1 child mask
  output logic [Regs-1:0][1:0]            barrier_write_o,
  /// with Labels: the host writes those of a register, of ports 7..0 or of ports 15..8
  output logic [1:0]                      labels_write_o,
  /// with Retry: the barrier of register r is aborted; the word of periods is written, and read
  output logic [Regs-1:0]                 abort_o,
  output logic                            periods_write_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]                periods_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// word barrier_index_o of barrier register barrier_slot_o is read in this cycle
  output logic                            barrier_read_o,
  output logic [3:0]                      barrier_slot_o,
  output logic [3:0]                      barrier_index_o,
  input  wire logic [31:0]                barrier_word_i,

  /// what is dropped of barrier messages, and by the access unit: the word; it is cleared by a
  /// write
  input  wire logic [31:0]                drop_word_i,
  output logic                            drop_clear_o,
  input  wire logic [31:0]                agent_drop_word_i,
  output logic                            agent_drop_clear_o
);
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(Named, 0, 16)
  `MUSTER_RANGE(Spill, 0, 1)
  `MUSTER_RANGE(Retry, 0, 1)
  `MUSTER_RANGE(Labels, 0, 1)

  `MUSTER_RANGE(Guard, 0, 1)

  logic [Ports-1:0] permit_q, spill_q, hold_q;
  logic [31:0] common_word;

  function automatic logic of_barrier(input logic [11:4] at);
    of_barrier = (at[11:8] == muster_pkg::RegBarrier[11:8]) && ({1'b0, at[7:4]} < 5'(Regs));
  endfunction

  // ---- The host's request ---------------------------------------------------------------------
  // Above 12 bits lies the routing table alone: the other words see the address of an entry.
  logic [11:0] addr;
  if (TableW > 12) begin : gen_wide_address
    assign addr = (reg_addr_i[TableW-1:12] == '0) ? reg_addr_i[11:0] : muster_pkg::RegRoutes;
  end else begin : gen_address
    assign addr = reg_addr_i;
  end

  logic asks, write_q, touches_q, write;
  logic [TableW-1:0] table_addr_q;
  logic [11:0] write_addr_q;
  logic [31:0] wdata_q;
  logic [2*Regs-1:0] strobe, strobe_q, agent_at, agent_at_q;  // bit 2 * r + w
  assign asks = reg_valid_i && reg_write_i;
  always_comb begin
    strobe = '0;
    if (of_barrier(addr[11:4])) begin
      for (int unsigned r = 0; r < Regs; r++) begin
        if (addr[7:4] == 4'(r)) begin
          strobe[2*r] = addr[3:0] == muster_pkg::RegBarrierControl[3:0];
          strobe[2*r+1] = addr[3:0] == muster_pkg::RegBarrierChildren[3:0];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) write_q <= 1'b0;
    else write_q <= asks;
    if (asks) begin
      strobe_q <= strobe;
      table_addr_q <= reg_addr_i;
      write_addr_q <= addr;
      wdata_q <= reg_wdata_i;
      touches_q <= addr[11:8] == muster_pkg::RegBarrier[11:8] || addr == muster_pkg::RegPermits ||
                   (Guard == 1 && addr[11:6] == muster_pkg::RegGroupPermits[11:6]);
    end
  end
  always_comb begin
    agent_at = '0;
    for (int unsigned r = 0; r < Regs; r++) begin
      if (agent_addr_i[7:4] == 4'(r)) agent_at[2*r+:2] = {agent_addr_i[1], !agent_addr_i[1]};
    end
  end
  always_ff @(posedge clk_i) if (agent_read_i) agent_at_q <= agent_at;
  assign write = write_q && !refused_i;
  assign write_o = write_q;
  assign touches_o = touches_q;
  assign write_addr_o = write_addr_q;
  assign wdata_o = write_q ? wdata_q : agent_data_i;

  // ---- Decode -------------------------------------------------------------------------------
  assign read_o = reg_valid_i || agent_read_i;
  assign read_addr_o = reg_valid_i ? addr : agent_addr_i;
  assign barrier_read_o = read_o && of_barrier(read_addr_o[11:4]);
  assign barrier_slot_o = read_addr_o[7:4];
  assign barrier_index_o = read_addr_o[3:0];
  assign drop_clear_o = write && (write_addr_q == muster_pkg::RegDrops);
  assign agent_drop_clear_o = write && (write_addr_q == muster_pkg::RegAgentDrops);

  muster_switch_registers #(
    .Kind(muster_pkg::KindBarrierSwitch), .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .Regs(Named),
    .FlitW(FlitW), .GidW(GidW), .Dests(Dests), .Drops(Ports * Vcs)
  ) common (
    .clk_i, .rst_ni,
    .read_i(read_o),
    .write_i(write),
    .addr_i(read_addr_o),
    .table_addr_i(table_addr_q),
    .wdata_i(wdata_q),
    .word_o(common_word),
    .unroutable_i,
    .headless_i((Ports * Vcs)'(headless_i)),
    .sweeping_i,
    .route_write_o,
    .route_addr_o,
    .route_entry_o
  );

  always_comb begin
    for (int unsigned r = 0; r < Regs; r++) begin
      barrier_write_o[r] = (write ? strobe_q[2*r+:2] : '0) |
                           (agent_write_i ? agent_at_q[2*r+:2] : '0);
    end
  end

  if (Labels == 1) begin : gen_labels
    logic write_labels;
    assign write_labels = write && of_barrier(write_addr_q[11:4]);
    assign labels_write_o =
        {write_labels && write_addr_q[3:0] == muster_pkg::RegBarrierUpperLabels[3:0],
         write_labels && write_addr_q[3:0] == muster_pkg::RegBarrierLabels[3:0]};
  end else begin : gen_no_labels
    assign labels_write_o = '0;
  end

  // The command is the host's alone.
  if (Retry == 1) begin : gen_retry
    /* verilator lint_off UNUSEDSIGNAL */
    muster_pkg::barrier_command_t command;
    /* verilator lint_on UNUSEDSIGNAL */
    assign command = wdata_q;
    for (genvar r = 0; r < Regs; r++) begin : gen_abort
      assign abort_o[r] = write && command.aborts &&
          write_addr_q == {muster_pkg::RegBarrier[11:8], 4'(r), muster_pkg::RegBarrierCommand[3:0]};
    end
    assign periods_write_o = write && (write_addr_q == muster_pkg::RegPeriods);
  end else begin : gen_no_retry
    assign abort_o = '0;
    assign periods_write_o = 1'b0;
  end

  // ---- Reads --------------------------------------------------------------------------------
  // ORed: all words but one are 0.
  always_comb begin
    rdata_o = common_word | barrier_word_i;
    if (read_o) begin
      if (read_addr_o == muster_pkg::RegPermits) rdata_o = rdata_o | 32'(permit_q);
      if (read_addr_o == muster_pkg::RegSpill) rdata_o = rdata_o | 32'(spill_q);
      if (read_addr_o == muster_pkg::RegHold) rdata_o = rdata_o | 32'(hold_q);
      if (read_addr_o == muster_pkg::RegDrops) rdata_o = rdata_o | drop_word_i;
      if (Retry == 1 && read_addr_o == muster_pkg::RegPeriods) rdata_o = rdata_o | periods_i;
      if (read_addr_o == muster_pkg::RegAgentDrops) rdata_o = rdata_o | agent_drop_word_i;
    end
  end

  // ---- State --------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      permit_q <= '0;
      spill_q <= '0;
      hold_q <= '0;
    end else begin
      if (write && (write_addr_q == muster_pkg::RegPermits)) permit_q <= wdata_q[Ports-1:0];
      if (write && (write_addr_q == muster_pkg::RegSpill)) begin
        spill_q <= (Spill == 1) ? wdata_q[Ports-1:0] : '0;
      end
      if (write && (write_addr_q == muster_pkg::RegHold)) hold_q <= wdata_q[Ports-1:0];
    end
  end

  assign permit_o = permit_q;
  assign spill_o = spill_q;
  assign hold_o = hold_q;

  `MUSTER_ASSERT(ReadWritesNothing_A,
                 write || agent_write_i || (!route_write_o && barrier_write_o == '0))
  `MUSTER_ASSERT(OneRead_A, !(reg_valid_i && agent_read_i))
  `MUSTER_ASSERT(OneWrite_A, !(write && agent_write_i))
  `MUSTER_ASSERT(AgentWritesBarrier_A,
                 !agent_write_i || (of_barrier(agent_addr_i[11:4]) &&
                                    (agent_addr_i[3:0] & 4'b1101) == '0))
  `MUSTER_ASSERT(WritesWhereItRead_A, !agent_write_i || agent_at_q == agent_at)
  `MUSTER_ASSERT(OneRegisterWritten_A, $countones(barrier_write_o) <= 1)

endmodule

`default_nettype wire
