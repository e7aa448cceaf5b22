# SPDX-License-Identifier: Apache-2.0
"""Some points of each paper, measured again, are those of results/figures: a figure that is older
than the program is found. What takes a moment is also measured in lockstep."""

import pathlib
import sys
import tempfile
import unittest

import muster

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments import _btin, _esc, _nic, _pre, btin_t2, kit, reliability, stored  # noqa: E402

LOCKSTEP = [engine for engine in ("lockstep",) if engine in muster.engines()]


class SampleTest(unittest.TestCase):
    def study(self, engine="golden", sessions=None):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        return self.enterContext(kit.Study(1, sessions, engine, kept=folder))

    def check(self, figure, panel, series, again):
        """A point with its x is the one that was written."""
        data = stored.read(figure)
        self.assertIsNotNone(data, f"no {figure} in results/figures; scripts/figures "
                                   f"{figure} --write measures it")
        self.assertEqual(data.value(panel, series, again.x), again,
                         f"{figure}, panel {panel}, {series}: written, and measured again; python "
                         f"-m experiments {figure} --write measures the figure")

    def test_messages_that_nodes_start_in_a_barrier_of_btin_and_its_baselines(self):
        for engine in ("golden", *LOCKSTEP):
            found = self.study(engine).run(btin_t2.started, [
                _btin.SMALL | {"members": 64, "scheme": scheme, "setup": "host", "seed": 1,
                               "engine": engine} for scheme in _btin.SCHEMES])
            for scheme, one in zip(_btin.SCHEMES, found):
                with self.subTest(engine=engine, scheme=scheme):
                    self.assertEqual(one["violations"], 0)
                    self.check("btin-t2", "a", scheme, kit.Point(64, one["all"]))

    def test_creations_of_groups_of_btin(self):
        found = self.study().run(btin_t2.started, [
            _btin.SMALL | {"members": 16, "scheme": "btin", "setup": "in-band", "seed": 1 + i,
                           "engine": "golden"} for i in range(btin_t2.CREATIONS)])
        self.check("btin-t2", "e", "until all members know",
                   kit.mean95([one["cycles"] for one in found], x=16))

    def test_sessions_of_the_cube(self):
        points = _esc.Points(self.study(), {"bypass": {}}, "rate", [0.1])
        for panel in points.averages("", "gamma").panels:
            self.check("esc-5", panel.name, "bypass", panel.series[0].points[0])

    def test_barriers_of_nics(self):
        for engine in ("golden", *LOCKSTEP):
            case = _nic.case("elan3", "NIC-DS")
            study = self.study(engine)
            (found,), = _nic.grid(study, [[case | {"members": 7}]], 20)
            self.assertEqual(study.violations, 0)
            self.check("nic-8", "a", "NIC-DS", kit.Point(7, found["us"]))
            self.check("nic-8", "b", "NIC-DS", kit.Point(7, found["packets"]))

    def test_rounds_of_preempting_switches_on_a_mesh(self):
        cases = [{"members": 20, "profile": "ts-100", **options}
                 for options in (_pre.BSR_1, {"scheme": "star"})]
        study = self.study()
        ours, star = _pre.samples(study, _pre.mesh(10), cases)
        self.assertEqual(study.violations, 0)
        for name, of, value in (("bsr-1, first round", ours, _pre.first),
                                ("bsr-1, later rounds", ours, _pre.later),
                                ("star", star, _pre.later)):
            self.check("pre-14", "a", name, _pre.mean(20, of, value))

    def test_no_fault_is_a_defect(self):
        engine = (*LOCKSTEP, "golden")[0]
        outcomes, refused, _ = reliability.measure(self.study(engine, sessions=1)).tables
        self.assertEqual(refused.rows, [])
        self.assertEqual({row[1] for row in outcomes.rows}, set(reliability.QUICK))
        self.assertEqual(sum(row[outcomes.heads.index("defect")] for row in outcomes.rows), 0)


if __name__ == "__main__":
    unittest.main()
