# SPDX-License-Identifier: Apache-2.0
"""Arrivals of one's own, and what ends a run early."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import weakref

import numpy as np

import command_line
import muster

RECORDING = command_line.ROOT / "topologies" / "arrivals" / "jacobi-8.json"


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

    def test_nobody_waits_is_spread_0(self):
        result = muster.run(self.network, arrivals=lambda member, barrier, now: now, load=0.2)
        self.assertEqual(result.digest, muster.run(self.network, spread=0, load=0.2).digest)

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

    def test_a_recording_is_a_file(self):
        result = muster.run(command_line.FIGURE1, "random:8", arrivals=RECORDING, barriers=20)
        self.assertEqual(command_line.without_own(result.to_dict()),
                         command_line.result_of(command_line.FIGURE1, "--group", "random:8",
                                                "--arrivals", RECORDING, "--barriers", "20"))

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
        with self.assertRaises(TypeError):
            muster.run(self.network, arrivals=lambda member: 5)

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

    def test_ctrl_c_keeps_the_rows_that_were_complete(self):
        plan = {"schema": "muster-sweep-plan-1", "network": str(command_line.FIGURE1),
                "options": {"spread": 0, "load": 0.1, "barriers": [2, 300_000]}}
        rows = self.interrupted(lambda: muster.sweep(plan))
        self.assertEqual(rows["row"].tolist(), [0])

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
        result = muster.run(network, barriers=300_000, load=0.1, arrivals={arrivals})
        result.to_dict()
network = muster.generate("mesh", width=6, height=6)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""
            done = subprocess.run([sys.executable, "-c", script], text=True, check=False,
                                  timeout=60, capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_other_threads_go_on_meanwhile(self):
        counted = []
        stop = muster.Stop()

        def count():
            for number in range(20):
                counted.append(number)
                time.sleep(0.005)
            stop.set()

        threading.Thread(target=count).start()
        muster.run(self.network, stop=stop, **self.LONG)
        self.assertEqual(counted, list(range(20)))


if __name__ == "__main__":
    unittest.main()
