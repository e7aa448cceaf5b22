# SPDX-License-Identifier: Apache-2.0
"""Figures 13 and 15: later rounds among [held links](systems/preempting-switches.md#held-links), Ts
= 100: 60 and 255 members of 300 nodes, and 20 and 200 members of the 20 x 20 mesh. `btin`, whose
messages pass held links, is a comparison that the paper does not have. On the mesh the paper
compares the tree of [5]."""

from . import _pre, claims
from ._pre import irregular, mesh
from .kit import At, Figure, Printed, Series, all_of, of, of_curves

PREEMPTING = {f"bsr-{i}": {"scheme": f"bsr-{i}"} for i in (1, 2, 3)}
TREE, BTIN = {"tree [4]": {"scheme": "tree"}}, {"btin": {"scheme": "btin"}}
QUEUE = {"tree [5]": {"scheme": "btin", "queued": True}}


def short(figure, baseline, without, places, case):
    """A row: later rounds with the shortest congestion, and without (panel, panel, members)."""
    def holds(found):
        pairs = [(found[figure].value(among, name, _pre.DURATIONS[0]),
                  found[without].value(alone, other, size)._replace(x=0))
                 for among, alone, size in places
                 for name, other in (("bsr-1", _pre.LATER), (baseline, baseline))]
        return [claims.flat(Series("", list(pair)), 0.1) for pair in pairs]
    return Printed(f"{figure}d", f"Figure {figure[4:]}", "congestion of 10 cycles changes little "
                   f"(ours: switch I and the baseline are within a tenth of those without; {case})",
                   holds, figures=(without,))


def rise(panel, name):
    """Over the duration."""
    return of(claims.difference, *(At(panel, name, _pre.DURATIONS[end]) for end in (-1, 0)))


FIGURES = [
    Figure("pre-13", "preempt", lambda study: _pre.congestion(
        study, "Figure 13: congestion, N = 300", irregular(300), (60, 255),
        PREEMPTING | TREE | BTIN), "congestion on switches with three links", [
        *_pre.congested("pre-13", 60, "aec", "tree [4]"),
        *_pre.congested("pre-13", 255, "bfd", "tree [4]"),
        short("pre-13", "tree [4]", "pre-12",
              (("a", "a", 60), ("e", "c", 60), ("b", "a", 240), ("f", "c", 240)),
              "255 members beside 240 without"),
        Printed("pre-13e", "Section 4", "in congestion switches I and II are below [4]",
                all_of(*(_pre.below("abcdefgh", name, "tree [4]")
                         for name in ("bsr-1", "bsr-2")))),
        Printed("pre-13f", "Section 4.1", "of the switches III alone depends on the duration tau, "
                "and [4] rises much faster (ours: III by less than half as much)",
                all_of(of_curves(claims.rises, "abef", "bsr-3", by=1.2), *(
                    of(claims.below, rise(panel, "bsr-3"), rise(panel, "tree [4]"), by=0.5)
                    for panel in "abef")), verdict="differs", why="Held links hold all their "
                "channels for all of tau, p and p_f are 1, and with these equations (3) and (4) "
                "rise alike. Among data (pre-load) [4] takes more than III at every load.")]),
    Figure("pre-15", "preempt", lambda study: _pre.congestion(
        study, "Figure 15: congestion, 20 x 20 mesh", mesh(20), (20, 200),
        PREEMPTING | QUEUE | BTIN), "congestion on a mesh", [
        *_pre.congested("pre-15", 20, "aec", "tree [5]"),
        *_pre.congested("pre-15", 200, "bfd", "tree [5]"),
        short("pre-15", "tree [5]", "pre-14",
              (("a", "e", 20), ("e", "g", 20), ("b", "e", 160), ("f", "g", 160)),
              "200 members beside 160 without"),
        Printed("pre-15e", "Section 4", "in congestion switch I is below [5] (ours from 400 cycles "
                "on; at 10 cycles [5] is faster)",
                _pre.below("abef", "bsr-1", "tree [5]", start=400))])]
