#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpi_test.py PROGRAM Programs: `muster mpi` with the programs of examples/mpi, compiled here:
their results under every engine, repeatable times, and what goes wrong. Long in place of Programs:
10,000 calls in lockstep, 64 ranks, and hpcc."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from copied_project import ROOT, InFolder

import flow

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
MESH = ROOT / "topologies/mesh-4x4.json"
# Verilated, with a group of its four nodes and one of two of them.
DESIGNED = (ROOT / "tests/verif/generated/mesh.json", "--design",
            PROGRAM.parent / "tests/verif/generated/muster_mesh.so")
PYTHON = "/usr/bin/python3"  # Debian's, which Debian's mpi4py is for
# What ranks do that differs: a line of C, and what is said of it.
WRONG = (
    ("if (rank == 1) raise(SIGKILL); MPI_Barrier(MPI_COMM_WORLD);",
     ("rank 1 was ended by signal 9", "last call was MPI_Allreduce")),
    ("if (rank == 1) _exit(3); MPI_Barrier(MPI_COMM_WORLD);", ("rank 1 has ended with status 3",)),
    ("if (rank == 1) MPI_Barrier(MPI_COMM_WORLD); else MPI_Bcast(&one, 1, MPI_INT, 0, "
     "MPI_COMM_WORLD);", ("calls do not match", "MPI_Barrier", "MPI_Bcast", "rank 1")),
    ("MPI_Bcast(&one, 1, MPI_INT, rank, MPI_COMM_WORLD);", ("calls do not match", "root")),
    ("if (rank != 1) MPI_Barrier(MPI_COMM_WORLD);", ("no rank can go on", "not there: 1")),
)
SOURCE = """#include <mpi.h>
#include <signal.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  %s
  MPI_Finalize();
  return 0;
}
"""
# Rank DEAD dies in the middle of sums, and while the others wait for it in a barrier; they end with
# status 4 if their sums are not those of the living.
DEATHS = ("""for (int i = 0; i < 100; ++i) {
    int sum = rank + 1;
    if (rank == DEAD && i == 50) raise(SIGKILL);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != (i < 50 ? 10 : 9 - DEAD)) _exit(4);
  }""", """if (rank == DEAD) usleep(300000), _exit(3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (one != 3) _exit(4);""")
# A message from one group to another, between barriers of both.
CHAIN = """MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Barrier(half);
  if (rank % 2 == 0)
    MPI_Recv(&one, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Barrier(half), MPI_Send(&one, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);
  MPI_Barrier(half);"""

# Input of hpcc, a value a line: matrices of 200, blocks of 40, 2 x 4 ranks.
HPCC = "HPL input HPL.out 8 1 200 1 40 0 1 2 4 16.0 1 2 1 4 1 2 1 1 1 1 1 0 2 64 0 0 1 8 - 0 0 0 0"

# A message that moves only if the rank that waits in a barrier lets it.
LARGE = """static char data[1 << 22];
  MPI_Request request;
  if (rank == 0) MPI_Irecv(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Send(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);"""

# What MPI says of a root that is none; zeros that are equal; a collective call that makes a
# communicator, between barriers of halves.
ODD = ("""MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Bcast(&one, 1, MPI_INT, 99, MPI_COMM_WORLD) == MPI_SUCCESS || one != 1) _exit(4);""",
       """double zero = rank == 0 ? 0.0 : -0.0, least;
  MPI_Allreduce(&zero, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  if (least != 0) _exit(4);""",
       """MPI_Comm half, ring;
  int size, to, from;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank % 2) MPI_Barrier(half);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  if (rank % 2 == 0) MPI_Barrier(half);
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &one, 1, MPI_INT, ring);
  if (one != from) _exit(4);""")

# Groups that ranks use in turn, one with their nodes alone, and again after it is free.
TURNS = """MPI_Comm pair;
  for (int i = 0; i < 4; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == 3, rank, &pair);
    MPI_Barrier(pair);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, i % 2 ? MPI_SUM : MPI_MIN, pair);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&pair);
  }"""


def running_below(pid):
    """The children of mpirun that have not ended. When ranks have failed, that of Open MPI 4.1 may
    hang at its own end, in PMIx_server_finalize."""
    proc = pathlib.Path("/proc")
    children = [child for file in proc.glob(f"{pid}/task/*/children")
                for child in file.read_text().split()]
    return [child for child in children
            if (proc / child / "stat").read_text().rpartition(")")[2].split()[0] != "Z"]


class WithPrograms(InFolder):
    seconds = 300  # of any run

    @classmethod
    def setUpClass(cls):
        cls.programs = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for source in (ROOT / "examples/mpi").glob("*.c"):
            cls.compile(source)

    @classmethod
    def compile(cls, source):
        program = cls.programs / source.stem
        subprocess.run(["mpicc", "-O2", source, "-o", program, "-lm"], check=True)
        return program

    def start(self, ranks, *options, program, words=(), launch=(), cwd=ROOT):
        command = ["mpirun", "--quiet", *launch, "-n", str(ranks), PROGRAM, "mpi",
                   *map(str, options), "--", program, *map(str, words)]
        with subprocess.Popen(command, cwd=cwd, env=os.environ | flow.MPI_SHARED, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            for _ in range(self.seconds // 10):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    out, err = run.communicate(timeout=10)
                    break
                if not running_below(run.pid):
                    run.kill()
            else:
                run.kill()
                out, err = run.communicate()
                self.fail(f"{command} does not end\n{out}{err}")
        return subprocess.CompletedProcess(command, run.returncode, out, err)

    def report(self, ranks, *options, program, **how):
        out = self.folder / "report.json"
        done = self.start(ranks, *options, "--json", out, program=self.programs / program, **how)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        subprocess.run([ROOT / "scripts/validate", "--program", PROGRAM, out], check=True)
        return json.loads(out.read_text()), done.stdout

    def source(self, line):
        source = self.programs / "wrong.c"
        source.write_text(SOURCE % line)
        return self.compile(source)

    def lockstep_with_sixteen_ranks(self, calls):
        """Barriers, then sums of 64 bits until the gradient is small."""
        network = self.folder / "fat-tree.json"
        subprocess.run([PROGRAM, "topo", "gen", "fat-tree", "--arity", "2", "--dimension", "4",
                        "--out", network], check=True)
        for program, words, least in (("straggler", (calls, 3, 100), calls),
                                      ("gradient", (calls // 4, 8), 100)):
            report, _ = self.report(16, network, "--engine", "lockstep", "--data-bits", 64,
                                    "--check", program=program, words=words)
            self.assertGreaterEqual(report["result"]["barriers"], least)
            self.assertEqual((report["differs"], report["result"]["violations"]), (0, []))


class Programs(WithPrograms):
    def test_lockstep_with_sixteen_ranks(self):
        self.lockstep_with_sixteen_ranks(1000)

    def test_results_are_those_of_mpi(self):
        for scheme in ("btin", "bsr-2", "nic-pairwise"):
            for program, words, said in (("gradient", (20, 64), "residual"),
                                         ("sort", (32,), "in order"),
                                         ("groups", (2,), "0 wrong results")):
                with self.subTest(scheme=scheme, program=program):
                    report, out = self.report(9, MESH, "--scheme", scheme, "--check",
                                              program=program, words=words)
                    self.assertIn(said, out)
                    self.assertEqual(report["differs"], 0)

    def test_a_program_in_python(self):
        report, out = self.report(4, MESH, "--check", program=PYTHON,
                                  words=(ROOT / "examples/mpi/sums.py", 10))
        self.assertIn("10 rounds, 0 wrong", out)
        self.assertEqual((report["passed"], report["differs"]), ({}, 0))
        self.assertEqual([(site["call"], site["count"]) for site in report["sites"]],
                         [("MPI_Allreduce", 10), ("MPI_Barrier", 10)])

    def repeated(self, ranks, network, *options, **program):
        """The report of a run that records its times, and that of two with those times."""
        times = self.folder / "times.json"
        recorded, _ = self.report(ranks, *network, "--record", times, *options, **program)
        first, again = (self.report(ranks, *network, "--compute", times, **program)[0]
                        for _ in range(2))
        self.assertEqual(first, {**again, "command": first["command"]})
        if program["program"] == "straggler":
            last = first["sites"][0]["last"]
            self.assertEqual(max(last, key=lambda each: each["count"])["rank"], 3)
        return recorded, first

    def test_recorded_times_give_the_same_digest(self):
        self.repeated(16, [MESH], program="straggler", words=(20, 3))
        self.repeated(9, [MESH], program="groups", words=(3,))

    def test_a_lossy_link_changes_no_result(self):
        report, out = self.report(4, MESH, "--link-retry", "--link-drop", 0.01, "--check",
                                  program="sort", words=(32,))
        self.assertIn("in order", out)
        self.assertEqual(report["differs"], 0)

    def test_messages_beside_barriers_do_not_hang(self):
        for line in (CHAIN, LARGE):
            with self.subTest(line):
                done = self.start(4, MESH, "--patience", 20, program=self.source(line))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_odd_calls_are_those_of_mpi(self):
        for line in ODD:
            with self.subTest(line):
                self.source(line)
                report, _ = self.report(4, MESH, "--check", "--data-bits", 64, "--patience", 20,
                                        program="wrong")
                self.assertEqual(report["differs"], 0)

    def test_data_move_beside_a_program(self):
        report, _ = self.report(4, MESH, "--load", 0.1, program="straggler", words=(5, 3))
        self.assertEqual(report["result"]["barriers"], 5)
        self.assertLess(report["result"]["cycles"], 10 ** 9)

    def test_other_schemes_take_the_same_calls(self):
        report, _ = self.report(8, MESH, "--compare", program="straggler", words=(5,))
        others = {each["name"]: each for each in report["others"]}
        for name in ("bsr-1", "unicast", "software dissemination", "software pairwise"):
            self.assertIsNone(others[name]["refused"], name)
            self.assertGreater(others[name]["cycles"], 0)

    def test_ranks_drive_the_endpoints_of_a_verilated_network(self):
        """Results in one barrier and in several; what has no group in the image meets without."""
        for program, words, said, outside in (
                ("jacobi", (20,), "largest change", set()),
                ("gradient", (5, 64), "residual", set()),
                ("groups", (2,), "0 wrong results", {1, 2})):
            with self.subTest(program=program):
                report, out = self.report(4, *DESIGNED, "--check", program=program, words=words)
                self.assertIn(said, out)
                self.assertEqual((report["differs"], report["result"]["violations"]), (0, []))
                self.assertEqual({site["communicator"] for site in report["sites"]
                                  if site["outside"] and site["call"] not in report["passed"]},
                                 outside)
                for site in report["sites"]:
                    if not site["outside"]:  # 11 cycles, and accesses before and after
                        self.assertGreater(site["latency_mean_cycles"], 20 * site["rounds"]
                                           / site["count"])

    def test_groups_of_a_verilated_network_are_used_in_turn(self):
        report, _ = self.report(4, *DESIGNED, "--check", program=self.source(TURNS))
        self.assertEqual((report["differs"], report["result"]["violations"]), (0, []))
        pairs = [site["outside"] for site in report["sites"] if site["communicator"] != 0]
        self.assertEqual((pairs.count(0), pairs.count(1)), (8, 8))

    def test_recorded_times_give_the_same_accesses(self):
        report, again = self.repeated(4, DESIGNED, "--compare", program="straggler", words=(10, 3))
        self.assertIsNone({each["name"]: each for each in report["others"]}["tree"]["refused"])
        self.assertEqual(again["result"]["barriers"], 10)

    def test_what_cannot_go_on_is_named(self):
        for line, said, network in ((*wrong, network) for wrong in WRONG
                                    for network in ((MESH,), DESIGNED)):
            with self.subTest(line=line, network=network):
                done = self.start(4, *network, program=self.source(line))
                self.assertNotEqual(done.returncode, 0)
                for token in said:
                    self.assertIn(token, done.stderr)

    def test_survivors_go_on(self):
        for line, count in zip(DEATHS, (100, 1)):
            for dead in (0, 2):  # rank 0 has the process that holds the network
                with self.subTest(line=line, dead=dead):
                    self.source(line.replace("DEAD", str(dead)))
                    report, out = self.report(4, MESH, "--recover", "--check", program="wrong",
                                              launch=["--enable-recovery"])
                    death, = report["deaths"]
                    self.assertEqual((death["rank"], death["signal"], death["status"]),
                                     (dead, 9, None) if count > 1 else (dead, None, 3))
                    self.assertEqual(death["call"], "MPI_Allreduce")
                    self.assertIn(f"rank {dead} ", out)
                    self.assertEqual(report["sites"][-1]["count"], count)

    def test_a_message_of_a_dead_rank_is_waited_for_with_patience(self):
        line = """if (rank == 1) raise(SIGKILL);
          if (rank == 0)
            MPI_Recv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
        done = self.start(3, MESH, "--recover", "--patience", 3, program=self.source(line))
        self.assertNotEqual(done.returncode, 0)
        for token in ("rank 0 is in a call of MPI itself", "rank 1 was ended by signal 9"):
            self.assertIn(token, done.stderr)

    def test_bad_options_are_one_line(self):
        for options, token in ((("missing.json",), "missing.json"),
                               ((MESH, "--group", "n0"), "1 nodes for 2 ranks"),
                               ((MESH, "--repeat", 2), "--repeat"),
                               ((MESH, "--compute", "README.md"), "README.md"),
                               ((MESH, "--patience", 0), "--patience"),
                               ((MESH, "--join", "n15@2", "--setup", "in-band"), "--join"),
                               ((MESH, *DESIGNED[1:]), "not of this network"),
                               (DESIGNED, "the nodes of the 2 ranks"),
                               ((*DESIGNED, "--load", 0.1), "--load"),
                               ((MESH, "--design", PROGRAM), "makes such files")):
            with self.subTest(options=options):
                done = self.start(2, *options, program=self.programs / "sort")
                self.assertEqual(done.returncode, 2, done.stderr)
                ours = [line for line in done.stderr.splitlines() if line.startswith("muster:")]
                self.assertIn(token, "".join(ours))
        done = subprocess.run([PROGRAM, "mpi", MESH, "--", "true"], cwd=ROOT, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("mpirun -n 8 muster mpi", done.stderr)


class Long(WithPrograms):
    seconds = 3600

    def test_lockstep_with_sixteen_ranks(self):
        self.lockstep_with_sixteen_ranks(10_000)

    def test_jacobi_with_64_ranks(self):
        network = self.folder / "mesh.json"
        subprocess.run([PROGRAM, "topo", "gen", "mesh", "--width", "8", "--height", "8", "--out",
                        network], check=True)
        report, _ = self.report(64, network, "--data-bits", 64, "--check", program="jacobi",
                                words=(100,))
        self.assertEqual((report["ranks"], report["differs"]), (64, 0))
        self.assertIn(("MPI_Allreduce", 100, 64, 0),
                      [(site["call"], site["count"], site["members"], site["outside"])
                       for site in report["sites"]])

    def test_hpcc_with_eight_ranks(self):
        (self.folder / "hpccinf.txt").write_text("\n".join(HPCC.split()) + "\n")
        report, _ = self.report(8, MESH, "--data-bits", 64, "--check", program="/usr/bin/hpcc",
                                cwd=self.folder)
        self.assertEqual(report["differs"], 0)
        said = (self.folder / "hpccoutf.txt").read_text()
        self.assertIn("Success=1", said)
        self.assertNotIn("FAILED", said)
        met = {site["call"] for site in report["sites"] if site["outside"] < site["count"]}
        self.assertEqual(met, {"MPI_Allreduce", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce"})


unittest.main()
