// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The register port of a preempting switch. docs/systems/preempting-switches.md, "Registers".
//
// One request in every cycle, never refused. A write takes effect at the edge of its cycle; a read
// is answered in the same cycle and changes nothing. The status table has words of its own, asked
// for here.
module muster_preempt_registers #(
  /// kind of switch in the identity word, a constant of muster_pkg
  parameter logic [7:0] Kind = muster_pkg::KindBsr1Switch,
  /// ports, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 3
  parameter int unsigned Vcs = 2,
  /// flits in an input queue, 1 to 16
  parameter int unsigned Depth = 4,
  /// entries of the status table, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 512
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier that hosts may use, 4 to 8
  parameter int unsigned GidW = 8,
  /// entries of the routing table, 16 to 2048
  parameter int unsigned Dests = 2048,
  /// packets and messages that can be dropped in a cycle because they have no route, 1 to 128
  parameter int unsigned Drops = 16,
  /// counts of each port, and an interrupt for what is dropped; 0 to 1
  parameter int unsigned Counters = 0,
  localparam int unsigned PortW = $clog2(Ports),
  localparam int unsigned RouteW = $clog2(Dests),
  localparam int unsigned DestW = muster_pkg::DestW
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  reg_valid_i,
  input  wire logic                  reg_write_i,
  input  wire logic [11:0]           reg_addr_i,
  input  wire logic [31:0]           reg_wdata_i,
  output logic [31:0]                reg_rdata_o,

  /// what the host has set: address of the switch, outputs on hold, outputs that no message goes
  /// by, pads are not wanted, channels are cut at random, times of the outputs in cycles
  output logic [DestW-1:0]           address_o,
  output logic [Ports-1:0]           hold_o,
  output logic [Ports-1:0]           shut_o,
  output logic                       unpadded_o,
  output logic                       random_o,
  output logic [7:0]                 idle_o,
  output logic [7:0]                 gap_o,
  output logic [15:0]                longest_o,
  /// draw bits 0 to 3 of the random number, which is used in this cycle
  output logic [3:0]                 draw_o,
  input  wire logic                  used_i,

  /// packets and messages dropped in this cycle because they have no route; headless flits; both
  /// are counted an edge later; the routing table is being swept
  input  wire logic [Drops-1:0]      unroutable_i,
  input  wire logic [Drops-1:0]      headless_i,
  input  wire logic                  sweeping_i,
  /// routing table
  output logic                       route_write_o,
  output logic [RouteW-1:0]          route_addr_o,
  output logic [Ports-1:0]           route_mask_o,
  /// status table: write, address in the map without its highest bit, and the word there
  output logic                       entry_write_o,
  output logic [10:0]                entry_addr_o,
  input  wire logic [31:0]           entry_word_i,
  /// messages dropped, by port: malformed, unknown group, wrong source, out of phase; counted an
  /// edge later
  input  wire logic [3:0][Ports-1:0] dropped_i,
  /// something has yet to be counted
  output logic                       counts_o,
  /// the longest wait so far
  input  wire logic [15:0]           longest_wait_i,

  /// with Counters, of port p: a flit is on the output wires; one waits for the output, which takes
  /// none; and the interrupt, else 0
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [Ports-1:0]      flit_i,
  input  wire logic [Ports-1:0]      stall_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                       irq_o
);
  `MUSTER_RANGE(Vcs, 1, 3)
  // A message has 8 bits for it.
  `MUSTER_RANGE(GidW, 4, 8)
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(Counters, 0, 1)
  `MUSTER_RANGE(Dests, 16, 2048)

  logic read, write, write_random, is_entry, is_drop;
  logic [31:0] word, drop_counts;
  logic [15:0] number;
  logic [PortW-1:0] drop_port;
  logic [11:0] drop_offset;
  // A preempting switch has nothing for packets to end at: no bit `self`.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Ports:0] route_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  assign read = reg_valid_i && !reg_write_i;
  assign write = reg_valid_i && reg_write_i;

  // Which flits and messages are dropped is known late in a cycle.
  logic [Drops-1:0] unroutable_q, headless_q;
  logic [3:0][Ports-1:0] dropped_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      unroutable_q <= '0;
      headless_q <= '0;
      dropped_q <= '0;
    end else begin
      unroutable_q <= unroutable_i;
      headless_q <= headless_i;
      dropped_q <= dropped_i;
    end
  end

  muster_switch_registers #(
    .Kind(Kind),
    .Ports(Ports),
    .Vcs(Vcs),
    .Depth(Depth),
    .Regs(Regs),
    .FlitW(FlitW),
    .GidW(GidW),
    .Dests(Dests),
    .Drops(Drops)
  ) common (
    .clk_i,
    .rst_ni,
    .read_i(read),
    .write_i(write),
    .addr_i(reg_addr_i),
    .table_addr_i(reg_addr_i),
    .wdata_i(reg_wdata_i),
    .word_o(word),
    .unroutable_i(unroutable_q),
    .headless_i(headless_q),
    .sweeping_i,
    .route_write_o,
    .route_addr_o,
    .route_entry_o(route_entry)
  );
  assign route_mask_o = route_entry[Ports-1:0];

  // ---- Counters -----------------------------------------------------------------------------
  logic [31:0] counter_word;
  logic pending;
  if (Counters == 1) begin : gen_counters
    logic [Ports-1:0] lost;
    always_comb begin
      lost = dropped_i[0] | dropped_i[1] | dropped_i[2] | dropped_i[3];
      for (int unsigned q = 0; q < Ports * Vcs; q++) begin
        if (unroutable_i[q] || headless_i[q]) lost[q/Vcs] = 1'b1;
      end
    end
    muster_switch_counters #(
      .Ports(Ports)
    ) counters (
      .clk_i,
      .rst_ni,
      .flit_i,
      .stall_i,
      .drop_i(lost),
      .refused_i(1'b0),
      .overflow_i(1'b0),
      .suspect_i(1'b0),
      .damage_i(1'b0),
      .read_i(read),
      .read_addr_i(reg_addr_i),
      .write_i(write),
      .addr_i(reg_addr_i),
      .wdata_i(reg_wdata_i),
      .word_o(counter_word),
      .irq_o,
      .pending_o(pending)
    );
  end else begin : gen_no_counters
    assign counter_word = '0;
    assign irq_o = 1'b0;
    assign pending = 1'b0;
  end
  assign counts_o = (unroutable_q | headless_q) != '0 || dropped_q != '0 || pending;

  // ---- The host's settings ------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::bsr_policy_t new_policy, policy;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_pkg::bsr_times_t reset_times, new_times, times;
  assign new_policy = reg_wdata_i;
  assign reset_times = muster_pkg::RegTimesReset;
  assign new_times = reg_wdata_i;
  always_comb begin
    policy = '0;
    policy.unpadded = unpadded_o;
    policy.random = random_o;
    times.longest = longest_o;
    times.gap = gap_o;
    times.idle = idle_o;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      address_o <= '0;
      hold_o <= '0;
      shut_o <= '0;
      {unpadded_o, random_o} <= '0;
      longest_o <= reset_times.longest;
      gap_o <= reset_times.gap;
      idle_o <= reset_times.idle;
    end else if (write) begin
      if (reg_addr_i == muster_pkg::RegAddress) address_o <= reg_wdata_i[DestW-1:0];
      if (reg_addr_i == muster_pkg::RegHold) hold_o <= reg_wdata_i[Ports-1:0];
      if (reg_addr_i == muster_pkg::RegClosed) shut_o <= reg_wdata_i[Ports-1:0];
      if (reg_addr_i == muster_pkg::RegPolicy) begin
        unpadded_o <= new_policy.unpadded;
        random_o <= new_policy.random;
      end
      if (reg_addr_i == muster_pkg::RegTimes) begin
        longest_o <= new_times.longest;
        gap_o <= new_times.gap;
        idle_o <= new_times.idle;
      end
    end
  end

  // Its first value is taken while it is in reset: a write is one.
  assign write_random = write && reg_addr_i == muster_pkg::RegLfsr;
  muster_lfsr #(
    .Width(16)
  ) random (
    .clk_i,
    .rst_ni(rst_ni && !write_random),
    .seed_i(rst_ni ? reg_wdata_i[15:0] : muster_pkg::RegLfsrReset[15:0]),
    .step_i(used_i),
    .value_o(number)
  );
  assign draw_o = {number[15], number[10], number[5], number[0]};

  // ---- Words of other modules ---------------------------------------------------------------
  assign is_entry = reg_addr_i[11:10] == muster_pkg::RegAddresses[11:10] ||
                    reg_addr_i[11:8] == muster_pkg::RegEntries[11:8];
  assign entry_write_o = write && is_entry;
  assign entry_addr_o = reg_addr_i[10:0];
  assign drop_offset = reg_addr_i - muster_pkg::RegPortDrops;
  assign is_drop = drop_offset < 12'(Ports);
  assign drop_port = is_drop ? drop_offset[PortW-1:0] : '0;

  muster_drop_counters #(
    .Ports(Ports)
  ) drops (
    .clk_i,
    .rst_ni,
    .event_i(dropped_q),
    .read_port_i(drop_port),
    .counts_o(drop_counts)
  );

  always_comb begin
    reg_rdata_o = '0;
    if (read) begin
      if (is_entry) begin
        reg_rdata_o = entry_word_i;
      end else if (is_drop) begin
        reg_rdata_o = drop_counts;
      end else begin
        unique case (reg_addr_i)
          muster_pkg::RegHold: reg_rdata_o = 32'(hold_o);
          muster_pkg::RegAddress: reg_rdata_o = 32'(address_o);
          muster_pkg::RegPolicy: reg_rdata_o = policy;
          muster_pkg::RegTimes: reg_rdata_o = times;
          muster_pkg::RegLfsr: reg_rdata_o = {16'd0, number};
          muster_pkg::RegClosed: reg_rdata_o = 32'(shut_o);
          muster_pkg::RegLongestWait: reg_rdata_o = {16'd0, longest_wait_i};
          default: reg_rdata_o = word | counter_word;
        endcase
      end
    end
  end

endmodule

`default_nettype wire
