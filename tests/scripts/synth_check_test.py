#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/synth --check says which rows of results/synthesis.csv are of other sources: of another
statement or parameter, of a part, of what may be included, of the package; not of another comment.
No tool runs."""

import json
import re
import subprocess
import unittest

import copied_project

PACKAGE = """package muster_pkg;
  localparam int unsigned Width = 4;
  localparam int unsigned Twice = 2 * Width;
endpackage
"""
TOP = """// What it is for.
`include "few.svh"
module top #(
  /// bits, 1 to 8
  parameter int unsigned N = 2
) (input logic [muster_pkg::Twice-1:0] a_i, output logic b_o);
  part #(.N(N)) inner (.a_i, .b_o); /* as it
    is */
endmodule
"""
FILES = {
    "rtl/common/muster_pkg.sv": PACKAGE,
    "rtl/common/few.svh": "`define FEW(condition) (condition) // few\n",
    "rtl/common/part.sv": "module part;\n  initial $display(\"// no comment\");\nendmodule\n",
    "rtl/switch/top.sv": TOP,
    "rtl/configurations.json": json.dumps(
        {"configurations": [{"name": "sw", "top": "top", "params": {"N": 3}}]}),
    "synth/designs.json": json.dumps({
        "questions": [
            {"name": "size", "title": "What?", "note": "Bits.", "top": "top", "vary": "N",
             "values": [1], "params": {}, "flat": True},
            {"name": "which", "title": "Which?", "note": "Tops.", "vary": "top",
             "values": ["part"], "params": {}}],
        "ladder": [],
        "placed": [
            {"name": "size:1", "seeds": {"hx8k": 1}},
            {"name": "two", "export": "--module two", "dests": 64, "seeds": {"hx8k": 1}}]}),
    # What it exports.
    "build/muster": """#!/bin/sh
echo 'module two;
  part one (.a_i(1'"'"'b0)); // a network
endmodule'
""",
}
ROWS = "defaults:part", "size:1", "size:1 hx8k", "sw", "two hx8k", "which:part"
STAMP = """
import sys
sys.path[:0] = ["scripts", "synth"]
import synth_report
modules = {"sw": {"module": "top"}, "defaults:part": {"module": "part"}}
rows = [{"design": design, "family": family, "lut": 1, **modules.get(design, {})}
        for design in (*modules, "size:1", "which:part")
        for family in synth_report.FAMILIES]
rows += [{"design": design, "family": "hx8k", "cells": 1, "seconds": 1}
         for design in ("size:1", "two")]
for row in rows:
    row["sources"] = synth_report.digest(*synth_report.designs()[synth_report.name_of(row)])
print(synth_report.csv_of(rows), end="")
"""


class Ages(unittest.TestCase):
    def setUp(self):
        self.project = copied_project.copied_scripts(self, "results")
        for name, text in FILES.items():
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            (self.project / name).write_text(text)
            (self.project / name).chmod(0o755)
        stamped = subprocess.run(["python3", "-c", STAMP], cwd=self.project, text=True,
                                 capture_output=True, check=True).stdout
        self.csv = self.project / "results/synthesis.csv"
        self.csv.write_text(stamped)

    def check(self, task="--check"):
        return copied_project.run(self.project / "scripts/synth", task)

    def stale(self):
        return tuple(line.partition(": its row")[0].removeprefix("results/synthesis.csv: ")
                     for line in self.check()[1].splitlines())

    def change(self, name, old, new):
        text = FILES[name]
        self.assertEqual(text.count(old), 1, old)
        (self.project / name).write_text(text.replace(old, new))

    def test_comments_and_white_space_make_no_row_old(self):
        self.assertEqual(self.check(), (0, ""))
        for name, old, new in (("rtl/switch/top.sv", "// What it is for.", "// Another."),
                               ("rtl/switch/top.sv", "/* as it\n    is */", "// inside"),
                               ("rtl/switch/top.sv", "  part #(", "\n\n      part #("),
                               ("rtl/common/few.svh", " // few", ""),
                               ("synth/designs.json", "Bits.", "All bits.")):
            with self.subTest(new):
                self.change(name, old, new)
                self.assertEqual(self.check(), (0, ""))
                (self.project / name).write_text(FILES[name])

    def test_what_the_hardware_is_made_of_makes_its_rows_old(self):
        of_top = "size:1", "size:1 hx8k", "sw"
        for name, old, new, rows in (
                ("rtl/switch/top.sv", "output logic b_o", "output logic c_o", of_top),
                ("rtl/common/few.svh", "(condition) //", "1 //", ROWS),
                ("rtl/common/muster_pkg.sv", "2 * Width", "3 * Width", ROWS),
                ("rtl/common/part.sv", "// no comment", "// another", ROWS),
                ("rtl/configurations.json", '"N": 3', '"N": 4', ("sw",)),
                ("build/muster", "'b0", "'b1", ("two hx8k",)),
                ("synth/designs.json", '"dests": 64', '"dests": 8', ("two hx8k",)),
                ("synth/designs.json", '"flat": true', '"flat": false', ("size:1",))):
            with self.subTest(new):
                self.change(name, old, new)
                self.assertEqual(self.stale(), rows)
                (self.project / name).write_text(FILES[name])

    def test_an_old_row_is_an_error_that_names_its_command(self):
        self.change("rtl/common/few.svh", "(condition) //", "1 //")
        status, said = self.check()
        self.assertEqual(status, 1)
        self.assertIn("scripts/synth --write size renews it", said)
        self.assertIn("scripts/synth --write sw renews it", said)
        self.assertIn("scripts/synth --place --write --chip hx8k size:1 renews it", said)

    def test_a_mark_is_set_for_rows_of_other_sources_and_for_no_others(self):
        stamped = self.csv.read_text()
        self.change("rtl/configurations.json", '"N": 3', '"N": 4')
        configurations = self.project / "rtl/configurations.json"
        configurations.write_text(configurations.read_text().replace('"sw"', '"sw4"'))
        self.csv.write_text(stamped.replace("sw,top", "sw4,top"))
        self.assertEqual(self.stale(), ("sw4",))
        self.assertEqual(self.check("--older"), (0, ""))
        self.assertEqual(self.check(), (0, ""))
        self.assertEqual([line.split(",")[0] for line in self.csv.read_text().splitlines()
                          if line.endswith("earlier")], 4 * ["sw4"])
        configurations.write_text(configurations.read_text().replace('"N": 4', '"N": 3'))
        status, said = self.check()
        self.assertEqual((status, "sw4: is as it is now" in said), (1, True))

    def test_a_row_without_a_digest_and_one_of_no_design_are_errors(self):
        text = re.sub(r"^(size:1,.*,)\w+,$", r"\1,", self.csv.read_text(), flags=re.MULTILINE)
        self.csv.write_text(text.replace("which:part", "which:none"))
        status, said = self.check()
        self.assertEqual(status, 1)
        self.assertIn("size:1: its row", said)
        self.assertIn("which:none: its design is gone", said)


unittest.main()
