#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The netlist of a placed design says what is configured, and a cell without a model is refused: on
a design of one LUT and a register behind it."""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import ecp5_netlist  # noqa: E402

# The LUT is A & ~C.
DESIGN = {"modules": {"top": {
    "ports": {"clk_i": {"direction": "input", "bits": [2]},
              "led_o": {"direction": "output", "bits": [3, 9]}},
    "cells": {
        "lut": {"type": "TRELLIS_COMB", "attributes": {"NEXTPNR_BEL": "X4/Y7/SLICEB.K1"},
                "parameters": {"INITVAL": "0000101000001010"},
                "connections": {"A": [3], "B": [], "C": [5], "D": [], "F": [6]}},
        "register": {"type": "TRELLIS_FF", "attributes": {"NEXTPNR_BEL": "X4/Y7/SLICEB.FF1"},
                     "parameters": {"REGSET": "SET", "SD": "1 ", "CEMUX": "INV"},
                     "connections": {"CLK": [2], "CE": [5], "LSR": [], "DI": [6], "Q": [3]}}},
    "netnames": {}}}}


class Ecp5(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.design = copy.deepcopy(DESIGN)
        self.cells = self.design["modules"]["top"]["cells"]

    def netlist(self):
        (self.folder / "design.json").write_text(json.dumps(self.design))
        ecp5_netlist.write(self.folder / "design.json", self.folder / "out.v", "small")
        return (self.folder / "out.v").read_text()

    def test_the_netlist_says_what_is_configured(self):
        text = self.netlist()
        for line in ("output [1:0] led_o", "assign led_o[1] = n9;", "assign n2 = clk_i;",
                     "ECP5_LOGIC c0 (.INIT(16'b0000101000001010), .A(n3), .B(1'b1), .C(n5), "
                     ".D(1'b1), .UPPER(1'b1)",
                     "ECP5_FF c1 (.SET(1'b1), .CLK(n2), .CE(~n5), .LSR(1'b0), .D(n6), .Q(n3))"):
            self.assertIn(line, text)

    def test_what_has_no_model_is_refused(self):
        for cell, key, value in (("register", "SRMODE", "ASYNC"), ("register", "CLKMUX", "OTHER"),
                                 ("lut", "MODE", "RAMW")):
            with self.subTest(value):
                old = self.cells[cell]["parameters"].copy()
                self.cells[cell]["parameters"][key] = value
                with self.assertRaisesRegex(ecp5_netlist.Refused, f"{cell}: .*{key} {value}"):
                    self.netlist()
                self.cells[cell]["parameters"] = old
        self.cells["lut"]["type"] = "MULT18X18D"
        with self.assertRaisesRegex(ecp5_netlist.Refused, "lut: a MULT18X18D"):
            self.netlist()


if __name__ == "__main__":
    unittest.main()
