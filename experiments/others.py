# SPDX-License-Identifier: Apache-2.0
"""A study of ours: our barriers on golden, under all checkers, beside those of others
(docs/systems/comparison.md): cycles from the last arrival to the last release, mean and longest of
200 barriers, by the range of the members' work between them. The values of others stand here; they
were measured once, with the same work, and nothing else of them is in this project."""

import muster

from .kit import Data, Figure, Study, Table

SPREADS, BARRIERS = (0, 10, 100), 200
HEADS = ("members", "barriers by", "groups", "work 0", "0 to 10", "0 to 100")
BROADCAST = ("a root that broadcasts and tests", 1, {"scheme": "nic-broadcast"})
TURN = {"turn": True}
SUM = TURN | {"op": "sum"}
# Members: generator of the network, members of a group, barriers of others, and ours.
CASES = {
    "64 on an 8 x 8 mesh": (
        ("mesh", {"width": 8, "height": 8}), "all",
        [("`bsg_barrier`", 1, "18.0, 18", "17.0, 18", "15.6, 18")],
        [("barrier switches", 1, TURN), ("barrier switches, sum of 6 bits", 1, SUM),
         ("barrier switches", 4, TURN),
         ("barrier switches, beside data, load 0.8", 1,
          TURN | {"load": 0.8, "warmup": 0, "config": "sw5v1"})]),
    "8 in one place": (
        ("tree", {"arity": 1, "height": 0, "nodes_per_leaf": 8}), "all",
        [("PULP, `hw_barrier_unit`", 1, "1.0, 1", "1.0, 1", "1.0, 1"),
         ("Snitch, `snitch_barrier`", 1, "1.0, 1", "1.0, 1", "1.0, 1")],
        [("a barrier switch", 1, TURN), ("a barrier switch, sum of 6 bits", 1, SUM),
         ("a barrier switch", 4, TURN)]),
    "64 of 256, 75 irregular switches": (("irregular", {"seed": 1}), "random:64", [],
                                         [("barrier switches", 1, TURN), BROADCAST]),
    "64 on a quaternary fat tree": (("fat-tree", {"arity": 4, "dimension": 3}), "all", [],
                                    [("barrier switches", 1, TURN), BROADCAST])}


def latency(item: list) -> dict:
    """Mean and longest in cycles."""
    (generator, parameters), members, groups, options, spread = item
    run = muster.run(muster.generate(generator, **parameters), [members] * groups, spread=spread,
                     barriers=BARRIERS, **options)
    cycles = "{mean:.1f}, {max}".format(**run.latency_cycles)
    return {"cycles": cycles, "violations": run.violations}


def measure(study: Study) -> Data:
    found = iter(study.grid(latency, [
        [[network, members, groups, options, spread] for spread in SPREADS]
        for network, members, _, ours in CASES.values() for _, groups, options in ours]))
    table = Table("Latency", HEADS, [])
    for name, (_, _, others, ours) in CASES.items():
        table.rows.extend((name, *row) for row in others)
        table.rows.extend((name, what, groups, *(one["cycles"] for one in next(found)))
                          for what, groups, _ in ours)
    return Data("Barriers of others beside ours", tables=[table])


FIGURES = [Figure("others", "ours", measure, "our barriers beside those of others")]
