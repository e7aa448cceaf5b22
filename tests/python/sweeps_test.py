# SPDX-License-Identifier: Apache-2.0
"""muster.sweep: rows are those of the command line, on any executor, and failures cost one row."""

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import command_line
import muster

FIGURE1 = str(command_line.FIGURE1)
PLAN = {"schema": "muster-sweep-plan-1",
        "network": [FIGURE1, {"generate": "irregular",
                              "options": {"switches": 6, "nodes": 12, "seed": 4}}],
        "options": {"scheme": ["btin", "star"], "load": [0, 0.2], "barriers": 5}}
FAILING = {"schema": "muster-sweep-plan-1", "network": FIGURE1,
           "options": {"barriers": 2, "group": ["paper", "random:99"], "seed": [1, 2]},
           "keep": ["cycles", "latency_us.mean", "digest"]}


def own(rows):
    """All but times; null is null."""
    return json.loads(rows.drop(columns="seconds").to_json(orient="records"))


def kill_worker_at_seed_2(point, networks):
    """In place of run_point."""
    if point.seed == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    return run_point(point, networks)


run_point = sys.modules["muster._sweeps"].run_point


class SweepsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_results_are_those_of_the_command_line(self):
        rows = muster.sweep(PLAN)
        self.assertEqual(rows["scheme"].tolist(), ["btin", "btin", "star", "star"] * 2)
        for _, row in rows[rows["network"] == FIGURE1].iterrows():
            result = command_line.result_of(FIGURE1, f"--scheme={row['scheme']}",
                                            f"--load={row['load']}", "--barriers=5")
            self.assertEqual(row["digest"], result["digest"])
            self.assertEqual(row["latency_us.mean"], result["latency_us"]["mean"])

    def test_the_rows_are_the_same_on_any_executor(self):
        rows = own(muster.sweep(PLAN))
        with concurrent.futures.ProcessPoolExecutor(1) as one:
            self.assertEqual(own(muster.sweep(PLAN, one)), rows)
        import distributed
        with distributed.Client(n_workers=2, threads_per_worker=1, processes=True,
                                dashboard_address=None, local_directory=str(self.folder),
                                host="127.0.0.1") as client:
            self.assertEqual(own(muster.sweep(PLAN, client.get_executor())), rows)

    def test_the_rows_are_the_same_on_mpi(self):
        script = self.folder / "study.py"
        script.write_text(f"""import sys
import mpi4py.futures
import muster
if __name__ == "__main__":
    with mpi4py.futures.MPIPoolExecutor() as pool:
        rows = muster.sweep({PLAN!r}, pool)
    rows.drop(columns="seconds").to_json(sys.argv[1], orient="records")
""")
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable,
                  "-m", "mpi4py.futures", str(script), str(self.folder / "rows.json")]
        done = subprocess.run(mpirun, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "rows.json").read_text()),
                         own(muster.sweep(PLAN)))

    def test_a_failed_run_is_a_row_with_its_message(self):
        rows = muster.sweep(FAILING)
        self.assertEqual(rows["status"].tolist(), [0, 0, 2, 2])
        self.assertIn("random:99", rows["error"].iloc[2])
        self.assertTrue(np.isnan(rows["cycles"].iloc[3]))

    def test_a_worker_that_dies_costs_its_row_alone(self):
        sweeps = sys.modules["muster._sweeps"]
        sweeps.run_point = kill_worker_at_seed_2
        self.addCleanup(setattr, sweeps, "run_point", run_point)
        plan = {**FAILING, "options": {"barriers": 2, "seed": {"count": 12}}}
        fork = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(2, fork) as pool:
            for executor in (None, pool, pool):  # at last one that is broken already
                rows = muster.sweep(plan, executor)
                self.assertEqual(rows["status"].tolist(), [0, 139] + 10 * [0])
                self.assertIn("signal 11", rows["error"].iloc[1])

    def test_ranges_and_zips_are_the_values_that_they_say(self):
        options = {"load": {"from": 0, "to": 0.3, "step": 0.1}, "barriers": 1,
                   "packet-length": {"from": 4, "factor": 2, "count": 4},
                   "seed": np.arange(1, 3)}
        rows = muster.sweep({"schema": "muster-sweep-plan-1", "network": FIGURE1,
                             "options": options, "zip": [["load", "packet-length"]]})
        self.assertEqual(rows["load"].tolist(), [0, 0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3])
        self.assertEqual(rows["packet-length"].tolist(), [4, 4, 8, 8, 16, 16, 32, 32])
        self.assertEqual(rows["seed"].tolist(), [1, 2] * 4)

    def test_a_plan_that_cannot_be_run_is_refused_and_says_where(self):
        options = PLAN["options"]
        for change, token in (
                ({"options": {"lod": 1}}, "options.lod: 'run' has no such option; similar are lo"),
                ({"schema": "x"}, "schema:"), ({"network": "none.json"}, "none.json"),
                ({"network": []}, "network: an empty list"), ({"command": "rn"}, "command:"),
                ({"network": {"generate": "mesh", "options": {"width": 0}}}, "network.options"),
                ({"network": {"generate": "tours"}}, "network.generate"),
                ({"options": {"load": "x"}}, 'options.load, value "x"'),
                ({"options": {"link-drop": [0.1, 0.7]}}, "value 0.7: --link-drop 0.7: is not in"),
                ({"options": {"barriers": {"from": 0, "to": 3}}}, "options.barriers, value 0:"),
                ({"options": {"json": "x"}}, "options.json: writes a file"),
                ({"options": {"turn": 1}}, "options.turn: is a flag"),
                ({"options": {"barriers": True}}, "options.barriers: takes a value"),
                ({"options": {"load": []}}, "options.load: an empty list"),
                ({"options": {"load": {"from": 0}}}, "options.load: a range"),
                ({"options": {"load": {"from": 0, "to": -1}}}, "options.load: has"),
                ({"options": {"load": {"to": 1, "step": 0}}}, "options.load: never ends"),
                ({"options": {"seed": [1, 1]}}, "runs 0 and 1 are the same"),
                ({"options": options, "zip": [["scheme"]]}, "zip:"),
                ({"options": options, "zip": [["scheme", "barriers"]]}, "must be equal"),
                ({"keep": []}, "keep:"), ({"kep": []}, "kep: is not known")):
            with self.subTest(change), self.assertRaises(muster.InputError) as raised:
                muster.sweep({**PLAN, "network": FIGURE1, **change})
            self.assertIn(token, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
