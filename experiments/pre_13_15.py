# SPDX-License-Identifier: Apache-2.0
"""Figures 13 and 15: later rounds under congestion, Ts = 100: 60 and 255 members of 300 nodes on
switches with three links, and 20 and 200 members of the 20 x 20 mesh. btin, whose messages pass
data, is a comparison that the paper does not have. On the mesh the paper compares the tree of [5],
whose messages queue with data: that is btin on switches with Queued."""

from . import _pre_curves as curves
from . import claims
from ._pre import irregular, mesh
from .kit import Data, Figure, Printed

PREEMPTING = {f"bsr-{i}": {"scheme": f"bsr-{i}"} for i in (1, 2, 3)}
TREE, BTIN = {"tree [4]": {"scheme": "tree"}}, {"btin": {"scheme": "btin"}}
QUEUE = {"tree [5]": {"scheme": "btin", "queued": True}}


def measure_13(study):
    data = Data("Preempting barriers, Figure 13: congestion, N = 300, Ts = 100", [])
    curves.congestion(study, irregular(300), (60, 255), PREEMPTING | TREE | BTIN, data)
    return data


def measure_15(study):
    data = Data("Preempting barriers, Figure 15: congestion, 20 x 20 mesh, Ts = 100", [])
    curves.congestion(study, mesh(20), (20, 200), PREEMPTING | QUEUE | BTIN, data)
    return data


def short(found):
    alone, among = found["pre-12"].panel("a"), found["pre-13"].panel("a")
    return [claims.below(among.curve(name).at(10), alone.curve(other).at(60), by=1.1)
            for name, other in (("bsr-1", curves.LATER), ("tree [4]", "tree [4]"))]


FIGURES = [
    Figure("pre-13", "preempt", measure_13, "congestion on switches with three links", [
        *curves.congested("pre-13", 60, "aec", "tree [4]"),
        Printed("pre-13d", "Figure 13", "60 members: congestion of 10 cycles changes little (ours: "
                "less than a tenth, switch I and the baseline)", "sentence", short,
                figures=("pre-12",)),
        *curves.congested("pre-13", 255, "bfd", "tree [4]")]),
    Figure("pre-15", "preempt", measure_15, "congestion on a mesh", [
        *curves.congested("pre-15", 20, "aec", "tree [5]"),
        *curves.congested("pre-15", 200, "bfd", "tree [5]")])]
