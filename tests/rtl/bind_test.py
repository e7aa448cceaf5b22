#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The assertions of verif/formal/muster_bind.sv in simulation, by the Verilator of the Python
registry, on the bench of switches: silent beside a neighbour that keeps the rules, and one that
sends without a credit is named."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import flow  # noqa: E402

HOME = ROOT / "synth/python/verilator"
BENCHES = "verif/four_state"


class Bound(unittest.TestCase):
    def simulation(self, queued):
        """A program that runs the bench with a switch of 4 ports."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        subprocess.run(
            [HOME / "bin/verilator_bin", "--binary", "--timing", "--assert", "-sv", "-Wno-fatal",
             "--top-module", "bench", f"-GQUEUED={queued}",
             f"-DDUT=muster_barrier_switch #(.Ports(4), .Dests(16), .Queued({queued}))",
             f"-I{BENCHES}", *(f"-I{each}" for each in flow.folders()), flow.PACKAGE,
             "verif/formal/muster_bind.sv", f"{BENCHES}/switch_bench.v", "--Mdir", folder, "-o",
             "bench", "-O0", "-CFLAGS", "-std=c++20 -fcoroutines -O0"],
            cwd=ROOT, env=os.environ | {"VERILATOR_ROOT": str(HOME)}, check=True,
            capture_output=True)
        return pathlib.Path(folder) / "bench"

    def test_rules_are_silent_and_name_who_breaks_them(self):
        for queued in (0, 1):
            with self.subTest(queued=queued):
                program = self.simulation(queued)
                kept = subprocess.run([program], capture_output=True, text=True, check=False)
                self.assertEqual(kept.returncode, 0, kept.stdout)
                self.assertIn("PASS", kept.stdout)
                broken = subprocess.run([program, "+DEPTH=5"], capture_output=True, text=True,
                                        check=False)
                self.assertNotEqual(broken.returncode, 0)
                self.assertIn("gen_rx.rx.", broken.stdout)
                self.assertIn("FlitHasCredit_A", broken.stdout)


if __name__ == "__main__":
    unittest.main()
