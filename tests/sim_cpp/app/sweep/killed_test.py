#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sweep that is killed (kill -9) at random times and started again each time ends with the rows
of one that was not, machines and times apart; so do shards that are merged. The program is the
first argument, a seed may be the second."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
MUSTER = None
SEED = None
MOST_STARTS = 200
PLAN = {
    "schema": "muster-sweep-plan-1",
    "network": {"generate": "irregular",
                "options": {"switches": 9, "nodes": 27, "seed": {"count": 2}}},
    "options": {"barriers": 60, "scheme": ["btin", "multicast", "unicast"],
                "load": [0, 0.2, 0.3], "group": ["all", "random:9", "random:99"]},
}
FAILED = 2 * 3 * 3  # rows of 99 nodes among 27


def start(folder, *words):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SLURM_")}
    return subprocess.Popen([MUSTER, "sweep", *words], cwd=folder, env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def reproducible(path):
    """The text of a file of rows without machines and times."""
    lines = []
    for line in path.read_text().splitlines():
        value = json.loads(line)
        for name in ("machine", "seconds", "machines"):
            value.pop(name, None)
        lines.append(json.dumps(value))
    return lines


def whole_rows(path):
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def children_of(process):
    """Processes of the sweep; none if it is not there."""
    path = pathlib.Path(f"/proc/{process}/task/{process}/children")
    return path.read_text().split() if path.exists() else []


def is_gone(process):
    """True of a zombie too: who reaps it is not the matter here."""
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return True
    return state in "ZX"


class Killed(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "plan.json").write_text(json.dumps(PLAN))

    def complete(self, *words):
        process = start(self.folder, "plan.json", *words)
        out, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, out)  # there are rows that fail
        self.assertIn(f"{FAILED} failed" if "--shard" not in words else "failed", out)

    def kill_until_complete(self, out, chance):
        """Starts the sweep again and again and kills it at any time, but not before it has a few
        rows more, so that it ends. Returns how often it was killed with some rows there, but not
        all."""
        midway = 0
        for _ in range(MOST_STARTS):
            rows = whole_rows(out) + chance.randrange(0, 8)
            process = start(self.folder, "plan.json", "--out", out.name, "--jobs", "2")
            while process.poll() is None and whole_rows(out) < rows:
                time.sleep(0.002)
            try:
                process.communicate(timeout=chance.uniform(0, 0.1))
                self.assertEqual(process.returncode, 1)
                return midway
            except subprocess.TimeoutExpired:
                children = children_of(process.pid)
                process.kill()
                process.communicate()
                deadline = time.monotonic() + 20
                while not all(is_gone(child) for child in children):
                    self.assertLess(time.monotonic(), deadline, "children outlive the sweep")
                    time.sleep(0.01)
            midway += 0 < whole_rows(out) < 54
        self.fail(f"not complete after {MOST_STARTS} starts")

    def test_a_sweep_that_was_killed_ends_as_one_that_was_not(self):
        chance = random.Random(SEED)
        self.complete("--out", "whole.jsonl")
        whole = reproducible(self.folder / "whole.jsonl")
        self.assertEqual(len(whole), 1 + 54)
        out = self.folder / "killed.jsonl"
        self.assertGreaterEqual(self.kill_until_complete(out, chance), 2)
        self.assertEqual(reproducible(out), whole)

    def test_shards_merged_are_as_one_process(self):
        self.complete("--out", "whole.jsonl", "--csv", "whole.csv", "--jobs", "1")
        for number in (3, 1, 4, 2):
            self.complete("--out", "part.jsonl", "--shard", f"{number}/4", "--jobs", "2")
        process = start(self.folder, "--merge", *(f"part-{n}-of-4.jsonl" for n in (2, 4, 3, 1)),
                        "--out", "merged.jsonl", "--csv", "merged.csv")
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (1, "merged.jsonl: 54 rows, 18 failed\n"))
        self.assertEqual(reproducible(self.folder / "merged.jsonl"),
                         reproducible(self.folder / "whole.jsonl"))
        self.assertEqual((self.folder / "merged.csv").read_bytes(),
                         (self.folder / "whole.csv").read_bytes())


if __name__ == "__main__":
    MUSTER = str(pathlib.Path(sys.argv[1]).resolve())
    SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    print(f"seed {SEED}")
    unittest.main(argv=sys.argv[:1])
