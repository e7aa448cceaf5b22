#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""model_test.py BUILD: scripts/model builds a model that BUILD/muster runs in lockstep, and refuses
what it cannot build, leaving nothing."""

import pathlib
import sys
import unittest

from copied_project import ROOT, OfScripts, run

BUILD = pathlib.Path(sys.argv.pop(1))
NAME = "model_test_box"  # of a size that no listed configuration has
CUBE = ["esc", "--pes", "16", "--box", "2", "--buffer", "3", "--sessions", "1"]


def model(*arguments):
    return run(ROOT / "scripts" / "model", "--build", BUILD, *arguments)


def left():
    """Files of the model."""
    return sorted((BUILD / "models").glob(f"{NAME}*"))


class ModelTest(OfScripts):
    def setUp(self):
        self.clean()
        self.addCleanup(self.clean)

    def clean(self):
        for path in left():
            path.unlink()

    def test_a_model_of_any_size_runs_in_lockstep(self):
        lockstep = BUILD / "muster", *CUBE, "--engine", "lockstep"
        self.assertEqual(run(*lockstep)[0], 2)
        said = self.passes(model(NAME, "muster_interchange_box", "Size=2", "Depth=3"))
        self.assertIn("by default PacketW=64", said)
        self.assertEqual(run(*lockstep)[0], 0)
        self.assertEqual(run(ROOT / "scripts/validate", BUILD / "models" / f"{NAME}.json"), (0, ""))

    def test_what_cannot_be_built_is_refused_in_one_line(self):
        for arguments, why in [
                ([NAME, "muster_fifo"], "no model can be made of 'muster_fifo'"),
                ([NAME, "muster_barrier_switch", "Width=3"], "no parameter 'Width'"),
                ([NAME, "muster_barrier_switch", "Ports=33"], "3 to 32"),
                ([NAME, "muster_barrier_switch", "Ports=-4"], "not a number"),
                ([NAME, "muster_interchange_box", "Size=3"], "must be a power of two from 2 to 8"),
                ([NAME, "muster_interchange_box", "PacketW=32"], "needs 64"),
                (["sw8", "muster_barrier_switch"], "take another name"),
                (["No", "muster_barrier_switch"], "no name of a model")]:
            with self.subTest(why):
                status, said = model(*arguments)
                self.assertEqual((status, said.count("\n")), (2, 1), said)
                self.assertIn(why, said)
                self.assertEqual(left(), [])


unittest.main()
