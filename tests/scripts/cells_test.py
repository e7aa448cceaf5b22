#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small designs through the whole path to standard cells, Yosys, the library and OpenSTA, with area
and path known by hand; and the power of two flip-flops and a gate."""

import collections
import re
import unittest

from copied_project import InFolder

import flow
import fpga
import power

FLIP_FLOP, MULTIPLEXER, NAND2, AND2 = 4, 2, 1, 4 / 3  # gate equivalents, by the library
NAND = """
module nand_path (input clk_i, input a_i, input b_i, output logic y_o);
  logic a, b;
  always_ff @(posedge clk_i) begin
    a <= a_i;
    b <= b_i;
    y_o <= !(a && b);
  end
endmodule
"""
RESET = """
module reset_path (input clk_i, input rst_ni, input a_i, output logic y_o);
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) y_o <= 1'b0; else y_o <= a_i;
endmodule
"""
# What a chip has in SRAM, from 64 words: 128 bits, each with a flip-flop and a multiplexer for the
# port that writes and for the one that reads.
TABLE = """
module table_path (input clk_i, input write_i, input [5:0] at_i, input [1:0] d_i,
                   output logic [1:0] q_o);
  logic [1:0] words [64];
  always_ff @(posedge clk_i) if (write_i) words[at_i] <= d_i;
  assign q_o = words[at_i];
endmodule
"""


class Cells(InFolder):
    def mapped(self, text):
        """Gate equivalents with tables and without, ns, and the cells of the longest path."""
        name = text.split()[1]
        directory = flow.workspace(self.folder)
        (directory / f"{name}.sv").write_text(text)
        used = fpga.map_design(name, f"read_verilog -sv {name}.sv", name, fpga.ASIC, directory)
        report = (directory / f"{name}.{fpga.ASIC}.json.path").read_text()
        first = report.split("Startpoint")[1].partition("data arrival")[0]
        return *used.values(), re.findall(r"\((\w+X\d)\)", first)

    def test_a_gate_between_flip_flops(self):
        area, logic, ns, path = self.mapped(NAND)
        self.assertEqual((area, logic), 2 * ((3 * FLIP_FLOP + NAND2) / 1000,))
        self.assertEqual(path, ["DFFPOSX1", "DFFPOSX1", "NAND2X1", "DFFPOSX1"])
        # Clock to output, the gate, and setup, of 0.1 to 0.2 ns for flip-flops and below for gates.
        self.assertTrue(0.3 < ns < 0.5, ns)

    def test_an_asynchronous_reset_is_a_gate_before_the_flip_flop(self):
        area, _, _, path = self.mapped(RESET)
        self.assertAlmostEqual(area, (FLIP_FLOP + AND2) / 1000, 3)
        self.assertEqual(path[-2:], ["AND2X2", "DFFPOSX1"])

    def test_a_table_is_counted_apart_and_takes_no_time(self):
        area, logic, ns, path = self.mapped(TABLE)
        self.assertEqual((logic, ns, path), (0, 0, []))
        self.assertAlmostEqual(area, 128 * (FLIP_FLOP + 2 * MULTIPLEXER) / 1000)


class Power(unittest.TestCase):
    CELLS = [("DFFPOSX1", {"CLK": 1, "D": 2, "Q": 3}), ("INVX1", {"A": 3, "Y": 4}),
             ("DFFPOSX1", {"CLK": 1, "D": 4, "Q": 5})]

    def taken(self, toggles, edges=2, cycles=1):
        return power.power(self.CELLS, collections.Counter(dict.fromkeys((3, 4, 5), toggles)),
                           edges, cycles)

    def test_a_clock_takes_what_the_liberty_file_says(self):
        inside, pin = (0.006943 + 0.129769) / 2, 0.0279235  # pJ of rise and fall, pF
        by_hand = 2 * 2 * (inside + pin * 1.8 ** 2 / 2) / power.NS  # two cells, two edges
        self.assertAlmostEqual(self.taken(0)["clock"], by_hand)
        self.assertAlmostEqual(self.taken(0, edges=1)["clock"], by_hand / 2)

    def test_what_toggles_twice_as_often_takes_twice_as_much(self):
        none, once, twice = self.taken(0), self.taken(1), self.taken(2)
        for part in ("registers", "gates"):  # the latter leak
            self.assertGreater(once[part], 1000 * none[part])
            self.assertAlmostEqual(twice[part] - none[part], 2 * (once[part] - none[part]))
        self.assertEqual(once["clock"], twice["clock"])

    def test_changes_are_counted_in_the_cycles_that_count(self):
        first, end = power.FIRST * power.NS, (power.FIRST + power.CYCLES) * power.NS
        vcd = "".join(f"$var wire 1 {code} {name} $end\n" for code, name in (
            ("!", "n7"), ("*", "n8"), ("#", "clk_i"), ("$", "quiescent_o"),
            *zip("%&+", power.WAKE)))
        vcd += "#0\n0!\n0*\n0#\n1$\nb0 %\nb0 &\n0+\n"
        vcd += "".join(f"#{at}\n{bit}!\n" for at, bit in (
            (first - 1, 1), (first, 0), (end - 1, 1), (end, 0)))
        self.assertEqual(power.counted(vcd), ({"n7": 2, "n8": 0}, 0))
        # An edge for nothing, one with a flit, one that is not idle, one at rest, one after those.
        for at, changes, edges in ((first, "", 0), (first + 10, "b100 %", 1),
                                   (first + 20, "b0 %\n0$", 2), (first + 30, "1$", 2),
                                   (end, "0$", 2)):
            vcd += f"#{at}\n0#\n{changes}\n#{at + 5}\n1#\n"
            self.assertEqual(power.counted(vcd)[1], edges)


unittest.main()
