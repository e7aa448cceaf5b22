#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/prove passes on a copy of the project with a module that has what its wrappers say, and
fails on a false fact, on assumptions that leave no room, and on a block that is not quiescent."""

import shutil
import unittest

from sample_project import GOOD, ROOT, SampleProject, changed

PAGE = "results/proofs.md"
FACTS = """\
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "muster_assert.svh"

module sample_proof #(
  parameter int unsigned N = 4
) (
  input  wire logic  clk_i,
  input  wire logic  step_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [N-1:0] count, before_q;
  logic stepped_q, began_q;
  sample #(.N(N)) dut (.clk_i, .rst_ni, .step_i, .count_o(count));
  always_ff @(posedge clk_i) begin
    before_q <= count;
    stepped_q <= step_i;
    began_q <= rst_ni;
  end
  `MUSTER_ASSERT(Counts_A, !began_q || count == before_q + N'(stepped_q))
  `MUSTER_COVER(Five_C, count == N'(5))
endmodule
`default_nettype wire
"""
# A block that counts what comes; of its own it does nothing.
QUIET = changed(
    GOOD, ("step_i,\n", "valid_i,\n"), ("N'(step_i)", "N'(valid_i)"),
    ("count_o\n);", "count_o,\n  output logic                quiescent_o\n);\n"
     "  assign quiescent_o = 1'b1;"))
MISCOUNTS = ("count_o + N'(step_i)", "(count_o == N'(5)) ? '0 : count_o + N'(step_i)")
RUNS_FREE = ("count_o + N'(valid_i)", "count_o + 1'b1 + N'(valid_i)")
ALSO_TRUE = ("  `MUSTER_COVER", "  `MUSTER_ASSERT(Known_A, began_q || rst_ni)\n  `MUSTER_COVER")
FOR_FIVE = """\
  if (N == 5) begin : gen_five
    `MUSTER_ASSERT(Known_A, began_q || rst_ni)
  end
"""
NO_ROOM = ("  `MUSTER_COVER", "  `MUSTER_ASSUME(Never_M, !step_i)\n  `MUSTER_COVER")


class Prove(SampleProject):
    def setUp(self):
        super().setUp()
        formal = self.project / "verif" / "formal"
        formal.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "verif/formal/cover_map.v", formal)
        self.page(PAGE, "| module | parameters | facts | hold |\n| --- | --- | --- | --- |\n"
                  "| sample | N=4 | 1 | any number of cycles | 1 | 7 | 10 | 0.1 |\n")

    def prove(self, line, wrapper, module=GOOD, *options):
        """`wrapper` is none where the script makes it."""
        name = line.split()[0]
        if wrapper:
            (self.project / "verif/formal" / f"{name}.sv").write_text(wrapper)
        (self.project / "verif/formal/proofs.txt").write_text(line + "\n")
        return self.run_script("prove", module, *options)

    def test_what_holds_is_proved_by_all_engines(self):
        said = self.passes(self.prove("sample_proof N=4 10 quick", FACTS))
        self.assertRegex(said, r"\| +1 \| any number of cycles +\| +1 \| +7 \| +10 \|")

    def test_a_line_that_the_table_lacks_is_an_error_until_it_is_written(self):
        self.finds(f"not in {PAGE}: sample_quiet N=5",
                   self.prove("sample_quiet N=5 - -", None, QUIET))
        self.passes(self.prove("sample_quiet N=5 - -", None, QUIET, "--write"))
        page = (self.project / PAGE).read_text()
        self.assertRegex(page,
                         r"\| sample \| N=5 +\| quiescent_o \| holds 5 flip-flops in any state")
        self.assertIn("`quiescent_o` holds in any state, in 1 sizes of 1 wrappers", page)
        self.assertIn("| [proofs.md](proofs.md) |",
                      (self.project / "results/README.md").read_text())
        self.passes(self.prove("sample_quiet N=5 - -", None, QUIET))

    def test_a_false_fact_fails_in_each_engine(self):
        status, said = self.prove("sample_proof N=4 10 quick", FACTS, changed(GOOD, MISCOUNTS))
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"\| +1 \| FAILED +\| +1 \| +\d+ +\| FAILED \|")

    def test_a_false_fact_is_found_within_the_cycles_of_a_bounded_line(self):
        broken = changed(GOOD, MISCOUNTS)
        self.finds("1 of 1 failed", self.prove("sample_proof N=4 10 bounded", FACTS, broken))
        self.assertIn("first 10 cycles",
                      self.passes(self.prove("sample_proof N=4 10 bounded", FACTS)))

    def test_a_line_that_must_fail_fails_if_everything_holds(self):
        self.finds("FAILED", self.prove("sample_proof N=4 10 fails:Counts_A", FACTS))

    def test_it_is_the_named_fact_that_must_fail(self):
        facts = changed(FACTS, ALSO_TRUE)
        broken = changed(GOOD, MISCOUNTS)
        self.assertIn("Counts_A", self.passes(
            self.prove("sample_proof N=4 10 fails:Counts_A", facts, broken, "--write")))
        self.finds("FAILED", self.prove("sample_proof N=4 10 fails:Known_A", facts, broken))
        self.finds("FAILED", self.prove("sample_proof N=4 10 fails:Nothing_A", facts, broken))

    def test_assumptions_that_leave_no_room_fail(self):
        self.finds("FAILED", self.prove("sample_proof N=4 10 quick", changed(FACTS, NO_ROOM)))

    def test_a_wrapper_without_facts_fails(self):
        empty = "\n".join(line for line in FACTS.split("\n") if "_ASSERT" not in line)
        self.finds("FAILED", self.prove("sample_proof N=4 10 quick", empty))

    def test_a_block_that_moves_while_it_is_quiescent_fails(self):
        self.assertIn("holds 4 flip-flops", self.passes(
            self.prove("sample_quiet N=4 - -", None, QUIET)))
        self.finds("FAILED",
                   self.prove("sample_quiet N=4 - -", None, changed(QUIET, RUNS_FREE)))

    def test_a_block_that_nothing_wakes_fails(self):
        asleep = changed(QUIET, ("quiescent_o = 1'b1", "quiescent_o = !valid_i"))
        self.finds("FAILED", self.prove("sample_quiet N=4 - -", None, asleep))


unittest.main()
