# SPDX-License-Identifier: Apache-2.0
"""A study of our own for a statement of the paper's text: barriers among data, and what they cost
it. 40 members, 60 barriers back to back among data of 32-flit packets, uniform, at least 12000
cycles; the first barrier is not counted. Latencies are those of all networks together. What data
lose is the throughput of the same switches without barriers less that with them, in per cent of the
former: most with II, which always cuts the same channel, and nothing with `btin`. A point is
missing where a barrier or the draining took more than 40000 cycles."""

import statistics

from . import _pre, claims
from .kit import Data, Figure, Point, Printed, Series, all_of, of_curves, of_each

NETWORKS, MEMBERS, BARRIERS, CYCLES = 3, 40, 60, 12_000
SYSTEMS = (_pre.irregular(100), _pre.mesh(10))
LOADS = (0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.95)  # of the load that fills the busiest channel
SCHEMES = {**{name: {"scheme": name} for name in ("bsr-1", "bsr-2", "bsr-3", "btin")},
           "btin, queued": {"scheme": "btin", "queued": True},
           "tree [4]": {"scheme": "tree"}, "star": {"scheme": "star"}}


def of_latencies(value):
    def point(x, barriers, _):
        latencies = sorted(cycles for sample in barriers for cycles in sample["latency"][1:])
        slow = any(sample["stands_still"] for sample in barriers)
        return Point(x, None if slow or not latencies else value(latencies))
    return point


def lost(x, barriers, alone):
    ours, theirs = (sum(sample["throughput"] for sample in of) for of in (barriers, alone))
    return Point(x, 100.0 * (1.0 - ours / theirs) if theirs else 0.0)


PANELS = (("mean", of_latencies(statistics.fmean)),
          ("99th percentile", of_latencies(lambda v: v[int(0.99 * (len(v) - 1) + 0.5)])),
          ("maximum", of_latencies(max)), ("data lost to barriers", lost))


def cases(scheme, members):
    """A case a load; without members only those with data."""
    return [{**scheme, "members": members, "barriers": BARRIERS, "apart": False,
             "load": load, "min_cycles": CYCLES} for load in LOADS if members or load]


def measure(study):
    data = Data(f"Barriers of {MEMBERS} members among data of 32-flit packets")
    for system in SYSTEMS:
        found = _pre.grid(study, system, [cases(scheme, members) for scheme in SCHEMES.values()
                                          for members in (MEMBERS, 0)], NETWORKS)
        by_scheme = [(ours, [[], *alone]) for ours, alone in zip(found[::2], found[1::2])]
        for what, value in PANELS:
            data.add(f"{_pre.name(system)}, {what}", "data load, share of the busiest channel",
                     "throughput lost (%)" if value is lost else "latency (cycles)",
                     [Series(name, list(map(value, LOADS, *both)))
                      for name, both in zip(SCHEMES, by_scheme)], log10_y=value is not lost)
    return data


FIGURES = [Figure("pre-load", "preempt", measure, "barriers among data, and what they cost it", [
    Printed("pre-load1", "Section 4.1", "with switches I and II latency is almost independent of "
            "the traffic of data (ours: within a fifth, over all loads)",
            of_each(claims.flat, "ae", ("bsr-1", "bsr-2"), within=0.2)),
    Printed("pre-load2", "Section 4.1", "the simpler the switch, the slower in congestion: I is "
            "below II, and II below III (ours: at all loads)",
            all_of(of_curves(claims.below, "ae", "bsr-1", "bsr-2", start=LOADS[1]),
                   of_curves(claims.below, "ae", "bsr-2", "bsr-3", start=LOADS[1]))),
    Printed("pre-load3", "Abstract, section 3", "preempting affects data little (ours: takes less "
            "than a tenth of their throughput, at each load)", lambda data: [
                claims.below(max(data.curve(panel, f"bsr-{i}").points, key=lambda p: p.y), 10)
                for panel in "dh" for i in (1, 2, 3)], verdict="differs",
            why="Up to a load of 0.3 barriers take nothing. Past saturation, with 40 of 100 nodes "
            "in barriers back to back, switches I and II take more on random networks; III does "
            "not.")])]
