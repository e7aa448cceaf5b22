# SPDX-License-Identifier: Apache-2.0
"""Section 4.2, Figure 12: rounds on networks of 300 and 1200 switches with three links and a node
each, over the size of the group; no other traffic.

The baseline is the binomial tree of [4] among nodes, which the paper's text describes, and the same
with units in the switches, whose buffers are not given: 1, 2 and 4 messages. Units are measured
with Ts = 100 only: with 1000 they and all others take 900 cycles more."""

from . import _pre_curves as curves
from . import claims, pre_units
from ._pre import irregular
from .kit import Data, Figure, Printed

PARTS = ((irregular(300), (20, 60, 120, 180, 240, 300)),
         (irregular(1200), (60, 240, 480, 720, 960, 1200)))
NODES = {"tree [4]": {"scheme": "tree"}, "star": {"scheme": "star"}}
UNITS = {f"units [4], {n} message{'s' * (n > 1)}": {"scheme": "tree-units", "unit_buffer": n}
         for n in (1, 2, 4)}


def measure(study):
    data = Data("Preempting barriers, Figure 12: rounds on networks of switches with three links",
                [])
    for system, sizes in PARTS:
        for profile in curves.TIMINGS:
            curves.rounds(study, system, sizes, profile, NODES, data)
    for system, sizes in PARTS:
        for profile in ("ts-100", "ts-100-tb-16"):
            curves.rounds(study, system, sizes, profile, UNITS, data, bound=False)
    return data


def row(number, case, ours, why=None, where="Figure 12, section 4.2", **more):
    return curves.sentence(number, where, case, ours, why, **more)


CENTER = ("The links of the center carry n first messages of three flits, six cycles each, while "
          "the n messages of a later round use n edges in parallel. So the first round grows with "
          "the members, and later rounds hardly do. Longer hops make both rounds longer and the "
          "ratio smaller.")
FIGURE = Figure("pre-12", "preempt", measure, "rounds on networks of switches with three links", [
    *curves.twice("pre-12", "Figure 12, section 4.2", "N = 300", 300, "abcd",
                  ("a1", "a2", "a3", "a4"), dict.fromkeys("ac", CENTER)),
    *curves.twice("pre-12", "Figure 12, section 4.2", "N = 1200", 1200, "efgh",
                  ("a5", "a6", "a7", "a8"), dict.fromkeys("efgh", CENTER)),
    row("pre-12b1", "N = 300: the first round is below the baseline",
        curves.below("abcd", curves.FIRST, "tree [4]")),
    row("pre-12b2", "N = 1200: the first round is below the baseline",
        curves.below("efgh", curves.FIRST, "tree [4]"), differs=False,
        why="With Tb = 16 the first round is below the baseline at all sizes. With the RTL's own "
            "hops the intervals overlap, most with 480 members: on one network most of them are "
            "behind one link of the center, which the first messages pass one by one."),
    row("pre-12c", "later rounds are below the baseline",
        curves.below("abcdefgh", curves.LATER, "tree [4]")),
    row("pre-12d", "the star is worse than later rounds",
        curves.below("abcdefgh", curves.LATER, "star")),
    Printed("pre-12e", "Figure 12, section 4.2", "N = 1200: the baseline saturates past 720 "
            "members (ours: units that combine in order deadlock there and not before, whatever "
            "room their inputs have)", "sentence", pre_units.collapses, figures=("pre-hold",),
            why="The paper says neither the order nor the room. Units that take messages at any "
                "time and packets between nodes never deadlock, and their latency grows with each "
                "member."),
    row("pre-12f", "N = 1200: ours does not saturate past 720 members",
        lambda data: [claims.flat(data.panel(panel).curve(curves.LATER), 0.1) for panel in "ef"]),
    row("pre-12g", "few members have a small initialization overhead, and it grows fast as the "
        "members approach the nodes: first by later rounds at the fewest members less than half of "
        "that at the most", curves.overheads("abcdefgh")),
    row("pre-12h", "latency grows gradually with the startup time: Ts = 1000 above 100, by less "
        "than twice the difference", curves.startups(("ab", "cd", "ef", "gh"))),
    row("pre-t1", "the algorithm makes a tree of any group: its first and its later rounds end "
        "(bsr_theorem_test compares the trees with those of a central program)", lambda data: [
            [p.x for p in data.panel(panel).curve(name).points] == list(sizes)
            for panels, (_, sizes) in zip(("abcd", "efgh"), PARTS) for panel in panels
            for name in (curves.FIRST, curves.LATER)], where="Theorem 1"),
    Printed("pre-m", "Sections 3 and 4.1", "a barrier message has one flit or two", "1 or 2 flits",
            verdict="differs", engine="", why="Of 16 bits. Later messages have two; a first one "
            "names a group, a destination, a source, a new node and a tag, 45 bits at 1200 nodes, "
            "and has three."),
    row("pre-t2", "2 Tb H bounds a later round",
        curves.below("abcdefgh", curves.LATER, curves.BOUND), where="Theorem 2", figure="pre-12",
        why="The theorem counts only hops and neglects the waits of messages: at a BSR node, and "
            "where a switch notifies its children and its node one after the other. The bound with "
            "these waits holds in every run "
            "([bound](systems/bsr-tree.md#the-bound-of-a-barrier))."),
])
