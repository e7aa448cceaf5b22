// SPDX-License-Identifier: Apache-2.0
`ifndef MUSTER_ASSERT_SVH
`define MUSTER_ASSERT_SVH

// The one assertion macro. `MUSTER_ASSERT(Name_A, fact)` in the body of a module that has clk_i and
// rst_ni states a fact of every rising edge with rst_ni high. No semicolon follows it, and it may
// not stand inside a procedural block or a loop: several facts of one kind are collected in a
// vector.
//
// It is a clocked immediate assertion: live in Verilator when built with --assert, an assertion for
// Yosys under `read_verilog -formal` (which defines FORMAL), nothing in synthesis. In any other
// simulator MUSTER_ASSERT_ON, defined by its user, turns it on: there it is an $error, as some have
// no labels before assertions; a fact that is X is none. MUSTER_NO_ASSERT turns all of them off.
//
// `MUSTER_ASSUME(Name_M, fact)` restricts the inputs of a proof and `MUSTER_COVER(Name_C, fact)`
// asks for a trace that reaches the fact; both are for formal wrappers only.

`define MUSTER_ASSERT_LABELLED(name, fact) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      name: assert (fact); \
    end \
  end

`ifdef MUSTER_NO_ASSERT
  `define MUSTER_ASSERT(name, fact)
`elsif FORMAL
  `define MUSTER_ASSERT(name, fact) `MUSTER_ASSERT_LABELLED(name, fact)
`elsif VERILATOR
  `define MUSTER_ASSERT(name, fact) `MUSTER_ASSERT_LABELLED(name, fact)
`elsif MUSTER_ASSERT_ON
  `define MUSTER_ASSERT(name, fact) \
    always @(posedge clk_i) begin : name \
      if (rst_ni && !(fact)) $error("%m"); \
    end
`else
  `define MUSTER_ASSERT(name, fact)
`endif  // MUSTER_NO_ASSERT

// `MUSTER_REFUSE(name, condition, text) refuses values of parameters when a module is elaborated.
// `MUSTER_RANGE(Name, low, high) demands such a value of one; `low` may be 0, where `name < low`
// would be a warning. `MUSTER_POWER_OF_TWO demands a power of two as well.
`define MUSTER_REFUSE(name, condition, text) \
  if (condition) begin : gen_bad_``name \
    $error(text); \
  end
`define MUSTER_RANGE(name, low, high) \
  `MUSTER_REFUSE(name, name + 1 <= (low) || name > (high), `"name must be low to high`")
`define MUSTER_POWER_OF_TWO(name, low, high) \
  `MUSTER_REFUSE(name, name + 1 <= (low) || name > (high) || (name & (name - 1)) != 0, \
                 `"name must be a power of two from low to high`")

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
