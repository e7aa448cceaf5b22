#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/hardware writes what synth/report.json says of the parts that a page names, and finds a
table that says something else."""

import json
import subprocess
import unittest

import copied_project

REPORT = {
    "modules": [{"configuration": "sw4", "module": "top", "ice40": {"lut": 10, "ff": 3, "ram": 1},
                 "ecp5": {"lut": 9, "ff": 2}, "xc7": {"lut": 8, "ff": 2}},
                {"configuration": "sw4", "module": "part", "ice40": {"lut": 4, "ff": 1},
                 "ecp5": {"lut": 4, "ff": 1}, "xc7": {"lut": 3, "ff": 1}}],
    "answers": [{"question": "unit", "value": 4, "ice40": {"lut": 7, "ff": 2},
                 "ecp5": {"lut": 7, "ff": 2}, "xc7": {"lut": 5, "ff": 2}}],
    "placed": [{"configuration": "sw4", "chip": "hx8k", "cells": 12, "mhz": 73.6},
               {"configuration": "unit:4", "chip": "hx8k", "cells": 8, "mhz": 99.5}]}
MARK = "table synth the switch = sw4:top; of it a part = sw4:part; a unit = unit:4"


class Hardware(unittest.TestCase):
    def setUp(self):
        self.project = copied_project.copied_scripts(self, "docs", "synth", "rtl")
        (self.project / "synth/report.json").write_text(json.dumps(REPORT))
        (self.project / "rtl/configurations.json").write_text(json.dumps(
            {"configurations": [{"name": "sw4", "top": "top"}]}))
        self.page = self.project / "docs/page.md"
        self.page.write_text(f"<!-- {MARK} -->\n<!-- end -->\n")

    def hardware(self, *arguments):
        done = subprocess.run([self.project / "scripts/hardware", *arguments], text=True,
                              capture_output=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_table_has_the_parts_that_its_mark_names(self):
        self.assertEqual(self.hardware(), (0, ""))
        rows = [line.strip("| ").split("|") for line in self.page.read_text().splitlines()[1:-1]]
        rows = [[cell.strip() for cell in row] for row in rows]
        self.assertEqual(rows[0], ["", "iCE40 LUT", "FF", "RAM", "ECP5 LUT", "FF", "Xilinx 7 LUT",
                                   "FF", "HX8K cells, MHz"][1:])
        self.assertEqual(rows[2], ["the switch", "10", "3", "1", "9", "2", "8", "2", "12, 74"])
        self.assertEqual(rows[3][:4], ["of it a part", "4", "1", ""])
        self.assertEqual(rows[4][-1], "8, 100")
        self.assertEqual(self.hardware("--check"), (0, ""))

    def test_a_table_that_the_report_does_not_bear_is_found(self):
        self.hardware()
        self.page.write_text(self.page.read_text().replace("12, 74", "12, 80"))
        status, said = self.hardware("--check")
        self.assertEqual(status, 1)
        self.assertIn("docs/page.md: a table is not what synth/report.json says", said)

    def test_a_part_that_the_report_lacks_is_an_error(self):
        self.page.write_text("<!-- table synth a unit = unit:5 -->\n<!-- end -->\n")
        status, said = self.hardware()
        self.assertEqual(status, 1)
        self.assertIn("docs/page.md: synth/report.json has no unit:5", said)


if __name__ == "__main__":
    unittest.main()
