# SPDX-License-Identifier: Apache-2.0
"""Runs of the Python module say what the command line says; arrivals of one's own, and what ends
a run early."""

import concurrent.futures
import gc
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import weakref

import numpy as np
import pandas

import command_line
import muster

RECORDING = command_line.ROOT / "topologies" / "arrivals" / "jacobi-8.json"

# Keywords of a run, and the same typed.
RUNS = [
    ({"group": [["0:3", "3:4"]], "barriers": 5}, "--group 0:3,3:4 --barriers 5"),
    ({"group": ["random:4", "random:5"], "scheme": "btin", "load": 0.3, "seed": 7, "turn": True,
      "op": "max"}, "--group random:4 --group random:5 --load 0.3 --seed 7 --turn --op max"),
    ({"group": "paper", "scheme": "nic-gather", "nic": "host", "degree": 2, "drop": 0.02},
     "--group paper --scheme nic-gather --nic host --degree 2 --drop 0.02"),
    ({"group": range(12), "scheme": "bsr-2", "load_flits": 0.01, "packet_length": 16},
     "--group n0,n1,n2,n3,n4,n5,n6,n7,n8,n9,n10,n11 --scheme bsr-2 --load-flits 0.01 "
     "--packet-length 16"),
    ({"scheme": "multicast", "profile": "btin", "spread": 0, "no_checkers": True},
     "--scheme multicast --profile btin --spread 0 --no-checkers"),
    ({"group": "paper", "link_retry": True, "link_drop": 0.01, "barriers": 3,
      "kill_node": ["n8@500"]},
     "--group paper --link-retry --link-drop 0.01 --barriers 3 --kill-node n8@500"),
]


class RunsTest(unittest.TestCase):
    def test_results_are_the_json_of_the_command_line(self):
        network = muster.read(command_line.FIGURE1)
        for keywords, words in RUNS:
            with self.subTest(words):
                result = muster.run(network, **keywords)
                self.assertTrue(result.command.endswith(words.split()[-1]), result.command)
                self.assertEqual(command_line.without_own(result.to_dict()),
                                 command_line.result_of(command_line.FIGURE1, *words.split()))

    def test_attributes_and_columns_are_the_fields_of_the_json(self):
        result = muster.run(command_line.FIGURE1, "paper", load=0.2, barriers=30)
        written = result.to_dict()
        self.assertEqual(result.digest, written["digest"])
        self.assertEqual(result.latency_us, written["latency_us"])
        self.assertEqual(result.parameters, written["parameters"])
        for field in ("latency_cycles", "reduction_cycles", "exit_skew_cycles", "hops", "number"):
            np.testing.assert_array_equal(result.columns[field],
                                          [barrier[field] for barrier in written["barriers"]])
        np.testing.assert_allclose(result.latencies_us,
                                   [barrier["latency_us"] for barrier in written["barriers"]])
        self.assertAlmostEqual(result.latencies_cycles.mean(), written["latency_cycles"]["mean"])
        self.assertTrue(result.ok)
        self.assertIn("digest", str(result))
        self.assertIn("digest", dir(result))
        with self.assertRaisesRegex(AttributeError, "no field 'digset'"):
            result.digset  # noqa: B018

    def test_a_failed_run_has_its_result(self):
        result = muster.run(command_line.FIGURE1, "paper", absent="4:2@1", max_wait=2000)
        self.assertFalse(result.ok)
        self.assertEqual(result.end, "hang")
        self.assertIn("4:2", result.violation_texts[0])
        self.assertEqual(command_line.without_own(result.to_dict()),
                         command_line.result_of(command_line.FIGURE1, "--group", "paper",
                                                "--absent", "4:2@1", "--max-wait", "2000"))

    def test_a_report_of_a_failed_check_is_its_json(self):
        found = muster.report(["run", str(command_line.FIGURE1), "--group=paper",
                               "--absent=4:2@1", "--max-wait=2000"])
        self.assertEqual((found["end"], found["violations"]), ("hang", 1))

    def test_arrays_and_results_live_without_what_they_are_of(self):
        network = muster.generate("mesh", width=3, height=3)
        result = muster.run(network, barriers=50)
        expected = [barrier["latency_cycles"] for barrier in result.barriers]
        del network
        gc.collect()
        self.assertEqual(result.to_dict()["parameters"]["network"], "mesh-3x3")
        latencies = result.latencies_cycles
        del result
        gc.collect()
        muster.run(muster.generate("mesh", width=4, height=4), barriers=50)
        self.assertEqual(latencies.tolist(), expected)
        with self.assertRaises(ValueError):
            latencies[0] = 0

    def test_threads_share_a_network_and_get_the_same(self):
        network = muster.generate("irregular", switches=12, nodes=30)
        alone = muster.run(network, load=0.2, barriers=30).digest
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(
                lambda _: muster.run(network, load=0.2, barriers=30).digest, range(12)))
        self.assertEqual(found, [alone] * 12)

    def test_many_runs_come_in_their_order(self):
        network = muster.generate("mesh", width=3, height=3)
        seen = []
        results = muster.run_many(({"network": network, "load": load, "seed": seed}
                                   for load in (0, 0.2) for seed in (1, 2, 3)), jobs=3,
                                  progress=lambda done, count: seen.append((done, count)))
        self.assertEqual([result.seed for result in results], [1, 2, 3] * 2)
        self.assertEqual([result.digest for result in results],
                         [muster.run(network, load=load, seed=seed).digest
                          for load in (0, 0.2) for seed in (1, 2, 3)])
        self.assertEqual(seen, [(done, 6) for done in range(1, 7)])

    def test_an_error_of_many_runs_names_its_row(self):
        rows = [{"network": command_line.FIGURE1, "group": group} for group in ("paper", "papers")]
        self.assertRaisesRegex(muster.InputError, '^row 1: .*group "papers"', muster.run_many, rows)

        def wrong(member, barrier, now):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError) as raised:
            muster.run_many([*rows[:1], {**rows[0], "arrivals": wrong}])
        self.assertEqual(raised.exception.__notes__, ["in row 1"])

    def test_a_pickled_result_says_the_same(self):
        result = muster.run(command_line.FIGURE1, ["paper", "n0,n5"], load=0.2, barriers=4)
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again.to_dict(), result.to_dict())
        self.assertEqual((str(again), again.ok, again.digest), (str(result), True, result.digest))
        np.testing.assert_array_equal(again.latencies_us, result.latencies_us)
        pandas.testing.assert_frame_equal(again.to_frame(), result.to_frame())
        self.assertEqual(pickle.dumps(again), pickle.dumps(result))

    def test_a_table_of_barriers_has_their_groups_and_times(self):
        result = muster.run(command_line.FIGURE1, ["paper", "n0,n5"], barriers=4)
        frame = result.to_frame()
        self.assertEqual(list(frame["name"]), ["paper"] * 4 + ["n0,n5"] * 4)
        self.assertEqual(list(frame["latency_us"]), [one["latency_us"] for one in result.barriers])
        self.assertEqual(list(frame["hops"]), [one["hops"] for one in result.barriers])

    def test_the_load_is_among_the_parameters_as_it_was_given(self):
        for load in (0.3, 0):
            result = muster.run(command_line.FIGURE1, "paper", load=load, barriers=2)
            self.assertEqual(result.parameters["load"], load)

    def test_a_run_writes_its_page_and_trace(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        page, trace = folder / "run.html", folder / "run.json"
        muster.run(command_line.FIGURE1, "paper", barriers=2, page=page, trace=trace,
                   page_cycles=50)
        self.assertIn("application/x-muster", page.read_text())
        self.assertIn("traceEvents", json.loads(trace.read_text()))
        with self.assertRaisesRegex(muster.InputError, "--page-from and --page-cycles need"):
            muster.run(command_line.FIGURE1, "paper", page_from=3)
        with self.assertRaisesRegex(muster.InputError, "nowhere"):
            muster.run(command_line.FIGURE1, "paper", page=folder / "nowhere" / "run.html")

    def test_a_comparison_is_a_table_of_runs(self):
        frame = muster.compare(command_line.FIGURE1, "paper", load=[0, 0.3], barriers=4,
                               no_saturation=True, link_retry=True)
        for _, row in frame[frame["status"] == 0].iterrows():
            with self.subTest(row["scheme"], load=row["load"]):
                result = muster.run(command_line.FIGURE1, "paper", load=row["load"], barriers=4,
                                    scheme=row["scheme"], link_retry=True)
                self.assertEqual(row["mean_cycles"], result.latency_cycles["mean"])
        refused = frame[frame["status"] == 2]
        self.assertIn("bsr-1", list(refused["scheme"]))
        self.assertTrue(refused["error"].str.len().min() > 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            figure = muster.plot(frame, "load", "mean_us", by=["scheme"])
        self.assertEqual(len(figure.legends[0].get_texts()),
                         frame[frame["status"] == 0]["scheme"].nunique())


class ArrivalsTest(unittest.TestCase):
    def setUp(self):
        self.network = muster.generate("mesh", width=3, height=3)

    def test_a_function_says_when_members_arrive(self):
        asked = []

        def late(member, barrier, now):
            asked.append((member, barrier))
            return now + (500 if member == 4 else 0)

        result = muster.run(self.network, arrivals=late, barriers=3)
        self.assertTrue(result.ok)
        self.assertGreater(result.cycles, 1500)
        self.assertEqual(sorted(set(asked)), [(m, b) for m in range(9) for b in range(3)])
        self.assertIn("late", result.parameters["arrivals"])

    def test_each_group_has_its_function(self):
        def after(cycles):
            return lambda member, barrier, now: now + cycles

        result = muster.run(self.network, [[0, 1, 2], [3, 4, 5]], barriers=4,
                            arrivals=[after(0), after(300)])
        done = {group: result.columns["group"].tolist().count(group) for group in (0, 1)}
        self.assertEqual(done, {0: 4, 1: 4})
        self.assertGreater(result.cycles, 1200)
        with self.assertRaisesRegex(muster.InputError, "2 functions, and none for group 2"):
            muster.run(self.network, [[0, 1], [2, 3], [4, 5]], arrivals=[after(0), after(1)])

    def test_an_array_is_a_list_of_times(self):
        times = 400 * np.arange(4)[:, None] + np.arange(9)  # [barrier][member]
        by_array = muster.run(self.network, arrivals=times, barriers=4)
        by_function = muster.run(self.network, barriers=4, arrivals=lambda member, barrier, now:
                                 int(times[barrier, member]))
        self.assertEqual(by_array.digest, by_function.digest)
        both = muster.run(self.network, [range(4), range(4, 8)], barriers=4, spread=None,
                          arrivals=np.stack([times, times + 50]))
        self.assertTrue(both.ok)
        with self.assertRaisesRegex(muster.InputError, "no time is listed for member 3 of group 0"):
            muster.run(self.network, arrivals=times[:, :3], barriers=4)

    def test_none_is_a_member_that_never_comes(self):
        result = muster.run(self.network, max_wait=1000, arrivals=lambda member, barrier, now:
                            None if (member, barrier) == (2, 3) else now)
        self.assertEqual((result.end, len(result.latencies_us)), ("hang", 3))

    def test_what_a_function_raises_is_raised(self):
        class Own(Exception):
            pass

        own = Own("here")

        def breaks(member, barrier, now):
            if barrier == 2:
                raise own
            return now

        for threads in (1, 2):
            with self.assertRaises(Own) as raised:
                muster.run(self.network, arrivals=breaks, threads=threads)
            self.assertIs(raised.exception, own)
        self.assertTrue(muster.run(self.network).ok)

    def test_what_is_no_cycle_is_refused(self):
        for answer, kind, text in [
                (1.5, TypeError, "arrivals: 1.5 for member 0 at barrier 0; give a whole number"),
                ("x", TypeError, "arrivals: 'x' for member 0"),
                (-1, muster.InputError, "cycle -1 for member 0 at barrier 0 is out of range"),
                (1 << 80, muster.InputError, "is out of range")]:
            with self.assertRaisesRegex(kind, text):
                muster.run(self.network, arrivals=lambda member, barrier, now: answer)
        with self.assertRaisesRegex(muster.InputError, "but is free only from cycle"):
            muster.run(self.network, arrivals=lambda member, barrier, now: 5)
        self.assertRaises(TypeError, muster.run, self.network, arrivals=lambda member: 5)

    def test_a_result_does_not_keep_the_function(self):
        def late(member, barrier, now):
            return now + member

        gone = weakref.ref(late)
        result = muster.run(self.network, arrivals=late)
        del late
        gc.collect()
        self.assertIsNone(gone())
        self.assertIn("late", result.parameters["arrivals"])


class EndsTest(unittest.TestCase):
    LONG = {"barriers": 300_000, "spread": 0, "load": 0.1}

    def setUp(self):
        self.network = muster.generate("mesh", width=6, height=6)

    def test_another_thread_stops_a_run(self):
        stop = muster.Stop()
        threading.Timer(0.5, stop.set).start()
        result = muster.run(self.network, stop=stop, **self.LONG)
        self.assertEqual(result.end, "interrupted")
        self.assertTrue(stop.is_set())
        self.assertLess(len(result.latencies_us), self.LONG["barriers"])

    def interrupted(self, work):
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt) as raised:
            work()
        return raised.exception.result

    def test_ctrl_c_keeps_what_was_measured(self):
        result = self.interrupted(lambda: muster.run(self.network, **self.LONG))
        self.assertEqual(result.end, "interrupted")
        self.assertGreater(len(result.latencies_us), 0)

    def test_ctrl_c_keeps_the_runs_that_were_complete(self):
        rows = [{"network": self.network, "barriers": 2}, {"network": self.network, **self.LONG}]
        results = self.interrupted(lambda: muster.run_many(rows, jobs=2))
        self.assertEqual([result and result.end for result in results], ["complete", None])

    def test_progress_is_told_and_may_end_the_run(self):
        seen = []

        def tell(cycle, done):
            seen.append((cycle, done))
            if len(seen) == 3:
                raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            muster.run(self.network, progress=tell, **self.LONG)
        self.assertEqual(seen, sorted(seen))

    def test_a_program_ends_though_its_daemons_run(self):
        for arrivals in ("None", "lambda member, barrier, now: now"):
            script = f"""
import muster, threading, time
def work():
    while True:
        muster.run(network, barriers=300_000, load=0.1, arrivals={arrivals}).to_dict()
network = muster.generate("mesh", width=6, height=6)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""
            done = subprocess.run([sys.executable, "-c", script], text=True, check=False,
                                  timeout=60, capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
