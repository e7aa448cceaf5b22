// SPDX-License-Identifier: Apache-2.0
`ifndef MUSTER_ASSERT_SVH
`define MUSTER_ASSERT_SVH

// The one assertion macro. `MUSTER_ASSERT(Name_A, fact)` in the body of a module that has clk_i and
// rst_ni states a fact of every rising edge with rst_ni high. No semicolon follows it, and it may
// not stand inside a procedural block or a loop: several facts of one kind are collected in a
// vector.
//
// It is a clocked immediate assertion, which all simulators have. Live in Verilator when built with
// --assert, in any other simulator with MUSTER_ASSERT_ON defined, an assertion for Yosys under
// `read_verilog -formal` (which defines FORMAL), else nothing: synthesis tools see none. Defining
// MUSTER_NO_ASSERT turns all of them off.
//
// `MUSTER_ASSUME(Name_M, fact)` restricts the inputs of a proof and `MUSTER_COVER(Name_C, fact)`
// asks for a trace that reaches the fact; both are for formal wrappers alone.

`ifdef MUSTER_NO_ASSERT
  `define MUSTER_ASSERT_OFF
`elsif FORMAL
`elsif VERILATOR
`elsif MUSTER_ASSERT_ON
`else
  `define MUSTER_ASSERT_OFF
`endif  // MUSTER_NO_ASSERT

`ifdef MUSTER_ASSERT_OFF
  `define MUSTER_ASSERT(name, fact)
`else
  `define MUSTER_ASSERT(name, fact) \
    always @(posedge clk_i) begin \
      if (rst_ni) begin \
        name: assert (fact); \
      end \
    end
`endif  // MUSTER_ASSERT_OFF

`ifdef FORMAL
  `define MUSTER_ASSUME(name, fact) \
    always @(posedge clk_i) begin \
      if (rst_ni) begin \
        name: assume (fact); \
      end \
    end
  `define MUSTER_COVER(name, fact) \
    always @(posedge clk_i) begin \
      if (rst_ni) begin \
        name: cover (fact); \
      end \
    end
`endif  // FORMAL

`endif  // MUSTER_ASSERT_SVH
