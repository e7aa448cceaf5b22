#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fusesoc_test.py MUSTER: in an empty folder that names Muster as a library of FuseSoC, muster.core
is found, lints blocks, refuses a parameter out of range and runs the examples; a core that depends
on it, the one of docs/how-to/generated-top.md, has an exported network and its bench. ROOT/rtl/*.f
lint by Verilator from any folder. MUSTER is the program."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUSESOC = ROOT / "synth/tool.py", "fusesoc"
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = ROOT / "docs" / "how-to" / "generated-top.md"


def run(folder, *words):
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class FusesocTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def fusesoc(self, *words):
        return run(self.folder, *FUSESOC, *words)

    def library(self):
        status, said = self.fusesoc("library", "add", "muster", ROOT)
        self.assertEqual(status, 0, said)

    def test_the_library_has_one_core(self):
        self.library()
        status, said = self.fusesoc("core", "list")
        self.assertEqual(status, 0, said)
        self.assertIn("muster", said)
        self.assertNotIn("own_soc", said)  # its readers have a copy

    def test_blocks_lint(self):
        self.library()
        for target in ("lint", "nic_engine", "esc_network"):  # the file lists below are of all
            status, said = self.fusesoc("run", f"--target={target}", "muster")
            self.assertEqual(status, 0, f"{target}: {said}")

    def test_a_parameter_out_of_range_is_refused(self):
        self.library()
        status, said = self.fusesoc("run", "--target=link_end", "muster", "--Depth", "17")
        self.assertNotEqual(status, 0)
        self.assertIn("link_credits: Depth must be 1 to 15", said)

    def dependent_core(self, *groups):
        """The core of the page, with the mesh of the page, with these groups in its image."""
        self.library()
        for words in (["gen", "mesh", "--width", 2, "--height", 2, "--out", "mesh.json"],
                      ["export", "mesh.json", "--format", "verilog", "--config", "sw4", *groups,
                       "--module", "muster_mesh", "--out", "muster_mesh.sv"]):
            status, said = run(self.folder, PROGRAM, "topo", *words)
            self.assertEqual(status, 0, said)
        shutil.copy(ROOT / "examples" / "mesh_top" / "mesh_tb.sv", self.folder)
        (core,) = re.findall(r"^```yaml\n(CAPI.*?)^```$", PAGE.read_text(), re.M | re.S)
        (self.folder / "my_soc.core").write_text(core)
        status, said = self.fusesoc("library", "add", "my_soc", ".")
        self.assertEqual(status, 0, said)

    def test_a_core_that_depends_on_muster_lints_and_runs_a_network(self):
        self.dependent_core("--group", "all")
        status, said = self.fusesoc("run", "--target=lint", "my_soc")
        self.assertEqual(status, 0, said)
        status, said = self.fusesoc("run", "--target=sim", "my_soc")
        self.assertEqual(status, 0, said)
        (verdict,) = re.findall(r"^mesh_tb: .*", said, re.M)
        self.assertIn(verdict, PAGE.read_text())

    def test_the_bench_fails_without_the_group(self):
        self.dependent_core()
        status, said = self.fusesoc("run", "--target=sim", "my_soc")
        self.assertNotEqual(status, 0, said)
        self.assertRegex(said, r"mesh_tb: host \d, cycle \d+: is not released")
        self.assertNotIn("passed", said)

    def test_two_switches_run(self):
        self.library()
        status, said = self.fusesoc("run", "--target=sim", "muster")
        self.assertEqual(status, 0, said)
        self.assertIn("cycle 22: node 2 receives kind 4, payload 0x4140\n", said)
        self.assertIn("cycle 40: node 3 receives kind 1, payload 0x5678\n", said)

    def test_file_lists_lint_from_any_folder(self):
        for path in sorted((ROOT / "rtl").glob("*.f")):
            if path.stem == "muster":
                continue
            status, said = run(self.folder, "verilator", "--lint-only", "-sv", "-Wall",
                               "--top-module", path.stem, "-F", path)
            self.assertEqual(status, 0, f"{path.name}: {said}")


if __name__ == "__main__":
    unittest.main()
