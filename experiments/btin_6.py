# SPDX-License-Identifier: Apache-2.0
"""Section 5.2, Figure 6: latency over the group size, both systems, connectivity 75 %. How soon an
input takes the next header, which the paper does not state, decides whether multicast takes less
than the printed time or more."""

import math

import muster

from . import btin_t1, claims
from ._btin import (AROUND, LARGE, NETWORKS, OCCUPIED, OCCUPIES, QUEUED, SHORTEST, SMALL,
                    BELOW_MULTICAST, further, name, over_sizes)
from .kit import LOCKSTEP, At, Figure, Printed, of, of_curves


def grown(claim, curve):
    """A row's value: from 256/75/256 to 1024/300/1024."""
    return of(claim, At("c", curve, 1024), At("a", curve, 256))


def multicast(letter, case, way, why, why_grown):
    """Rows of a model of it, `way` in the names of its curves."""
    curve, ratio, same = f"multicast{way}, measured", f"measured{way}", f"As btin-6{letter}1."
    return further(6, letter, case, {
        "a": (At("e", ratio, 256), why), "b": (At("g", ratio, 256), same),
        "c2": (At("c", curve, 1024), same), "d2": (grown(claims.ratio, curve), why_grown)})


def formula(found):
    """Latency in us at a height of h links is 2 (t_s + d t_p + (d + 1) t_r), d = h + 2."""
    pairs = [zip(found["btin-6"].curve(ours, "btin, measured").points,
                 found["btin-t1"].curve(tree, btin_t1.UNIFORM).points)
             for ours, tree in ("aa", "cb")]
    return [all(abs(2 * (2 + 0.02 * (h.y + 2) + 0.3 * (h.y + 3)) / p.y - 1) < 0.01
                for p, h in curve) for curve in pairs]


def narrow(data):
    """Of most points the standard deviation is less than a tenth of the mean."""
    deviations = math.sqrt(NETWORKS) / muster._core.student_t95(NETWORKS - 1)
    curves = [data.curve(panel, f"{way}, measured").points
              for panel in "ac" for way in ("btin", "multicast")]
    return [2 * sum(p.half_width * deviations < 0.1 * p.y for p in points) > len(points)
            for points in curves]


NO_MODEL = (
    "In our switches consecutive messages are apart by their length, three flits, 30 ns and not "
    "320. The curves by formula show the latency with messages t_r + t_p apart, and rows btin-6o "
    "and btin-6s measure it.")
WAITS = "measured, messages wait in the queues of data"
QUEUES = (
    "The switch that the paper draws: messages enter the queues of data, one after the other is "
    "consumed at the head, and they compete for outputs. Without data the rest of the latency, "
    "t_s, t_p and t_r, is far more than the queues add.")
PORT = (
    "Headers t_r + t_p apart pass one after the other through one port of the root switch, the "
    "port that our up*/down* routes use most. The measured value agrees with the formula for this "
    "port, the curve busiest root port. The printed numbers have a third of the members there.")
PATHS = (
    "As btin-6o1, on shortest paths, where the port leads to the largest branch of the tree. The "
    "measured value agrees with the formula for this port. On generated trees that branch holds "
    "more than the third of the members that the printed numbers have.")

FIGURES = [Figure("btin-6", "btin", lambda study: over_sizes(
    study, "BTIN Figure 6: 8-port switches, connectivity 75 %",
    {name(system): system for system in (SMALL, LARGE)}),
                  "latency over the group size, BTIN and its baselines", [
    Printed("btin-6c1", "Figure 6", "1024 nodes, 300 switches, group 1024: BTIN",
            At("c", "btin, measured", 1024), 11.5, unit="us", mark="BTIN", engine=LOCKSTEP),
    Printed("btin-6d1", "Figure 6", "sizes quadrupled, 256/75/256 to 1024/300/1024: BTIN, more",
            grown(claims.difference, "btin, measured"), 1.8, unit="us"),
    Printed("btin-6e", "Figure 6", "BTIN's latency is almost independent of the group size, but "
            "for very small groups (ours: within 10 % from 16 members on)",
            of_curves(claims.flat, "ac", "btin, measured", within=0.1, start=16)),
    Printed("btin-6f", "Figure 6",
            "BTIN's latency is below that of multicast (ours from 16 members on)",
            BELOW_MULTICAST),
    Printed("btin-6g", "Figure 6", "the larger network gains more, all nodes in the group",
            of(claims.below, At("e", "measured", 256), At("g", "measured", 1024))),
    Printed("btin-6h", "Sections 4.1, 5.1", "BTIN's latency is linear in the height h of the tree, "
            "2 (t_s + d t_p + (d + 1) t_r) with d = h + 2 (ours: within 1 %)", formula,
            figures=("btin-t1",)),
    Printed("btin-6v", "Section 5.2", "in most cases the variance is very small (ours: standard "
            "deviation below a tenth of the mean at most sizes)", narrow),
    *multicast("m", "measured", "", NO_MODEL, "As btin-6m1: without contention the latency hardly "
               "grows; with ours it grows by the time on the root node's link."),
    *further(6, "q", WAITS, {
        "c1": (At("c", f"{QUEUED}, measured", 1024), QUEUES),
        "d1": (grown(claims.difference, f"{QUEUED}, measured"), "As btin-6q1.")}),
    *multicast("o", OCCUPIES, f", {OCCUPIED}", PORT, "As btin-6o1: in larger networks our routes "
               "lead a larger share through that port."),
    *multicast("s", SHORTEST, f", {AROUND}", PATHS, "As btin-6s1."),
])]
