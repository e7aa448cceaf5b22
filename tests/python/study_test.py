# SPDX-License-Identifier: Apache-2.0
"""muster-study: files of rows that survive anything, and pictures of them. A seed may be the
argument."""

import contextlib
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

import pandas

import command_line
import muster
from muster import study

SEED = random.randrange(2**32)
MOST_STARTS = 200
PLAN = {"schema": "muster-sweep-plan-1",
        "network": {"generate": "irregular",
                    "options": {"switches": 9, "nodes": 27, "seed": {"count": 2}}},
        "options": {"barriers": 60, "scheme": ["btin", "multicast", "unicast"],
                    "load": [0, 0.2, 0.3], "group": ["all", "random:9", "random:99"]}}
RUNS, FAILED = 54, 18  # a group of 99 among 27 nodes


def reproducible(path):
    """The lines of a file of rows without times."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: part for name, part in line.items() if name != "seconds"} for line in lines]


def whole_rows(path):
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


class StudyTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.plan = self.folder / "plan.json"
        self.plan.write_text(json.dumps(PLAN))

    def command(self, *words):
        """(exit status, what it prints)"""
        with contextlib.redirect_stdout(io.StringIO()) as out, \
                contextlib.redirect_stderr(out):
            status = study.main([str(word) for word in words])
        return status, out.getvalue()

    def start(self, out):
        return subprocess.Popen([sys.executable, "-m", "muster.study", "sweep", str(self.plan),
                                 "--out", str(out)], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def kill_until_complete(self, out, chance):
        """Starts the study again and again and kills it at any time, but not before it has a few
        rows more, so that it ends. Returns how often it was killed midway."""
        midway = 0
        for _ in range(MOST_STARTS):
            rows = whole_rows(out) + chance.randrange(0, 12)
            process = self.start(out)
            while process.poll() is None and whole_rows(out) < rows:
                time.sleep(0.002)
            try:
                text, _ = process.communicate(timeout=chance.uniform(0, 0.2))
                self.assertEqual(process.returncode, 1, text)  # there are runs that fail
                return midway
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            midway += 0 < whole_rows(out) < RUNS
        self.fail(f"not complete after {MOST_STARTS} starts")

    def test_a_study_that_was_killed_ends_as_one_that_was_not(self):
        chance = random.Random(SEED)
        whole, killed = self.folder / "whole.jsonl", self.folder / "killed.jsonl"
        status, text = self.command("sweep", self.plan, "--out", whole)
        self.assertEqual(status, 1, text)
        self.assertEqual(text.count(f"failed: {FAILED // 2} rows: "), 2)  # two networks
        self.assertEqual(len(reproducible(whole)), 1 + RUNS)
        subprocess.run([command_line.ROOT / "scripts/validate", self.plan, whole], check=True)
        self.assertGreaterEqual(self.kill_until_complete(killed, chance), 2)
        self.assertEqual(reproducible(killed), reproducible(whole))

    def small(self, **options):
        self.plan.write_text(json.dumps({
            "schema": "muster-sweep-plan-1", "network": str(command_line.FIGURE1),
            "options": {"barriers": 2, "seed": [1, 2], "load": [0, 0.1], **options}}))

    def test_a_plan_may_grow_but_not_lose_what_was_run(self):
        self.small()
        self.assertEqual(self.command("sweep", self.plan)[0], 0)
        self.small(seed=[1, 2, 3])
        self.assertEqual(self.command("sweep", self.plan)[0], 0)
        rows = self.folder / "plan.jsonl"
        self.assertEqual(muster.read_rows(rows)["seed"].tolist(), [1, 1, 2, 2, 3, 3])
        before = rows.read_bytes()
        self.small(seed=[1])
        status, text = self.command("sweep", self.plan)
        self.assertEqual(status, 2)
        self.assertIn("is not of this plan", text)
        self.assertEqual(rows.read_bytes(), before)

    def test_failed_rows_are_run_again_when_that_is_asked_for(self):
        self.small(group=["paper", "random:99"], seed=1, load=0)
        self.assertEqual(self.command("sweep", self.plan)[0], 1)
        rows = self.folder / "plan.jsonl"
        lines = rows.read_text().splitlines()
        failed = {**json.loads(lines[2]), "error": "another time"}
        rows.write_text("\n".join([*lines[:2], json.dumps(failed)]) + "\n")
        self.assertIn("another time", self.command("sweep", self.plan)[1])
        self.assertNotIn("another time", self.command("sweep", self.plan, "--again")[1])

    def test_two_studies_do_not_write_one_file(self):
        out = self.folder / "rows.jsonl"
        first = self.start(out)
        deadline = time.monotonic() + 60
        while whole_rows(out) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        status, text = self.command("sweep", self.plan, "--out", out)
        self.assertEqual((status, first.wait(timeout=120)), (2, 1), text)
        self.assertIn("another study writes it", text)
        first.stdout.close()

    def test_what_is_no_file_of_rows_is_refused_and_stays(self):
        for content in ("", "x\n", "{}\n", '{"schema": "muster-run-1"}\n'):
            rows = self.folder / "other.jsonl"
            rows.write_text(content)
            status, text = self.command("plot", rows, "--x", "load", "--y", "cycles")
            self.assertEqual(status, 2, content)
            self.assertEqual(text.count("\n"), 1)
            if content:
                self.assertEqual(self.command("sweep", self.plan, "--out", rows)[0], 2)
                self.assertEqual(rows.read_text(), content)

    def test_many_names_are_whole(self):
        names = [f"hot-section:{number}, isolated" for number in range(13)]
        rows = pandas.DataFrame([{"scheme": name, "load": load, "y": load, "status": 0}
                                 for name in names for load in (0, 1)])
        lines = muster.plot(rows, "load", "y", by=["scheme"], out=self.folder / "lines.png")
        box, = (legend.get_window_extent() for legend in lines.legends)
        self.assertGreaterEqual(box.x0, 0)
        self.assertLessEqual(box.x1, lines.bbox.width)
        bars = muster.plot(rows, "scheme", "y", by=["load"], out=self.folder / "bars.png")
        ends = [label.get_window_extent().x1 for label in bars.axes[0].get_xticklabels()]
        middles = [bars.axes[0].transData.transform((place, 0))[0] for place in range(13)]
        for end, middle in zip(ends, middles):
            self.assertAlmostEqual(end, middle, delta=12)

    def test_a_point_is_the_mean_of_seeds_with_its_interval(self):
        self.small(scheme="btin")
        rows = muster.sweep(self.plan)
        points = muster.over_seeds(rows, "latency_us.mean", ["load"])
        values = rows[rows["load"] == 0.1]["latency_us.mean"]
        half = 12.706 * values.std() / 2**0.5  # Student's t of one degree of freedom
        self.assertAlmostEqual(points["mean"].iloc[1], values.mean())
        self.assertAlmostEqual(points["half_width"].iloc[1], half, places=4)
        self.assertEqual(points["rows"].tolist(), [2, 2])

    def test_what_cannot_be_drawn_is_refused_in_one_line(self):
        self.small(scheme=["btin", "star"])
        self.command("sweep", self.plan)
        rows = self.folder / "plan.jsonl"
        for words, token in (
                (["--x", "lod", "--y", "cycles"], "similar are load"),
                (["--x", "load", "--y", "cycles"], "differ in 'scheme'"),
                (["--x", "load", "--y", "digest", "--by", "scheme"], "is text"),
                (["--x", "load", "--y", "cycles", "--where", "load >"], "--where"),
                (["--x", "load", "--y", "cycles", "--where", "load"], "--where"),
                (["--x", "load", "--y", "cycles", "--where", "load > 7"], "no row meets it"),
                (["--x", "load", "--y", "cycles", "--by", "scheme", "--out", "x.gif"], ".svg"),
                (["--x", "load", "--y", "cycles", "--by", "scheme", "--out", "no/x.svg"],
                 "cannot be written")):
            with self.subTest(words):
                status, text = self.command("plot", rows, *words)
                self.assertEqual((status, text.count("\n")), (2, 1), text)
                self.assertIn(token, text)

    def test_failed_rows_are_left_out_with_a_warning(self):
        self.small(group=["paper", "random:99"])
        rows = muster.sweep(self.plan)
        with self.assertWarnsRegex(UserWarning, "^4 of 8 rows failed and are left out, the first: "
                                   ".*random:99"):
            points = muster.over_seeds(rows, "cycles", ["load"])
        self.assertEqual(points["rows"].tolist(), [2, 2])
        with self.assertWarnsRegex(UserWarning, "^4 of 8 rows failed"):
            muster.plot(rows, "load", "cycles")
        with self.assertRaisesRegex(muster.InputError, "^all 4 rows failed, the first:.*random:99"):
            muster.plot(rows[rows["status"] != 0], "load", "cycles")
        # The command prints each reason on its own line instead.
        status, text = self.command("sweep", self.plan)
        status, text = self.command("plot", self.folder / "plan.jsonl", "--x", "load", "--y",
                                    "cycles", "--out", self.folder / "plot.svg")
        self.assertEqual(status, 0, text)
        self.assertIn("failed: 4 rows: ", text)
        self.assertNotIn("Warning", text)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        SEED = int(sys.argv.pop(1))
    print(f"seed {SEED}")
    unittest.main()
