// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The words of the barrier registers that the host reads: 0x100 + 16r to 0x10F + 16r of
// docs/reference/registers.md. Combinational; 0 without read_i. Without Retry epoch,
// phase, failed and age are ignored and read as 0.
module muster_barrier_words #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// the registers repeat; 0 to 1
  parameter int unsigned Retry = 0,
  localparam int unsigned ParentW = $clog2(Ports + 1)
) (
  /// of register r
  input  wire logic [Regs-1:0]              valid_i,
  input  wire logic [Regs-1:0]              turn_i,
  input  wire logic [Regs-1:0]              claimed_i,
  input  wire logic [Regs-1:0]              sent_i,
  input  wire logic [Regs-1:0][2:0]         op_i,
  input  wire logic [Regs-1:0][ParentW-1:0] parent_i,
  input  wire logic [Regs-1:0][GidW-1:0]    gid_i,
  input  wire logic [Regs-1:0][Ports-1:0]   children_i,
  input  wire logic [Regs-1:0][Ports-1:0]   arrived_i,
  input  wire logic [Regs-1:0][Ports-1:0]   serve_i,
  input  wire logic [Regs-1:0][Ports-1:0]   folding_i,
  /// with Retry
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [Regs-1:0][1:0]         epoch_i,
  input  wire logic [Regs-1:0]              phase_i,
  input  wire logic [Regs-1:0]              failed_i,
  input  wire logic [Regs-1:0][3:0]         age_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /// its word of the straggler, 0 without
  input  wire logic [Regs-1:0][31:0]        straggler_i,

  /// the host reads word read_word_i of register read_register_i, which exists
  input  wire logic                         read_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire logic [3:0]                   read_register_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire logic [3:0]                   read_word_i,
  output logic [31:0]                       word_o
);
  `MUSTER_RANGE(Ports, 3, 32)
  `MUSTER_RANGE(Regs, 1, 16)
  `MUSTER_RANGE(GidW, 4, 12)
  `MUSTER_RANGE(Retry, 0, 1)

  // What the state has of registers that repeat: {age, suspect, failed, phase}.
  logic [Regs-1:0][6:0] retry;
  for (genvar r = 0; r < Regs; r++) begin : gen_retry
    if (Retry == 1) begin : gen_state
      assign retry[r] = {age_i[r], age_i[r] == '1, failed_i[r], phase_i[r]};
    end else begin : gen_none
      assign retry[r] = '0;
    end
  end

  // Timing-critical: the register is chosen by its number, not by a comparison with each.
  localparam int unsigned RegW = (Regs > 1) ? $clog2(Regs) : 1;
  logic [RegW-1:0] at;
  muster_pkg::barrier_control_t control;
  muster_pkg::barrier_state_t state;
  always_comb begin
    at = read_register_i[RegW-1:0];
    control = '0;
    state = '0;
    word_o = '0;
    if (read_i) begin
      control.valid = valid_i[at];
      control.turn = turn_i[at];
      control.claimed = claimed_i[at];
      control.op = op_i[at];
      control.epoch = (Retry == 1) ? epoch_i[at] : '0;
      control.parent = 6'(parent_i[at]);
      control.gid = 12'(gid_i[at]);
      {state.age, state.suspect, state.failed, state.phase} = retry[at];
      state.sent = sent_i[at];
      unique case (read_word_i)
        muster_pkg::RegBarrierControl[3:0]: word_o = control;
        muster_pkg::RegBarrierState[3:0]: word_o = state;
        muster_pkg::RegBarrierChildren[3:0]: word_o = 32'(children_i[at]);
        muster_pkg::RegBarrierArrived[3:0]: word_o = 32'(arrived_i[at]);
        muster_pkg::RegBarrierServe[3:0]: word_o = 32'(serve_i[at]);
        muster_pkg::RegBarrierFolding[3:0]: word_o = 32'(folding_i[at]);
        muster_pkg::RegBarrierStraggler[3:0]: word_o = straggler_i[at];
        default: word_o = '0;
      endcase
    end
  end

endmodule

`default_nettype wire
