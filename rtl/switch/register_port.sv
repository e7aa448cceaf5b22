// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of a switch: 32-bit words at 12-bit word addresses, docs/registers.md.
//
// One request in every cycle, the host's or the agent's, never refused. A write takes effect at
// the edge of its cycle. A read is answered in the same cycle and changes nothing; what has no
// meaning reads 0, and so does reg_rdata_o without a read. The module keeps what belongs to the
// whole switch (control word, permits, count of unroutable packets) and passes the rest on: route_*
// to the routing table, barrier_* to the barrier registers.
//
// For a barrier register r and its word w the strobe barrier_write_o[r][w] stands in the cycle of
// the write, with the data at reg_wdata_i. In the cycle of a read of one, barrier_read_o is set
// with its number and word, and the answer is at barrier_word_i. A switch without barrier registers
// sets Regs to 1, its identity to a kind without, and ignores them.
module register_port #(
  /// kind of switch in the identity word, a constant of muster_pkg
  parameter logic [7:0] Kind = muster_pkg::KindBarrierSwitch,
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// entries of the routing table, 16 to 2048
  parameter int unsigned Dests = 2048,
  localparam int unsigned RouteW = $clog2(Dests),
  localparam int unsigned PortW = $clog2(Ports)
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  input  wire logic                       reg_valid_i,
  input  wire logic                       reg_write_i,
  input  wire logic [11:0]                reg_addr_i,
  // The high bits are for the barrier registers, which take the word past this module.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [31:0]                reg_wdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [31:0]                     reg_rdata_o,

  /// control bit `own`
  output logic                            own_o,
  /// ports where packets come in that may write
  output logic [Ports-1:0]                permit_o,
  /// port of the spill node, one-hot or zero
  output logic [Ports-1:0]                spill_o,
  /// packets dropped for want of a route in this cycle, one bit for each queue
  input  wire logic [Ports*Vcs-1:0]       unroutable_i,

  /// routing table
  output logic                            route_write_o,
  output logic [RouteW-1:0]               route_addr_o,
  output logic [Ports:0]                  route_entry_o,

  /// word w of barrier register r is written: bit 0 control, bit 1 child mask
  output logic [Regs-1:0][1:0]            barrier_write_o,
  /// word barrier_index_o of barrier register barrier_slot_o is read in this cycle
  output logic                            barrier_read_o,
  output logic [3:0]                      barrier_slot_o,
  output logic [1:0]                      barrier_index_o,
  input  wire logic [31:0]                barrier_word_i,

  /// port whose drop counters are read, and their words: of barrier messages, of the agent
  output logic [PortW-1:0]                drop_port_o,
  input  wire logic [31:0]                drop_counts_i,
  input  wire logic [31:0]                agent_counts_i
);
  localparam bit CanSpill = FlitW - muster_pkg::MsgTypeW - GidW >= muster_pkg::SpillPlaceW;
  localparam int unsigned SumW = $clog2(Ports * Vcs + 1);

  if (Ports < 3 || Ports > 16 || Vcs < 1 || Vcs > 4 || Depth < 1 || Depth > 16) begin : gen_bad_path
    $error("register_port: Ports must be 3 to 16, Vcs 1 to 4, Depth 1 to 16");
  end
  if (Regs < 1 || Regs > 16 || GidW < 4 || GidW > 12) begin : gen_bad_barriers
    $error("register_port: Regs must be 1 to 16, GidW 4 to 12");
  end
  if (FlitW < 16 || FlitW > 80 || Dests < 16 || Dests > 2048) begin : gen_bad_formats
    $error("register_port: FlitW must be 16 to 80, Dests 16 to 2048");
  end

  logic own_q;
  logic [Ports-1:0] permit_q, spill_q;
  logic [15:0] unroutable_q, unroutable_d;

  // ---- Decode -------------------------------------------------------------------------------
  logic read, write, is_route, is_barrier, is_drop, is_agent_drop, port_exists;
  logic [3:0] index;  // of a port, for drop counters
  logic [3:0] slot;   // of a barrier register
  logic [1:0] word;
  logic [11:0] route_offset;
  assign read = reg_valid_i && !reg_write_i;
  assign write = reg_valid_i && reg_write_i;
  assign index = reg_addr_i[3:0];
  assign slot = reg_addr_i[5:2];
  assign word = reg_addr_i[1:0];
  assign route_offset = {1'b0, reg_addr_i[10:0]};
  assign port_exists = {1'b0, index} < 5'(Ports);
  assign is_drop = (reg_addr_i[11:4] == muster_pkg::RegDrops[11:4]) && port_exists;
  assign is_agent_drop = (reg_addr_i[11:4] == muster_pkg::RegAgentDrops[11:4]) && port_exists;
  assign is_barrier = (reg_addr_i[11:6] == muster_pkg::RegBarrier[11:6]) &&
                      ({1'b0, slot} < 5'(Regs));
  assign is_route = (reg_addr_i[11] == muster_pkg::RegRoutes[11]) && (route_offset < 12'(Dests));

  assign route_write_o = write && is_route;
  assign route_addr_o = reg_addr_i[RouteW-1:0];
  assign route_entry_o = {reg_wdata_i[16], reg_wdata_i[Ports-1:0]};
  assign barrier_read_o = read && is_barrier;
  assign barrier_slot_o = slot;
  assign barrier_index_o = word;
  assign drop_port_o = port_exists ? index[PortW-1:0] : '0;

  always_comb begin
    barrier_write_o = '0;
    for (int unsigned r = 0; r < Regs; r++) begin
      if (write && is_barrier && (slot == 4'(r))) begin
        barrier_write_o[r][0] = word == 2'd0;
        barrier_write_o[r][1] = word == 2'd1;
      end
    end
  end

  // ---- Reads --------------------------------------------------------------------------------
  always_comb begin
    reg_rdata_o = '0;
    if (read) begin
      unique case (reg_addr_i)
        muster_pkg::RegIdentity: begin
          reg_rdata_o = {muster_pkg::RegMagic, Kind, muster_pkg::RegMapVersion};
        end
        muster_pkg::RegSizes: reg_rdata_o = {8'(Regs), 8'(Depth), 8'(Vcs), 8'(Ports)};
        muster_pkg::RegWidths: reg_rdata_o = {16'(Dests), 8'(GidW), 8'(FlitW)};
        muster_pkg::RegControl: reg_rdata_o = {31'd0, own_q};
        muster_pkg::RegUnroutable: reg_rdata_o = {16'd0, unroutable_q};
        muster_pkg::RegPermits: reg_rdata_o = 32'(permit_q);
        muster_pkg::RegSpill: reg_rdata_o = 32'(spill_q);
        default: begin
          if (is_drop) reg_rdata_o = drop_counts_i;
          if (is_agent_drop) reg_rdata_o = agent_counts_i;
          if (is_barrier) reg_rdata_o = barrier_word_i;
        end
      endcase
    end
  end

  // ---- State --------------------------------------------------------------------------------
  logic [SumW-1:0] dropped_now;
  logic [16:0] unroutable_sum;
  always_comb begin
    dropped_now = '0;
    for (int unsigned q = 0; q < Ports * Vcs; q++) begin
      dropped_now = dropped_now + SumW'(unroutable_i[q]);
    end
  end
  assign unroutable_sum = {1'b0, unroutable_q} + 17'(dropped_now);
  assign unroutable_d = unroutable_sum[16] ? '1 : unroutable_sum[15:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_q <= 1'b0;
      permit_q <= '0;
      spill_q <= '0;
      unroutable_q <= '0;
    end else begin
      if (write && (reg_addr_i == muster_pkg::RegControl)) own_q <= reg_wdata_i[0] && (Vcs > 1);
      if (write && (reg_addr_i == muster_pkg::RegPermits)) permit_q <= reg_wdata_i[Ports-1:0];
      if (write && (reg_addr_i == muster_pkg::RegSpill)) begin
        spill_q <= CanSpill ? reg_wdata_i[Ports-1:0] : '0;
      end
      if (unroutable_i != '0) unroutable_q <= unroutable_d;
    end
  end

  assign own_o = own_q;
  assign permit_o = permit_q;
  assign spill_o = spill_q;

  `MUSTER_ASSERT(ReadWritesNothing_A, !read || (!route_write_o && barrier_write_o == '0))
  `MUSTER_ASSERT(OneRegisterWritten_A, $countones(barrier_write_o) <= 1)
  `MUSTER_ASSERT(OwnNeedsTwoChannels_A, !own_q || (Vcs > 1))

endmodule

`default_nettype wire
