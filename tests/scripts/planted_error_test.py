#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/lint and scripts/synth find what they are there for: a copy of the project with one good
module passes, and fails as soon as an error is planted in it."""

import unittest

from sample_project import GOOD, SampleProject, changed

# What is planted, in place of which text, and what the finding says.
LINT = {
    "no licence": ("// SPDX-License-Identifier: Apache-2.0\n", "", "no 'SPDX"),
    "a long line": ("// Counts up to N.", "// Counts " + 92 * "u", "sample.sv:4: 102 columns"),
    "a misspelt word": (
        "// Counts up to N.", "// Recieves N.", "sample.sv:4: Recieves"),  # codespell:ignore
    "a word of the list": (
        "// Counts up to N.", "// Counts for nobody.", "sample.sv:4: nobody"),  # codespell:ignore
    "implicit nets": ("`default_nettype none\n", "", "default_nettype"),
    "array of a typedef": ("  logic [N-1:0] next;", "  typedef logic [1:0] pair_t;\n"
                           "  pair_t [N-1:0] pairs;\n  logic [N-1:0] next;", "array of a typedef"),
    "else if of blocks": ("  assign next =", "  if (N == 2) begin : gen_two\n"
                          "  end else if (N == 3) begin : gen_three\n  end\n  assign next =",
                          "`else if` in a generate block"),
    "a variable index before the last": (
        "  assign next =", "  logic [N-1:0][1:0] pairs;\n  always_comb begin\n"
        "    for (int unsigned i = 0; i < N; i++) pairs[i][0] = step_i;\n  end\n  assign next =",
        "`pairs[i][0]`, a variable index before the last"),
    "undocumented range": ("/// bits, 2 to 8", "/// bits", "has no range"),
    "a relation in words": ("/// bits, 2 to 8", "/// bits, 2 to 8, at least N",
                            "`at least N` is no relation"),
    "width mismatch": ("N'(step_i)", "12'(step_i)", "WIDTH"),
    "unused signal": ("  logic [N-1:0] next;", "  logic [N-1:0] next, spare;", "spare"),
    "a warning of a newer tool": (
        "  logic [N-1:0] next;", "  logic again = 1'b0;\n"
        "  always_ff @(posedge clk_i) again <= step_i;\n  logic [N-1:0] next;", "PROCASSINIT"),
    "a string of one tool": ("count_o + N'(step_i)", "count_o + N'(step_i) + N'(\"\\r\")",
                             "-Wunknown-escape-code"),
    "a block of another form": ("begin : gen_bad", "begin : bad", "generate-label-prefix"),
    "two drivers": ("  assign next =", "  assign next = '0;\n  assign next =", "Yosys"),
}
SYNTH = {
    "implicitly declared": [("`default_nettype none", "`default_nettype wire"),
                            ("count_o <= next", "count_o <= next + surprise")],
    "out of bounds": [("N'(step_i)", "N'(step_i) + N'(step_i[3])")],
    "no driver": [("  logic [N-1:0] next;", "  logic [N-1:0] next, spare;"),
                  ("count_o <= next", "count_o <= next + spare")],
    "multiple conflicting drivers": [("  assign next =",
                                      "  assign next = ~count_o;\n  assign next =")],
    "conflicting with a constant": [("  assign next =", "  assign next = '0;\n  assign next =")],
}


class PlantedErrors(SampleProject):
    def setUp(self):
        super().setUp()
        self.results([{"design": "one", "module": "sample", "family": family, "lut": 8}
                      for family in ("ice40", "ecp5", "xc7")])

    def test_lint_fails_on_each_error(self):
        self.assertEqual(self.run_script("lint", GOOD), (0, ""))
        for error, (old, new, finding) in LINT.items():
            with self.subTest(error):
                self.finds(finding, self.run_script("lint", changed(GOOD, (old, new))))

    def test_synth_fails_on_each_forbidden_warning(self):
        self.assertIn("sample", self.passes(self.run_script("synth", GOOD, "--quick", "one")))
        for warning, replacements in SYNTH.items():
            with self.subTest(warning):
                self.finds(warning,
                           self.run_script("synth", changed(GOOD, *replacements), "--quick", "one"))

    def test_synth_fails_on_a_module_that_has_grown(self):
        grown = self.run_script("synth", changed(
            GOOD, ("N'(step_i);", "(step_i ? (next_i ^ (count_o >> 1)) : count_o + N'(step_i));"),
            ("  output logic [N-1:0]", "  input  wire logic [N-1:0]  next_i,\n"
             "  output logic [N-1:0]")), "--quick", "one")
        self.finds("grown by more than 5 %: one, sample", grown)
        self.finds("8 in results/synthesis.csv", grown)

    def test_equivalence_fails_where_two_front_ends_differ(self):
        self.assertIn("sample", self.passes(self.run_script("equivalence", GOOD, "slang")))
        self.finds("DIFFERS", self.run_script("equivalence", changed(
            GOOD, ("count_o + N'(step_i)", "count_o + (N'(\"\\r\") & N'(step_i))")), "slang"))


unittest.main()
