#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums of all ranks through mpi4py. Usage: sums.py [ROUNDS]. Status 1 if one is wrong."""

import array
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
wrong = 0
for i in range(rounds):
    mine, sums = array.array("q", [world.rank, i, -i]), array.array("q", [0] * 3)
    world.Allreduce([mine, MPI.INT64_T], [sums, MPI.INT64_T], op=MPI.SUM)
    ranks = range(world.size)
    wrong += sums.tolist() != [sum(ranks), i * world.size, -i * world.size]
    world.Barrier()
if world.rank == 0:
    print(f"{rounds} rounds, {wrong} wrong")
sys.exit(wrong != 0)
