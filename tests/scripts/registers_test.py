#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/registers makes of rdl/: whole words, links that lead somewhere, and no change of a
file that it does not notice."""

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
    def test_a_struct_has_all_bits_of_its_word_in_their_order(self):
        drops = next(r for r in BLOCKS["barrier_switch"].registers if r.name == "drops")
        lines = list(registers.sv_struct("drops", drops))
        self.assertEqual([line.split()[-1] for line in lines[1:]],
                         ["count;", "spare_23;", "known;", "what;", "port;", "spare_12;", "gid;",
                          "drops_t;"])
        for block in BLOCKS.values():
            for register in block.registers:
                text = "\n".join(registers.sv_struct("x", register))
                width = sum(int(w or 0) + 1 for w in re.findall(r"logic(?: \[(\d+):0\])? ", text))
                self.assertEqual(width, 32, f"{block.name} {register.name}")

    def test_what_a_parameter_sets_has_no_reset_value(self):
        address, = [r for r in BLOCKS["endpoint"].registers if r.name == "address"]
        self.assertEqual([f.reset for f in address.fields], [None, None])
        table = "\n".join(register_tables.lines(BLOCKS["endpoint"], None,
                                                 "docs/systems/wrappers.md"))
        self.assertIn("| 31 | `check` | RW |  |", table)

    def test_an_array_is_an_address_of_its_indices_in_c(self):
        text = "\n".join(registers.c_lines(BLOCKS))
        self.assertIn("#define MUSTER_SWITCH_BARRIER_CHILDREN(r) (0x041u + 4u * (uint32_t)(r))\n",
                      text)
        self.assertIn("#define MUSTER_NIC_LISTS_ENTRY(c, s) "
                      "(0x400u + 32u * (uint32_t)(c) + (uint32_t)(s))\n", text)
        self.assertIn("#define MUSTER_SWITCH_BARRIER_CONTROL_PARENT_MASK 0x000f0000u\n"
                      "#define MUSTER_SWITCH_BARRIER_CONTROL_PARENT_SHIFT 16\n", text)

    def test_names_are_used_once_in_each_file(self):
        names = re.findall(r"#define (\w+)", "\n".join(registers.c_lines(BLOCKS)))
        self.assertEqual(len(names), len(set(names)))
        names = re.findall(r"localparam .* (\w+) = ", "\n".join(registers.sv_lines(BLOCKS)))
        self.assertEqual(len(names), len(set(names)))

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

    def test_a_field_says_what_is_kept_and_with_which_parameter(self):
        rows = "\n".join(register_tables.lines(BLOCKS["barrier_switch"], None,
                                             "docs/reference/registers.md"))
        self.assertIn("| 15..0 | `ports` | RW | 0 | bit p: they may at port p. "
                      "Low `Ports` bits are kept |", rows)
        self.assertIn("Only with `Guard` and with `Spill`, else it reads 0 |", rows)
        self.assertIn("| 0x040 + 4r | `barrier.control`, r < `Regs` |", rows)
        self.assertIn("| 31..24 | `count` | R, cleared | 0 |", rows)

    def test_a_file_without_a_place_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "README.md: no place for registers"):
            registers.between("README.md", "<!-- registers x -->", "<!-- end -->", [])

    def test_what_is_between_the_marks_is_replaced_and_nothing_else(self):
        page = "rtl/common/muster_pkg.sv"
        begin, end = f"  // {registers.TEXT} from rdl/", "  // end of registers"
        before = (ROOT / page).read_text()
        after = registers.between(page, begin, end, ["  // x"])
        self.assertIn(f"{begin}\n  // x\n{end}\n", after)
        self.assertEqual(after.partition(begin)[0], before.partition(begin)[0])
        self.assertNotEqual(after, before)


if __name__ == "__main__":
    unittest.main()
