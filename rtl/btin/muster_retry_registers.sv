// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The barrier registers of a switch that tolerates lost and duplicated messages on the links, and
// the ticks that they share (docs/systems/retry-registers.md): R of muster_retry_register, which
// describes the ports. Each message goes to all registers, one message of every port in every
// cycle.
module muster_retry_registers #(
  /// ports of the switch, 3 to 16
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
  /// and to the word of periods, see muster_retry_ticks
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
  if (Regs < 1 || Regs > 16) begin : gen_bad_regs
    $error("muster_retry_registers: Regs must be 1 to 16");
  end

  logic tick, age_tick, ticking;
  logic [Regs-1:0] under_way, suspect, changes;

  muster_retry_ticks ticks (
    .clk_i, .rst_ni,
    .write_i(periods_write_i),
    .wdata_i(periods_i),
    .word_o(periods_o),
    .under_way_i(under_way != '0),
    .tick_o(tick),
    .age_tick_o(age_tick),
    .busy_o(ticking)
  );

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
      .tick_i(tick),
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
  assign busy_o = changes | {Regs{ticking}};

endmodule

`default_nettype wire
