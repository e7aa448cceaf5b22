#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fusesoc_test.py MUSTER [Lints | Simulations]: in an empty folder that names Muster as a library
of FuseSoC, its cores are found, lint blocks, refuse a parameter out of range and run the examples;
a core that depends on it has an exported network and its bench. ROOT/rtl/*.f lint by Verilator from
any folder. MUSTER is the program."""

import pathlib
import re
import shutil
import sys
import unittest

from copied_project import ROOT, InFolder, run

FUSESOC = ROOT / "synth/tool.py", "fusesoc"
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = ROOT / "docs" / "how-to" / "generated-top.md"
CORE = """\
CAPI=2:
name: ::my_soc:0.1.0

filesets:
  rtl:
    depend: ["::muster:0.2.0"]
    files: [muster_mesh.sv]
    file_type: systemVerilogSource
  bench:
    files: [mesh_tb.sv]
    file_type: systemVerilogSource

targets:
  default:
    filesets: [rtl]
  lint:
    filesets: [rtl]
    toplevel: muster_mesh
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]
  sim:
    filesets: [rtl, bench]
    toplevel: mesh_tb
    flow: sim
    flow_options:
      tool: verilator
      mode: binary
      # The make options compile in seconds what runs for a moment.
      verilator_options: [--timing, --assert, -MAKEFLAGS, VM_PARALLEL_BUILDS=0,
                          -MAKEFLAGS, OPT_FAST=-O0]
"""


class WithLibrary(InFolder):
    def setUp(self):
        super().setUp()
        self.does(*FUSESOC, "library", "add", "muster", ROOT)

    def fails(self, *words):
        """What FuseSoC says that must fail."""
        status, said = run(*FUSESOC, *words, cwd=self.folder)
        self.assertNotEqual(status, 0, said)
        return said

    def dependent_core(self):
        """CORE, with the mesh of the page."""
        self.does(PROGRAM, "topo", "gen", "mesh", "--width", 2, "--height", 2, "--out", "mesh.json")
        self.does(PROGRAM, "topo", "export", "mesh.json", "--format", "verilog", "--config", "sw4",
                  "--group", "all", "--module", "muster_mesh", "--out", "muster_mesh.sv")
        shutil.copy(ROOT / "examples" / "mesh_top" / "mesh_tb.sv", self.folder)
        (self.folder / "my_soc.core").write_text(CORE)
        self.does(*FUSESOC, "library", "add", "my_soc", ".")


class Lints(WithLibrary):
    def test_blocks_lint_and_the_files_of_the_example_are_there(self):
        self.does(*FUSESOC, "run", "--target=muster_barrier_switch", "muster::btin")
        self.does(*FUSESOC, "run", "--setup", "--target=sim", "muster")

    def test_a_parameter_out_of_range_is_refused(self):
        self.assertRegex(self.fails("run", "--target=muster_link_end", "muster::link",
                                    "--Depth", "17"),
                         r"muster_link_credits\.sv:\d+:\d+: Depth must be 1 to 15")

    def test_a_core_that_depends_on_muster_lints(self):
        self.dependent_core()
        self.does(*FUSESOC, "run", "--target=lint", "my_soc")

    def test_file_lists_lint_from_any_folder(self):
        for path in sorted((ROOT / "rtl").glob("*.f")):
            if path.stem != "muster":
                self.does("verilator", "--lint-only", "-sv", "-Wall", "--top-module", path.stem,
                          "-F", path)


class Simulations(WithLibrary):
    def test_a_core_that_depends_on_muster_runs_a_network(self):
        self.dependent_core()
        said = self.does(*FUSESOC, "run", "--target=sim", "my_soc")
        (verdict,) = re.findall(r"^mesh_tb: .*", said, re.M)
        self.assertIn(verdict, PAGE.read_text())

    def test_two_switches_run(self):
        said = self.does(*FUSESOC, "run", "--target=sim", "muster")
        self.assertIn("cycle 22: node 2 receives kind 4, payload 0x4140\n", said)
        self.assertIn("cycle 40: node 3 receives kind 1, payload 0x5678\n", said)


unittest.main()
