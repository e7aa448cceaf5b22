// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The barrier registers of a switch that tolerates lost and duplicated messages on the links:
// Regs of muster_retry_register, which describes the ports, and the ticks that they share, word
// 0x011 (docs/systems/retry-registers.md). Each message goes to all registers, one message of every
// port in every cycle.
//
// The word has the repeat period in cycles, bits 15..0, and the age period in repeat ticks, bits
// 23..16; 0 is never. Cycles count while a register has a barrier in progress. So if one has from
// cycle t on, and the repeat period is N, registers repeat in t + N, t + 2N and so on; they grow
// older with the last tick of each age period. Both counters restart with a write, and when no
// register has a barrier in progress: a write in t has the first tick in t + 1 + N.
module muster_retry_registers #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// bits of synchronization data, those of the fields included, 6 to 74
  parameter int unsigned DataW = 6,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  /// host writes to register r
  input  wire logic [Regs-1:0]               control_write_i,
  input  wire logic                          valid_i,
  input  wire logic                          turn_i,
  input  wire logic                          claimed_i,
  input  wire logic [2:0]                    op_i,
  input  wire logic [1:0]                    epoch_i,
  input  wire logic [ParentW-1:0]            parent_i,
  input  wire logic [Ports-1:0]              parent_port_i,
  input  wire logic [GidW-1:0]               gid_i,
  input  wire logic [Regs-1:0]               children_write_i,
  input  wire logic [Ports-1:0]              children_i,
  input  wire logic [Regs-1:0]               abort_i,
  /// and to the word of periods
  input  wire logic                          periods_write_i,
  input  wire logic [23:0]                   periods_i,
  output logic [31:0]                        periods_o,
  /// a barrier has been under way for 14 to 15 age periods or more
  output logic                               suspect_o,

  /// a well-formed message on port p: distribution or reduction, its group, its data
  input  wire logic [Ports-1:0]              msg_i,
  input  wire logic [Ports-1:0]              msg_distribution_i,
  input  wire logic [Ports-1:0][GidW-1:0]    msg_gid_i,
  input  wire logic [Ports-1:0][DataW-1:0]   msg_data_i,
  /// the message on port p is of register r's group; it is not refused
  output logic [Regs-1:0][Ports-1:0]         match_o,
  output logic [Regs-1:0][Ports-1:0]         takes_o,

  /// a message of register r waits for port p
  output logic [Regs-1:0][Ports-1:0]         request_o,
  output logic [Regs-1:0]                    distribution_o,
  output logic [Regs-1:0][DataW-1:0]         data_o,
  /// it leaves in this cycle; only where request_o[r][p]
  input  wire logic [Regs-1:0][Ports-1:0]    leaves_i,

  /// for the host
  output logic [Regs-1:0]                    valid_o,
  output logic [Regs-1:0]                    turn_o,
  output logic [Regs-1:0]                    claimed_o,
  output logic [Regs-1:0][2:0]               op_o,
  output logic [Regs-1:0][1:0]               epoch_o,
  output logic [Regs-1:0][ParentW-1:0]       parent_o,
  output logic [Regs-1:0][GidW-1:0]          gid_o,
  output logic [Regs-1:0][Ports-1:0]         children_o,
  output logic [Regs-1:0][Ports-1:0]         arrived_o,
  output logic [Regs-1:0][Ports-1:0]         serve_o,
  output logic [Regs-1:0]                    sent_o,
  output logic [Regs-1:0]                    phase_o,
  output logic [Regs-1:0]                    failed_o,
  output logic [Regs-1:0][3:0]               age_o,
  output logic [Regs-1:0][Ports-1:0]         folding_o,
  /// something changes at the edge in register r, whatever comes, or in the ticks
  output logic [Regs-1:0]                    busy_o
);
  `MUSTER_RANGE(Regs, 1, 16)

  // ---- Ticks ----------------------------------------------------------------------------------
  logic [Regs-1:0] under_way, suspect, changes;
  logic [15:0] period_q, cycles_q, cycles;
  logic [7:0] age_period_q, ticks_q;
  logic [8:0] ticks_next;
  logic runs, whole, tick_q, age_tick;
  assign runs = under_way != '0 && period_q != '0;
  assign cycles = cycles_q + 1'b1;
  assign whole = cycles == period_q;
  assign ticks_next = {1'b0, ticks_q} + 1'b1;  // with a bit more, which no period has: 0 is never
  assign age_tick = tick_q && ticks_next == {1'b0, age_period_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {age_period_q, period_q} <= '0;
    else if (periods_write_i) {age_period_q, period_q} <= periods_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || periods_write_i || !runs) begin
      tick_q <= 1'b0;
      cycles_q <= '0;
      ticks_q <= '0;
    end else begin
      tick_q <= whole;
      cycles_q <= whole ? '0 : cycles;
      if (age_tick) ticks_q <= '0;
      else if (tick_q) ticks_q <= ticks_next[7:0];
    end
  end

  muster_pkg::periods_t periods;
  always_comb begin
    periods = '0;
    periods.age = age_period_q;
    periods.repetition = period_q;
  end
  assign periods_o = periods;

  // ---- Registers ------------------------------------------------------------------------------

  for (genvar r = 0; r < Regs; r++) begin : gen_register
    muster_retry_register #(.Ports(Ports), .GidW(GidW), .DataW(DataW)) register (
      .clk_i, .rst_ni,
      .control_write_i(control_write_i[r]),
      .valid_i,
      .turn_i,
      .claimed_i,
      .op_i,
      .epoch_i,
      .parent_i,
      .parent_port_i,
      .gid_i,
      .children_write_i(children_write_i[r]),
      .children_i,
      .abort_i(abort_i[r]),
      .tick_i(tick_q),
      .age_tick_i(age_tick),
      .msg_i,
      .msg_distribution_i,
      .msg_gid_i,
      .msg_data_i,
      .match_o(match_o[r]),
      .takes_o(takes_o[r]),
      .request_o(request_o[r]),
      .distribution_o(distribution_o[r]),
      .data_o(data_o[r]),
      .leaves_i(leaves_i[r]),
      .valid_o(valid_o[r]),
      .turn_o(turn_o[r]),
      .claimed_o(claimed_o[r]),
      .op_o(op_o[r]),
      .epoch_o(epoch_o[r]),
      .parent_o(parent_o[r]),
      .gid_o(gid_o[r]),
      .children_o(children_o[r]),
      .arrived_o(arrived_o[r]),
      .serve_o(serve_o[r]),
      .sent_o(sent_o[r]),
      .phase_o(phase_o[r]),
      .failed_o(failed_o[r]),
      .age_o(age_o[r]),
      .folding_o(folding_o[r]),
      .under_way_o(under_way[r]),
      .busy_o(changes[r])
    );
    assign suspect[r] = age_o[r] == '1;
  end

  assign suspect_o = suspect != '0;
  assign busy_o = changes | {Regs{runs || tick_q || cycles_q != '0 || ticks_q != '0}};

  `MUSTER_ASSERT(CyclesInPeriod_A, cycles_q == '0 || cycles_q < period_q)
  `MUSTER_ASSERT(TickBeginsPeriod_A, !tick_q || cycles_q == '0)
  `MUSTER_ASSERT(TicksInAgePeriod_A, age_period_q == '0 || ticks_q < age_period_q)

endmodule

`default_nettype wire
