#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What rdl/ says: no two registers are read at one address, links of descriptions lead to files,
and types have names of their own."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "docs/site")]

import flow  # noqa: E402
import register_tables  # noqa: E402

registers = flow.script("registers")
BLOCKS = registers.read()


class RegistersTest(unittest.TestCase):
    def test_no_two_registers_of_a_block_are_read_at_one_address(self):
        for block in BLOCKS.values():
            addresses = [r.address for r in block.registers
                         if any("R" in f.access for f in r.fields)]
            self.assertEqual(len(addresses), len(set(addresses)), block.name)

    def test_links_of_descriptions_lead_to_files(self):
        for page, _ in register_tables.TABLES:
            folder = (ROOT / page).parent
            for block in BLOCKS.values():
                text = "\n".join(register_tables.lines(block, None, page))
                for link in re.findall(r"\]\(([^)#]+)", text):
                    self.assertTrue((folder / link).resolve().is_file(), f"{page}: {link}")

    def test_descriptions_have_no_links_and_types_have_names_of_their_own(self):
        # What others make of rdl/ has neither pages to link to nor names of sums.
        for path in (ROOT / "rdl").glob("*.rdl"):
            self.assertFalse("](" in path.read_text(), path.name)
        for name, top in registers.elaborated():
            for node in top.descendants(unroll=False):
                self.assertNotRegex(node.inst.type_name or "", "_[0-9a-f]{8}", f"{name}: {node}")


unittest.main()
