# SPDX-License-Identifier: Apache-2.0
"""Figures 13 and 15: later rounds under congestion, Ts = 100: 60 and 255 members of 300 nodes on
switches with three links, and 20 and 200 members of the 20 x 20 mesh. btin, whose messages pass
data, is in Figure 13 a comparison that the paper does not have. On the mesh the paper compares the
tree of [5], whose messages queue with data in its switches and in none of ours; units of [4] in
switches, with room for two messages, do."""

from . import _pre_curves as curves
from ._pre import irregular, mesh
from .kit import Data, Figure, Printed

PREEMPTING = {f"bsr-{i}": {"scheme": f"bsr-{i}"} for i in (1, 2, 3)}
TREE, BTIN = {"tree [4]": {"scheme": "tree"}}, {"btin": {"scheme": "btin"}}
QUEUE = "units [4], messages that queue with data"
UNITS = {QUEUE: {"scheme": "tree-units", "unit_buffer": 2}}


def measure_13(study):
    data = Data("Preempting barriers, Figure 13: congestion, N = 300, Ts = 100", [])
    curves.congestion(study, irregular(300), (60, 255), PREEMPTING | TREE | BTIN, data)
    return data


def measure_15(study):
    data = Data("Preempting barriers, Figure 15: congestion, 20 x 20 mesh, Ts = 100", [])
    curves.congestion(study, mesh(20), (20, 200), PREEMPTING | BTIN | UNITS, data)
    return data


PASSES = ("Messages of the tree of [5] are one flit in our barrier switches and pass the data in "
          "the queues, so a channel held by data does not block them. In the paper's switches they "
          "queue with data. Barriers of units in switches, whose messages also queue with data, "
          "get slower with the congestion (pre-15q20, pre-15q200).")
FIGURES = [
    Figure("pre-13", "preempt", measure_13, "congestion on switches with three links", [
        *curves.congested("pre-13", 60, "aec", "tree [4]"),
        *curves.congested("pre-13", 255, "bfd", "tree [4]")]),
    Figure("pre-15", "preempt", measure_15, "congestion on a mesh", [
        row for members, panels in ((20, "aec"), (200, "bfd")) for row in (
            *curves.congested("pre-15", members, panels, "btin", PASSES),
            Printed(f"pre-15q{members}", "Figure 15", f"{members} members: barriers of units in "
                    "switches, whose messages queue with data, rise with the duration of "
                    "congestion", "sentence", curves.rises(*panels[:2], QUEUE),
                    why="The paper's sentence is about the tree of [5]. These are messages of the "
                        "tree of [4], because no messages queue in the switches that have the "
                        "tree of [5]."))])]
