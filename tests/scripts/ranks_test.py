#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ranks_test.py PROGRAM [--all]: `mpirun -n R muster run` says what one process says.

Each scheme on one engine with one number of ranks, with --all on each engine with 2, 3, 5 and 8;
what home does between two cycles. Then what goes wrong: a rank that is killed, an option that is
refused, a file that cannot be written, a breach, an interruption; and the waveform of rank 0."""

import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from copied_project import ROOT, InFolder

import flow

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ALL = "--all" in sys.argv and (sys.argv.remove("--all") or True)
FIGURE_1 = "topologies/figure1.json"
COUNTS = (2, 3, 5, 8)
SCHEMES = ("btin", "unicast", "multicast", "tree", "star", "bsr-1", "bsr-2", "bsr-3",
           "nic-dissemination", "nic-pairwise", "nic-gather")
RETRYING = ("btin", "unicast", "nic-gather")
ENVIRONMENT = os.environ | flow.MPI_SHARED
LIMIT = 120  # seconds of any run


def engines():
    models = (PROGRAM.parent / "models").is_dir()
    return ("golden", "rtl", "lockstep") if models else ("golden",)


def command(ranks, *options):
    start = ["mpirun", "--quiet", "-n", str(ranks)] if ranks > 1 else []
    return [*start, str(PROGRAM), "run", *map(str, options)]


def run(ranks, *options):
    return subprocess.run(command(ranks, *options), cwd=ROOT, env=ENVIRONMENT, text=True,
                          capture_output=True, timeout=LIMIT)


def answer(ranks, *options):
    """The result except for times, and how it was asked for."""
    done = run(ranks, *options, "--json", "-")
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    result = json.loads(done.stdout)
    for name in ("command", "seconds", "switch_cycles_per_second"):
        del result[name]
    return result


def processor_seconds(pid):
    """What a process has used so far: on a machine with other work an amount of real time says
    nothing of how far it is."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Ranks(InFolder):
    def test_the_result_is_that_of_one_process(self):
        of_all = itertools.product(engines(), SCHEMES)
        cases = list(of_all if ALL else zip(itertools.cycle(engines()), SCHEMES))
        for i, (engine, scheme) in enumerate(cases):
            options = [FIGURE_1, "--engine", engine, "--scheme", scheme, "--group", "random:9",
                       "--load", 0.2, "--warmup", 50, "--spread", 30, "--barriers", 2,
                       "--threads", 1, "--seed", i + 1]
            if scheme in RETRYING:
                options += ["--link-retry", "--link-drop", 0.001]
            one = answer(1, *options)
            for ranks in COUNTS if ALL else COUNTS[i % len(COUNTS):][:1]:
                with self.subTest(engine=engine, scheme=scheme, ranks=ranks):
                    self.assertEqual(one, answer(ranks, *options))

    def test_what_home_does_between_cycles_is_that_of_one_process(self):
        data = ["--load", 0.2, "--warmup", 50, "--barriers", 2]
        for options in (["--group", "all", *data, "--congestion", "3@40"],
                        ["--group", "random:9", *data, "--setup", "in-band"],
                        ["--group", "random:9", *data, "--profile", "btin"],
                        ["--group", "all", "--barriers", 3, "--retry", "--message-drop", 0.02],
                        ["--group", "all", "--barriers", 40, "--retry", "--link-retry",
                         "--kill-switch", "sw8@300", "--reset-switch", "sw2@400"]):
            with self.subTest(options=options):
                one = answer(1, FIGURE_1, *options, "--threads", 1)
                self.assertEqual(one, answer(3, FIGURE_1, *options, "--threads", 1))

    def test_what_is_refused_is_one_line(self):
        for options in ([FIGURE_1, "--barriers", "-1"], ["missing.json"],
                        [FIGURE_1, "--json", "/no/such/folder/x.json"],
                        [FIGURE_1, "--scheme", "no-such"]):
            with self.subTest(options=options):
                done = run(3, *options)
                self.assertEqual(done.returncode, 2)
                ours = [line for line in done.stderr.splitlines() if line.startswith("muster:")]
                self.assertEqual(len(ours), 1, done.stderr)
        done = subprocess.run(["mpirun", "--quiet", "-n", "2", PROGRAM, "topo", "info", FIGURE_1],
                              cwd=ROOT, env=ENVIRONMENT, text=True, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("only 'muster run' and 'muster mpi' support it", done.stderr)

    def start(self, *options):
        running = subprocess.Popen(command(3, *options), cwd=ROOT, env=ENVIRONMENT, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return running, self.ranks_of(
            running, 3, lambda ranks: all(processor_seconds(pid) >= 1 for pid in ranks))

    def ranks_of(self, running, count, in_work):
        """Their process numbers, in the middle of the work."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            mpirun = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children")
            found = mpirun.read_text().split()
            if len(found) == count and in_work(found):
                return [int(pid) for pid in found]
            time.sleep(0.05)
        running.kill()
        raise AssertionError(f"{count} ranks have not begun")

    def test_a_rank_that_dies_ends_all(self):
        for victim in (0, 1):
            out = self.folder / "result.json"
            running, ranks = self.start(FIGURE_1, "--barriers", 1000000, "--json", out)
            os.kill(ranks[victim], signal.SIGKILL)
            running.communicate(timeout=LIMIT)
            self.assertNotEqual(running.returncode, 0)
            self.assertFalse(out.exists(), "half a result is left")

    def test_an_interruption_keeps_what_was_measured(self):
        out = self.folder / "result.json"
        running, ranks = self.start(FIGURE_1, "--barriers", 1000000, "--json", out)
        os.kill(ranks[2], signal.SIGTERM)
        _, stderr = running.communicate(timeout=LIMIT)
        self.assertEqual(running.returncode, 143, stderr)
        result = json.loads(out.read_text())
        self.assertTrue(result["interrupted"])
        self.assertGreater(len(result["barriers"]), 1)

    @unittest.skipUnless("rtl" in engines(), "built without models")
    def test_the_waveform_is_that_of_one_process(self):
        contents = []
        for ranks in (1, 3):
            wave = self.folder / f"ranks{ranks}.fst"
            done = run(ranks, FIGURE_1, "--engine", "rtl", "--barriers", 1, "--wave", wave,
                       "--threads", 1)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = subprocess.run(["fst2vcd", wave], capture_output=True, text=True).stdout
            contents.append([line for line in text.splitlines() if not line.startswith("\t")])
        self.assertGreater(len(contents[0]), 1000)
        self.assertEqual(*contents)


unittest.main()
