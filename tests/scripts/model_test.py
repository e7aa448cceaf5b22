#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""model_test.py BUILD: scripts/model builds a model that BUILD/muster runs in lockstep, and refuses
what it cannot build, leaving nothing."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1))
NAME = "model_test_box"  # of a size that no listed configuration has
CUBE = ["esc", "--pes", "16", "--box", "2", "--buffer", "3", "--sessions", "1"]


def run(*command):
    return subprocess.run([str(c) for c in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def model(*arguments):
    return run(ROOT / "scripts" / "model", "--build", BUILD, *arguments)


def left():
    """Files of the model."""
    return sorted((BUILD / "models").glob(f"{NAME}*"))


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.clean()
        self.addCleanup(self.clean)

    def clean(self):
        for path in left():
            path.unlink()

    def test_a_model_of_any_size_runs_in_lockstep(self):
        before = run(BUILD / "muster", *CUBE, "--engine", "lockstep")
        self.assertEqual(before.returncode, 2, before.stdout)
        built = model(NAME, "interchange_box", "Size=2", "Depth=3")
        self.assertEqual(built.returncode, 0, built.stdout)
        self.assertIn("by default PacketW=64", built.stdout)
        after = run(BUILD / "muster", *CUBE, "--engine", "lockstep")
        self.assertEqual(after.returncode, 0, after.stdout)
        described = run(ROOT / "scripts/validate", BUILD / "models" / f"{NAME}.json")
        self.assertEqual((described.returncode, described.stdout), (0, ""))

    def test_what_cannot_be_built_is_refused_in_one_line(self):
        for arguments, why in [
                ([NAME, "fifo"], "no model can be made of 'fifo'"),
                ([NAME, "barrier_switch", "Width=3"], "no parameter 'Width'"),
                ([NAME, "barrier_switch", "Ports=17"], "3 to 16"),
                ([NAME, "barrier_switch", "Ports=-4"], "not a number"),
                ([NAME, "interchange_box", "Size=3"], "Size must be 2, 4 or 8"),
                ([NAME, "interchange_box", "PacketW=32"], "needs 64"),
                (["sw8", "barrier_switch"], "take another name"),
                (["No", "barrier_switch"], "no name of a model")]:
            with self.subTest(why):
                refused = model(*arguments)
                self.assertEqual(refused.returncode, 2, refused.stdout)
                self.assertIn(why, refused.stdout)
                self.assertEqual(refused.stdout.count("\n"), 1, refused.stdout)
                self.assertEqual(left(), [])


if __name__ == "__main__":
    unittest.main()
