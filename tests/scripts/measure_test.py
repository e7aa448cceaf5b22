#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/coverage, mutate, board, placing and the baseline of synth say what is wrong and
fail. What they build and run is replaced by programs with prepared results: this takes seconds."""

import json
import os
import sys
import unittest
import unittest.mock

from sample_project import GOOD, ROOT, SampleProject

import flow

RTL = "rtl/switch/sample.sv"
FAULT = {"file": RTL, "text": "assign next = count_o + N'(step_i);", "mode": "inv", "port": "A[0]",
         "while": ""}
REASON = {"file": RTL, "text": FAULT["text"], "faults": "inv A[0]", "why": "because"}


class Measure(SampleProject):
    def setUp(self):
        super().setUp()
        (self.project / "verif").mkdir(exist_ok=True)
        self.tools = self.project / "tools"
        self.tools.mkdir()
        self.enterContext(unittest.mock.patch.dict(
            os.environ, {"PATH": f"{self.tools}:{os.environ['PATH']}"}))
        self.program("tools/cmake", "exit 0")  # what is built is here already

    def program(self, path, commands):
        path = self.project / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{commands}\n")
        path.chmod(0o755)


class Coverage(Measure):
    def coverage(self, counts, holes=(), *arguments, status=0):
        """The full run, on blocks that run so often, by line."""
        (self.project / "verif/coverage.json").write_text(json.dumps({"holes": list(holes)}))
        points = "\n".join(
            f"C '\x01f\x02{self.project}/{RTL}\x01l\x02{line}\x01n\x0211\x01page\x02v_line/sample"
            f"\x01o\x02block\x01h\x02top' {count}" for line, count in counts.items())
        (self.project / "prepared.dat").write_text(points + "\n")
        for size in ("full", "parts"):
            self.program(f"build/tests/verif/coverage_{size}",
                         f"cp '{self.project}/prepared.dat' \"$MUSTER_COVERAGE\"; exit {status}")
        return self.run_script("coverage", GOOD, *arguments)

    def test_a_block_that_nothing_runs_needs_a_reason(self):
        hole = {"file": RTL, "text": "if (!rst_ni) count_o <= '0;", "why": "because"}
        number = GOOD.split("\n").index("    " + hole["text"]) + 1
        self.passes(self.coverage({number: 3}))
        said = self.coverage({number: 0})
        self.finds("less than 98 % of its blocks", said)
        self.finds(f"{RTL}:{number}", said)
        self.assertIn("because", self.passes(self.coverage({number: 0}, [hole])))

    def test_a_reason_that_explains_nothing_is_an_error(self):
        hole = {"file": RTL, "text": "if (!rst_ni) count_o <= '0;", "why": "because"}
        self.finds("this reason explains nothing", self.coverage({2: 1}, [hole]))

    def test_tests_that_fail_are_an_error(self):
        self.finds("coverage_full", self.coverage({2: 1}, status=1))


class Mutate(Measure):
    def mutate(self, verdicts, equivalent=(), *arguments, status=0):
        """Faults 1 and 2; the program says nothing of one whose verdict is empty."""
        (self.project / "verif/mutations.json").write_text(json.dumps({"mutations": [
            {"name": "sample", "configuration": "one", "count": 2, "quick": True,
             "equivalent": list(equivalent)}]}))
        folder = "build/tests/verif/mutation"
        cases = " ".join(f"{i}) printf '{i}\\t{v}\\tdiffers\\n';;"
                         for i, v in enumerate(verdicts, 1) if v)
        self.program(f"{folder}/mutation_sample",
                     f"for i; do case $i in {cases} esac; done; exit {status}")
        (self.project / folder / "sample.json").write_text(
            json.dumps([{**FAULT, "cell": "a"}, {**FAULT, "port": "B[0]", "cell": "a"}]))
        return self.run_script("mutate", GOOD, *arguments)

    def test_a_fault_that_survives_needs_a_reason(self):
        self.assertIn("100.0", self.passes(self.mutate(["killed", "killed"])))
        self.finds("fault 1 survives", self.mutate(["survived", "killed"]))
        said = self.passes(self.mutate(["survived", "killed"], [REASON]))
        self.assertIn("because", said)

    def test_a_reason_that_explains_no_survivor_is_an_error(self):
        self.finds("explains no survivor",
                   self.mutate(["killed", "killed"], [REASON]))

    def test_quick_runs_take_equivalent_faults_as_read(self):
        equivalent = [REASON]
        self.passes(self.mutate(["", "killed"], equivalent, "--quick"))
        self.finds("fault 2 survives", self.mutate(["", "survived"], equivalent, "--quick"))
        self.finds("explains no survivor", self.mutate(
            ["killed", "killed"], [{**REASON, "faults": "inv C[0]"}], "--quick"))

    def test_a_program_that_ends_early_is_an_error(self):
        self.finds("mutation_sample", self.mutate(["killed", "killed"], status=1))
        self.finds("ends before its last fault", self.mutate(["killed", ""]))


class Board(Measure):
    def board(self, routed, golden):
        """The flow with tools that make nothing, and models that send these lines."""
        (self.project / "rtl/board").mkdir()
        (self.project / "rtl/board/muster_board_top.sv").write_text(
            GOOD.replace("sample", "muster_board_top")
            .replace("N = 4", "N = 4, System = 0, Divisor = 2"))
        report = json.dumps({
            "utilization": {cell: {"used": 1, "available": 2}
                            for cell in ("ICESTORM_LC", "ICESTORM_RAM")},
            "fmax": {"clk": {"achieved": 20.0}}})
        (self.project / "synth/tool.py").unlink()
        self.program("synth/tool.py", "exit 0")
        self.program("tools/nextpnr-ice40", f"echo '{report}' > board.report.json")
        self.program("tools/icepack", "exit 0")
        self.program("tools/icebox_vlog", "echo 'module muster_board_top (input clk_i); endmodule'")
        self.program("tools/verilator", f"""\
while [ "$1" != --Mdir ]; do shift; done
mkdir -p "$2"
echo '#!/bin/sh' > "$2/Vboard"
echo "cat {self.project}/$2.sent" >> "$2/Vboard"
chmod +x "$2/Vboard\"""")
        (self.project / "placed.sent").write_text(routed)
        self.program("build/tests/rtl/board/board_golden", f"printf '{golden}'")
        return self.run_script("board", GOOD, "--board", "hx8k")

    def test_what_is_placed_must_send_what_golden_sends(self):
        self.assertIn("20.0", self.passes(self.board("00 000a\n", "00 000a\n")))

    def test_another_line_is_an_error(self):
        self.finds("golden sends something else:\n00 000a",
                   self.board("00 000b\n", "00 000a\n"))


class Placing(Measure):
    """With the real tools: the sample takes a second on the HX8K."""

    def place(self, *arguments, placed=()):
        self.page("synth/designs.json", json.dumps({"questions": [], "ladder": [], "placed": [
            {"name": "one", "quick": True, "seeds": {"hx8k": 2}}]}))
        self.results(placed)
        return self.run_script("synth", GOOD, "--place", *arguments)

    def row(self, **figures):
        return {"design": "one", "family": "hx8k", "cells": 1000, "ram": 0,
                "seeds_mhz": "1=1.0 2=1.0", "seconds": 1, "levels": 1, "routing": 50,
                "through": "a", **figures}

    def test_a_design_is_placed_with_each_seed_and_not_again(self):
        said = self.passes(self.place(placed=[self.row()]))
        self.assertRegex(said, r"one +\| iCE40 HX8K \| +\d+ \| \d+\.\d \| \d+ to \d+ +\| +2 \|")
        self.assertIn("synth: 2 of 2: one, iCE40 HX8K, seed", said)
        self.program("tools/nextpnr-ice40", "exit 1")
        self.passes(self.place(placed=[self.row()]))
        changed = GOOD.replace("count_o + N'(step_i)", "count_o - N'(step_i)")
        self.finds("one, iCE40 HX8K, seed", self.run_script("synth", changed, "--place"))

    def test_what_is_not_in_the_report_or_worse_is_an_error(self):
        self.finds("one, hx8k: not in results/synthesis.csv", self.place("--quick"))
        self.finds("cells, 1 in results/synthesis.csv",
                   self.place("--quick", placed=[self.row(cells=1)]))
        self.finds("seed 1: ", self.place(
            "--quick", placed=[self.row(seeds_mhz="1=9999.0 2=1.0")]))


class Baseline(unittest.TestCase):
    def test_more_than_five_percent_is_growth(self):
        synth = flow.script("synth")

        def grown(luts, before):
            row = {"design": "one", "module": "sample", "family": "ecp5"}
            return list(synth.differences([{**row, "lut": luts}], [{**row, "lut": before}]))
        self.assertEqual(grown(1050, 1000), [])
        self.assertIn("1060 LUTs, 1000", grown(1060, 1000)[0])
        self.assertEqual(grown(24, 20), [])
        self.assertEqual(len(grown(25, 20)), 1)


unittest.main()
