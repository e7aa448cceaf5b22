# SPDX-License-Identifier: Apache-2.0
"""Experiments: points are kept and resumed, verdicts follow from values, drawings are small."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments import claims, kit, ledger, stored  # noqa: E402
import results  # noqa: E402


def squared(item):
    """A point: notes that it was called, and may fail or take its time."""
    with open(item["log"], "a", encoding="utf-8") as log:
        log.write(f"{item['x']}\n")
    time.sleep(item.get("seconds", 0))
    if item["x"] == item.get("bad"):
        raise ValueError("is bad")
    return item["x"] ** 2


def measured(**values):
    """Data of a panel "a" with curves of (y, half_width) at x = 1, 2, ..."""
    curves = [kit.Series(name, [kit.Point(x, *point) for x, point in enumerate(points, 1)])
              for name, points in values.items()]
    return kit.Data("made up", [kit.Panel("a", "one", "x", "y (us)", curves)])


class StudyTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.log = self.folder / "log"

    def items(self, *numbers, **more):
        return [{"x": x, "log": str(self.log), **more} for x in numbers]

    def run_study(self, items):
        with kit.Study(jobs=2, kept=self.folder) as study:
            return study.run(squared, items)

    def calls(self):
        return sorted(map(int, self.log.read_text().split()))

    def test_a_point_is_made_once_and_another_item_is_another_point(self):
        self.assertEqual(self.run_study(self.items(3, 1, 2)), [9, 1, 4])
        self.assertEqual(self.run_study(self.items(2, 4)), [4, 16])
        self.assertEqual(self.calls(), [1, 2, 3, 4])
        self.run_study(self.items(2, seconds=0.01))
        self.assertEqual(self.calls(), [1, 2, 2, 3, 4])

    def test_a_point_is_made_again_when_what_makes_it_changes(self):
        program, source = kit._program.__wrapped__, kit._source.__wrapped__
        before = program(), source("experiments.data")
        read = pathlib.Path.read_bytes
        for changed in ("libmuster.so", "_sweeps.py", "kit.py", "data.py"):
            def read_changed(path, changed=changed):
                return read(path) + (b" " if path.name == changed else b"")
            with self.subTest(changed), mock.patch.object(pathlib.Path, "read_bytes", read_changed):
                now = program(), source("experiments.data")
                self.assertEqual([a == b for a, b in zip(before, now)],
                                 [changed in ("kit.py", "data.py"),
                                  changed in ("libmuster.so", "_sweeps.py")])

    def test_a_failed_point_is_named_and_the_others_are_kept(self):
        with self.assertRaisesRegex(RuntimeError, '1 of 3 points failed.*"x": 2.*is bad'):
            self.run_study(self.items(1, 2, 3, bad=2))
        with self.assertRaisesRegex(RuntimeError, "1 of 1 points failed"):
            self.run_study(self.items(1, 2, 3, bad=2))
        self.assertEqual(self.calls(), [1, 2, 2, 3])

    def test_a_killed_study_goes_on(self):
        items = self.items(*range(6), seconds=0.3)
        text = ("import json, sys; sys.path.insert(0, sys.argv[1]); import experiments_test as t\n"
                "if __name__ == '__main__':\n"
                "    print(t.StudyTest.made(sys.argv[2], json.loads(sys.argv[3])))\n")
        script = self.folder / "study.py"
        script.write_text(text)
        command = [sys.executable, script, pathlib.Path(__file__).parent, self.folder,
                   json.dumps(items)]
        with subprocess.Popen(command, start_new_session=True) as process:
            kept = self.folder / "experiments_test"
            while process.poll() is None and len(list(kept.glob("*.json"))) < 2:
                time.sleep(0.02)
            os.kill(process.pid, signal.SIGKILL)
        before = len(list(kept.glob("*.json")))
        self.assertIn(before, range(2, 6))
        done = subprocess.run(command, text=True, capture_output=True, check=True)
        self.assertEqual(done.stdout.split("\n")[0], str([x * x for x in range(6)]))
        self.assertEqual(set(self.calls()), set(range(6)))
        self.assertLessEqual(len(self.calls()), 6 + 2)  # two were in flight

    @staticmethod
    def made(folder, items):
        with kit.Study(jobs=2, kept=pathlib.Path(folder)) as study:
            return study.run(squared, items)

    def test_means_have_intervals(self):
        self.assertEqual(kit.mean95([2, 4]), (None, 3, kit.mean95([2, 4]).half_width))
        self.assertAlmostEqual(kit.mean95([2, 4]).half_width, 12.7062)
        self.assertEqual(kit.mean95([6, 3], x=5)[:2], (5, 4.5))
        self.assertEqual(kit.mean95([7]), (None, 7, None))
        self.assertEqual(kit.mean95([], x=1), (1, None, None))


class LedgerTest(unittest.TestCase):
    DATA = measured(near=[(1.05, 0.2), (2.1, 0.1)], far=[(4, 0.1), (5, 0.2)])

    def judged(self, printed, ours, **more):
        row = kit.Printed("x-1", "Figure 1", "made up", ours, printed, **more)
        figure = kit.Figure("x", "btin", None, "", [row])
        return ledger.judge([figure], {"x": self.DATA})[0]

    def test_verdicts_follow_from_values(self):
        near, far = kit.At("a", "near", 1), kit.At("a", "far", 1)
        for verdict, wrong, row in (
                ("reproduced", "", (1.0, near, {})),
                ("reproduced, a bound", "", (9.0, far, {"at_most": True})),
                ("by formula", "", (1.0, near, {"verdict": "by formula"})),
                ("by formula", "not within 10 %", (1.0, far, {"verdict": "by formula"})),
                ("differs", "no reason", (1.0, far, {})),
                ("differs", "", (1.0, far, {"verdict": "differs", "why": "a reason"})),
                ("reproduced", "is stated", (1.0, near, {"verdict": "differs"})),
                ("differs", "no reason", (1.0, near, {"other": far})),
                ("calibrated", "", (1.0, near, {"verdict": "calibrated", "limit": 0.06})),
                ("calibrated", "not within 4 %",
                 (1.0, near, {"verdict": "calibrated", "limit": 0.04})),
                ("pending", "", (1.0, near, {"figures": ("y",)})),
                ("not measurable", "", (1.0, None, {"verdict": "not measurable"}))):
            with self.subTest(row=row):
                judged = self.judged(row[0], row[1], **row[2])
                self.assertEqual(judged.verdict, verdict)
                self.assertIn(wrong, judged.wrong)
                self.assertEqual(bool(wrong), bool(judged.wrong))
        self.assertEqual(self.judged(1.0, near, unit="us").ours, "1.1 ± 0.2 us")

    def test_a_further_model_stands_below_its_row_and_has_no_verdict(self):
        near, far = kit.At("a", "near", 1), kit.At("a", "far", 1)
        rows = [kit.Printed("x-2", "", "", far, of="x-1"),
                kit.Printed("x-3", "", "", lambda _: [True, False], of="x-1"),
                kit.Printed("x-0", "", "", near, 1.0),
                kit.Printed("x-1", "", "", far, 2.0, unit="us", verdict="differs", why="a reason")]
        found = ledger.judge([kit.Figure("x", "btin", None, "", rows)], {"x": self.DATA})
        self.assertEqual([one.row.id for one in found], ["x-0", "x-1", "x-2", "x-3"])
        self.assertEqual((found[2].verdict, found[2].wrong, found[2].ratio), ("", "", 2))
        self.assertEqual(found[2].ours, "4.0 ± 0.1 us")
        self.assertEqual(found[3][2:], ("1 of 2 hold", None, "", ""))
        page = ledger.page(found)
        self.assertIn("| differs | 1 |", "\n".join(page))
        self.assertRegex("\n".join(page), r"\(\.\./docs/systems/[^|]*\n- \[btin-6\]"
                         r"\(figures/btin-6\.svg\): Section 5\.2, Figure 6: .* or more\.\n")
        self.assertTrue(any("| x-2 |" in line and "| (x-1) |" in line for line in page))

    def test_claims_are_told_apart_by_intervals(self):
        near, far = self.DATA.panel("a").series
        for verdict, held in (("shape only", claims.below(near, far)),
                              ("shape only", [claims.rises(near), claims.flat(far, 0.4)]),
                              ("differs", claims.below(far, near)),
                              ("not told apart", [claims.below(near.points[0], 1.1), True])):
            self.assertEqual(self.judged("sentence", lambda data, held=held: held).verdict, verdict)
        self.assertAlmostEqual(claims.ratio(far.points[0], near.points[1]).y, 4 / 2.1)
        self.assertEqual(claims.least(far), 1)

    def test_values_are_written_and_read(self):
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch.object(results, "FOLDER", pathlib.Path(folder)):
                row = kit.Printed("x-1", "", "", kit.At("a", "near", 2), 1.5, mark="near 1.54")
                stored.write(kit.Figure("x", "btin", None, "", [row]), self.DATA)
                self.assertEqual(stored.read("x").panels[0].series, self.DATA.panels[0].series)
                self.assertIsNone(stored.read("y"))
                drawing = (pathlib.Path(folder) / "figures/x.svg").read_text()
        self.assertIn("near 1.54, printed", drawing)
        self.assertLess(drawing.count("\n"), 10)

    def test_figures_say_how_they_are_measured_and_rows_have_their_own_names(self):
        rows = [row.id for figure in kit.figures() for row in figure.printed]
        self.assertEqual(len(rows), len(set(rows)))
        for figure in kit.figures():
            self.assertIn(figure.paper, (*ledger.PAPERS, "ours"))
            self.assertGreater(len(sys.modules[figure.measure.__module__].__doc__), 60)


if __name__ == "__main__":
    unittest.main()
