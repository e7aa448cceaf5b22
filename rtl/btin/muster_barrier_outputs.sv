// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// For each output of a switch, selects one message among the barrier registers that have one for it
// (BTIN section 3.2). Any number of outputs can send in one cycle.
//
// If several registers have a message for port p, one leaves at a time, by round robin over the
// registers: the pointer is 0 after reset and moves past register r when its message has left
// through p. send_o[p] offers the message of that register; it leaves in a cycle with leaves_i[p].
// An offered message may wait for one that the round robin prefers.
//
// A register requests its parent port only when all its children are served, so at any time it has
// one message for all its ports. With Labels it differs in the field of the group alone, which is
// the label of the register for the port, from muster_port_labels.
module muster_barrier_outputs #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// payload bits of a flit, 16 to 80
  parameter int unsigned FlitW = 16,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// messages carry labels; 0 to 1. Requires Labels == 0 || Ports <= 16
  parameter int unsigned Labels = 0,
  localparam int unsigned DataW = FlitW - muster_pkg::MsgTypeW - GidW,
  localparam int unsigned RegW = (Regs > 1) ? $clog2(Regs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  /// register r has a message for port p: a distribution or a reduction, its group, its data
  input  wire logic [Regs-1:0][Ports-1:0]  request_i,
  input  wire logic [Regs-1:0]             distribution_i,
  input  wire logic [Regs-1:0][GidW-1:0]   gid_i,
  input  wire logic [Regs-1:0][DataW-1:0]  data_i,
  /// the message of register r to port p leaves in this cycle
  output logic [Regs-1:0][Ports-1:0]       leaves_o,
  /// with Labels: the host writes those of a register, see muster_port_labels
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [1:0]                  labels_write_i,
  input  wire logic [RegW-1:0]             labels_register_i,
  input  wire logic [31:0]                 labels_i,
  /* verilator lint_on UNUSEDSIGNAL */

  /// a message for port p
  output logic [Ports-1:0]                 send_o,
  output logic [Ports-1:0][FlitW-1:0]      send_payload_o,
  /// it leaves in this cycle; only where send_o[p]
  input  wire logic [Ports-1:0]            leaves_i
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(FlitW, 16, 80)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_REFUSE(labels, Labels > 1 || (Labels == 1 && Ports > 16),
                 "Labels must be 0 or 1, and 0 above 16 ports")

  // Whether some register sends is known without the arbiters.
  always_comb begin
    send_o = '0;
    for (int unsigned r = 0; r < Regs; r++) send_o = send_o | request_i[r];
  end

  // One message of each register, whatever the ports; all bits but the type's upper one.
  logic [Regs-1:0][FlitW-2:0] message;
  for (genvar r = 0; r < Regs; r++) begin : gen_message
    assign message[r] = {distribution_i[r], (Labels == 1) ? '0 : gid_i[r], data_i[r]};
  end

  logic [Ports-1:0][RegW-1:0] number;  // of the register selected for port p
  logic [Ports-1:0][muster_pkg::LabelW-1:0] labels;
  if (Labels == 1) begin : gen_labels
    muster_port_labels #(.Ports(Ports), .Regs(Regs)) of_ports (
      .clk_i,
      .write_i(labels_write_i),
      .register_i(labels_register_i),
      .labels_i,
      .number_i(number),
      .label_o(labels)
    );
  end else begin : gen_no_labels
    assign labels = '0;
  end

  // Bit r * Ports + p: register r, port p; of contend and grant p * Regs + r.
  logic [Regs*Ports-1:0] request, leaves;
  logic [Ports*Regs-1:0] contend, grant;
  assign request = request_i;
  assign leaves_o = leaves;
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    for (genvar r = 0; r < Regs; r++) begin : gen_of
      assign contend[p*Regs+r] = request[r*Ports+p];
      assign leaves[r*Ports+p] = leaves_i[p] && grant[p*Regs+r];
    end
    muster_rr_select #(.N(Regs)) select (
      .clk_i, .rst_ni,
      .req_i(contend[p*Regs+:Regs]),
      .take_i(leaves_i[p]),
      .grant_o(grant[p*Regs+:Regs]),
      .number_o(number[p])
    );
    assign send_payload_o[p] =  // type 0 or 1
        {1'b0, message[number[p]]} | FlitW'({labels[p], {DataW{1'b0}}});
  end

  `MUSTER_ASSERT(LeavesWasOffered_A, (leaves_i & ~send_o) == '0)

endmodule

`default_nettype wire
