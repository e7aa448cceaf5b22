#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bitstream that differs from the placed design is found, and so is a cell without a model: on a
design of one LUT, a register behind it and the wires between them."""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import ecp5_bitstream  # noqa: E402
import ecp5_netlist  # noqa: E402

# The LUT is A & ~C at A and C; the router has given input C to pin B.
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
    "netnames": {
        "q": {"bits": [3], "attributes": {"ROUTING": ";".join((
            "X4/Y7/A3_SLICE;X4/Y7/0_0_A3->0_0_A3_SLICE;1",
            "X4/Y7/A3;X4/Y7/-1_0_H02E0001->0_0_A3;1", "X3/Y7/H02E0001;;1"))}},
        "c": {"bits": [5], "attributes": {"ROUTING": ";".join((
            "X4/Y7/C3_SLICE;X4/Y7/0_0_B3->0_0_C3_SLICE;1",
            "X4/Y7/B3;X4/Y7/0_-1_V01S0000->0_0_B3;1", "X4/Y6/V01S0000;;1"))}}}}}}
CONFIG = """\
.device LFE5U-25F

.tile R7C4:PLC2
arc: A3 W1_H02E0001
arc: B3 N1_V01S0000
word: SLICEB.K1.INIT 0010001000100010
enum: SLICEB.REG1.REGSET SET
"""


class Ecp5(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.design = copy.deepcopy(DESIGN)
        self.cells = self.design["modules"]["top"]["cells"]

    def check(self, config):
        (self.folder / "design.json").write_text(json.dumps(self.design))
        (self.folder / "config").write_text(config)
        return ecp5_bitstream.check(self.folder / "design.json", self.folder / "config")

    def netlist(self):
        (self.folder / "design.json").write_text(json.dumps(self.design))
        ecp5_netlist.write(self.folder / "design.json", self.folder / "out.v", "small")
        return (self.folder / "out.v").read_text()

    def test_the_bitstream_of_the_design_passes(self):
        self.assertEqual(self.check(CONFIG), (2, 2))

    def test_every_difference_is_found(self):
        for old, new, finding in (
                ("INIT 0010", "INIT 0110", "lut: the LUT is"),
                ("0010001000100010", "0000101000001010", "lut: the LUT is"),  # not permuted
                ("REGSET SET", "REGSET RESET", "register: REGSET is RESET"),
                ("REG1.REGSET SET", "REG1.REGSET SET\nenum: SLICEB.REG1.SD 0", "SD is 0"),
                ("A3 W1_H02E0001", "A3 E1_H02E0001", "the design does not"),
                ("B3 N1_V01S0000", "B3 N1_V01S0000\narc: D3 Q3", "the design does not")):
            with self.subTest(new):
                self.assertEqual(CONFIG.count(old), 1)
                with self.assertRaisesRegex(ecp5_bitstream.Mismatch, finding):
                    self.check(CONFIG.replace(old, new))

    def test_two_inputs_of_one_net_may_share_a_pin(self):
        nets = self.design["modules"]["top"]["netnames"]
        nets["c"]["attributes"]["ROUTING"] += ";X4/Y7/D3_SLICE;X4/Y7/0_0_B3->0_0_D3_SLICE;1"
        self.cells["lut"]["connections"]["D"] = [5]
        self.cells["lut"]["parameters"]["INITVAL"] = "0000000000001010"  # A & ~C & ~D
        self.assertEqual(self.check(CONFIG), (2, 2))

    def test_a_switch_that_is_missing_is_found_if_others_of_its_kind_are_there(self):
        without = CONFIG.replace("arc: A3 W1_H02E0001\n", "")
        self.assertEqual(self.check(without), (2, 1))  # it may have no bits
        routing = self.design["modules"]["top"]["netnames"]["c"]["attributes"]
        routing["ROUTING"] += ";X9/Y9/A3;X9/Y9/-1_0_H02E0001->0_0_A3;1"
        another = without + "\n.tile R9C9:PLC2\narc: A3 W1_H02E0001\n"
        with self.assertRaisesRegex(ecp5_bitstream.Mismatch, "X4/Y7: .* does not connect"):
            self.check(another)

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
