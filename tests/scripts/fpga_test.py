#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a design takes is counted with all its parts, by the numbers that Yosys prints of each."""

import json
import unittest

from copied_project import InFolder

import fpga


def of(**cells):
    return {"num_cells_by_type": cells}


# A part with parameters is instantiated under the name that it has, one without under its name
# without the backslash.
STATISTICS = {
    "\\top": of(SB_LUT4=1, **{"$paramod\\middle\\N=32'011": 2, "plain": 1}),
    "$paramod\\middle\\N=32'011": of(SB_LUT4=10, SB_DFFE=4, plain=3),
    "\\plain": of(SB_LUT4=100, SB_RAM40_4K=1),
}


class Counts(InFolder):
    def test_parts_with_and_without_parameters_are_counted(self):
        self.assertEqual(fpga.count(STATISTICS, "\\plain"), {"lut": 100, "ram": 1})
        self.assertEqual(fpga.count(STATISTICS, "$paramod\\middle\\N=32'011"),
                         {"lut": 310, "ff": 4, "ram": 3})
        self.assertEqual(fpga.count(STATISTICS, "\\top"), {"lut": 721, "ff": 8, "ram": 7})

    def test_the_top_has_its_cells_and_the_longest_path(self):
        (self.folder / "d.json").write_text(json.dumps({"modules": STATISTICS}))
        (self.folder / "d.json.path").write_text("Longest path (length=7):\n")
        used = fpga.columns_of("d.json", "top", "ice40", self.folder)
        self.assertEqual((used["lut"], used["levels"]), (721, 7))


unittest.main()
