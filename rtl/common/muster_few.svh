// SPDX-License-Identifier: Apache-2.0
`ifndef MUSTER_FEW_SVH
`define MUSTER_FEW_SVH

// `MUSTER_FEW(condition)` guards statements that change nothing while the condition is false, and
// it is false in most cycles: a simulation-speed guard, functionally redundant. In hardware the
// guard would be one more gate in their path, so synthesis and proofs read the statements without
// it; the netlist's lockstep tests compare both with the same golden model.
`ifdef VERILATOR
  `define MUSTER_FEW(condition) (condition)
`else
  `define MUSTER_FEW(condition) (1'b1)
`endif  // VERILATOR

`endif  // MUSTER_FEW_SVH
