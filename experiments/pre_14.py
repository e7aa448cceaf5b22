# SPDX-License-Identifier: Apache-2.0
"""Section 4.2 and 4.3, Figure 14: rounds on meshes of 10 x 10 and 20 x 20, over the size of the
group; no other traffic. `btin` is the tree of [5] with messages that pass the queues, which is
ours."""

from . import _pre
from ._pre import mesh
from .kit import Data, Figure, Printed, all_of

PARTS = ((mesh(10), (10, 20, 40, 60, 80, 100)), (mesh(20), (20, 80, 160, 240, 320, 400)))
BASELINES = {"tree [5]": {"scheme": "btin", "queued": True}, "btin": {"scheme": "btin"},
             "tree [4]": {"scheme": "tree"}, "star": {"scheme": "star"}}
WHERE, AFTER = "Figure 14", "Figure 14, section 4.3"

FIGURES = [Figure("pre-14", "preempt", lambda study: _pre.rounds(
    study, Data("Preempting barriers, Figure 14: rounds on meshes, X-Y routing"), PARTS,
    _pre.TIMINGS, BASELINES), "rounds on meshes, X-Y routing", [
    *(Printed(f"pre-14a{side}{letter}", WHERE,
              f"{side} x {side} mesh, {timing}, {side * side} members",
              _pre.first_by_later(panel, side * side), of="pre-12a")
      for side, panels in ((10, "abcd"), (20, "efgh"))
      for panel, letter, timing in zip(panels, "abcd", _pre.TIMINGS.values())),
    Printed("pre-14b", WHERE, "meshes", _pre.below("abcdefgh", _pre.LATER, "tree [4]"),
            of="pre-12c"),
    Printed("pre-14c", WHERE, "meshes, a fifth of the nodes and more", all_of(
                _pre.below("abcd", _pre.LATER, "star", start=20),
                _pre.below("efgh", _pre.LATER, "star", start=80)), of="pre-12d"),
    Printed("pre-14e", WHERE, "meshes", _pre.below("abcdefgh", _pre.FIRST, "tree [4]"),
            of="pre-12b1", why="With Tb = 16 the first round is below the baseline at all sizes. "
            "With the RTL's own hops it is above it with most of the nodes in the group: every "
            "member's first message passes one of the few links of the center."),
    Printed("pre-14g", AFTER, "the center is a bottleneck: the initialization overhead grows fast "
            "with the members (as pre-12g)", _pre.overheads),
    Printed("pre-14h", AFTER, "latency grows with the startup time as in pre-12h",
            _pre.startups),
    Printed("pre-14d1", AFTER,
            "after the first round ours approaches [5]: within a quarter of it, Tb = 16",
            _pre.below("cg", _pre.LATER, "tree [5]", by=1.25),
            why="With hops of 16 cycles, as in the paper. The paper's curves are not available."),
    Printed("pre-14d2", AFTER, "the RTL's own hops, Ts = 100",
            _pre.below("ae", _pre.LATER, "tree [5]", by=1.25), of="pre-14d1",
            why="Hops take 5 cycles in both switches, but a message of [5] is one flit and one of "
            "ours has two, which follow each other at each BSR node."),
    Printed("pre-14f", "Section 4.3",
            "the overhead of initialization is much smaller than that of [5]",
            verdict="not measurable", why="The paper does not give the cost of the initialization "
            "of [5], which it calls an update of global information, and its figure of both is not "
            "available. Our overhead is the first round, above."),
])]
