#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/lint and scripts/synth find what they are there for: a copy of the project with one good
module passes, and fails as soon as an error is planted in it. Nothing in the project is touched."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

GOOD = """\
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Counts up to N.
module sample #(
  /// bits, 2 to 8
  parameter int unsigned N = 4
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          step_i,
  output logic [N-1:0]       count_o
);
  if (N < 2 || N > 8) begin : gen_bad
    $error("sample: N must be 2 to 8");
  end

  logic [N-1:0] next;
  assign next = count_o + N'(step_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_o <= '0;
    else count_o <= next;
  end

endmodule

`default_nettype wire
"""

# What is planted, in place of which text, and what the finding says.
LINT = {
    "no licence": ("// SPDX-License-Identifier: Apache-2.0\n", "", "no 'SPDX"),
    "a long line": ("// Counts up to N.", "// Counts " + 92 * "u", "sample.sv:4: 102 columns"),
    "implicit nets": ("`default_nettype none\n", "", "default_nettype"),
    "array of a typedef": ("  logic [N-1:0] next;", "  typedef logic [1:0] pair_t;\n"
                           "  pair_t [N-1:0] pairs;\n  logic [N-1:0] next;", "array of a typedef"),
    "undocumented range": ("/// bits, 2 to 8", "/// bits", "has no range"),
    "illegal value accepted": ("if (N < 2 ||", "if (N < 1 ||", "accepts {'N': 1}"),
    "width mismatch": ("N'(step_i)", "12'(step_i)", "WIDTH"),
    "unused signal": ("  logic [N-1:0] next;", "  logic [N-1:0] next, spare;", "spare"),
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


def changed(*replacements):
    text = GOOD
    for old, new in replacements:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class PlantedErrors(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.project = pathlib.Path(self.folder.name) / "project"
        shutil.copytree(ROOT / "scripts", self.project / "scripts",
                        ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("common/muster_pkg.sv", "common/muster_assert.svh"):
            copy = self.project / "rtl" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "rtl" / name, copy)
        (self.project / "rtl" / "configurations.json").write_text(json.dumps({"configurations": [
            {"name": "one", "top": "sample", "params": {"N": 8}}]}))
        (self.project / "rtl" / "switch").mkdir()
        (self.project / "synth").mkdir()
        for name in ("node_modules", "questions.json", "yosys.mjs"):
            (self.project / "synth" / name).symlink_to(ROOT / "synth" / name)
        self.baseline([{"configuration": "one", "module": "sample",
                        **{target: {"lut": 8} for target in ("ice40", "ecp5", "xc7")}}])

    def baseline(self, modules):
        (self.project / "synth" / "report.json").write_text(json.dumps({"modules": modules}))

    def run_script(self, script, text, *arguments):
        """(exit status, what it says) with the module `text` in the copy."""
        (self.project / "rtl" / "switch" / "sample.sv").write_text(text)
        result = subprocess.run([self.project / "scripts" / script, *arguments], text=True,
                                check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout

    def test_lint_fails_on_each_error(self):
        self.assertEqual(self.run_script("lint", GOOD), (0, ""))
        for error, (old, new, finding) in LINT.items():
            with self.subTest(error):
                status, said = self.run_script("lint", changed((old, new)))
                self.assertEqual(status, 1, said)
                self.assertIn(finding, said)

    def test_synth_fails_on_each_forbidden_warning(self):
        status, said = self.run_script("synth", GOOD, "one")
        self.assertEqual(status, 0, said)
        self.assertIn("sample", said)
        for warning, replacements in SYNTH.items():
            with self.subTest(warning):
                status, said = self.run_script("synth", changed(*replacements), "one")
                self.assertEqual(status, 1, said)
                self.assertIn(warning, said)

    def test_synth_fails_on_a_module_that_has_grown(self):
        status, said = self.run_script("synth", changed(
            ("N'(step_i);", "(step_i ? (next_i ^ (count_o >> 1)) : count_o + N'(step_i));"),
            ("  output logic [N-1:0]", "  input  wire logic [N-1:0]  next_i,\n"
             "  output logic [N-1:0]")), "one")
        self.assertEqual(status, 1, said)
        self.assertIn("grown by more than 5 %: one, sample", said)
        self.assertIn("8 in synth/report.json", said)

    def test_synth_ends_on_a_module_that_is_not_in_the_baseline(self):
        self.baseline([])
        status, said = self.run_script("synth", GOOD, "one")
        self.assertEqual(status, 1, said)
        self.assertIn("one, sample: not in synth/report.json", said)


if __name__ == "__main__":
    unittest.main()
