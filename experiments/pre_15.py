# SPDX-License-Identifier: Apache-2.0
"""Figure 15: later rounds under congestion, 20 and 200 members of the 20 x 20 mesh, Ts = 100. In
none of our switches do messages of the tree of [5] queue with data, as in the paper's; units of
[4] in switches, with room for two messages, do."""

from . import _pre_curves as curves
from ._pre import mesh
from .kit import Data, Figure, Printed

QUEUE = "units [4], messages that queue with data"
SCHEMES = {"bsr-1": {"scheme": "bsr-1"}, "bsr-2": {"scheme": "bsr-2"},
           "bsr-3": {"scheme": "bsr-3"}, "btin": {"scheme": "btin"},
           QUEUE: {"scheme": "tree-units", "unit_buffer": 2}}


def measure(study):
    data = Data("Preempting barriers, Figure 15: congestion, 20 x 20 mesh, Ts = 100", [])
    curves.congestion(study, mesh(20), (20, 200), SCHEMES, data)
    return data


PASSES = ("Messages of the tree of [5] are one flit in our barrier switches and pass the data in "
          "the queues, so a channel held by data does not block them. In the paper's switches they "
          "queue with data. Barriers of units in switches, whose messages also queue with data, "
          "get slower with the congestion (pre-15q20, pre-15q200).")
FIGURE = Figure("pre-15", "preempt", measure, "congestion on a mesh", [
    row for members, panels in ((20, "aec"), (200, "bfd")) for row in (
        *curves.congested("pre-15", members, panels, "btin", PASSES),
        Printed(f"pre-15q{members}", "Figure 15", f"{members} members: barriers of units in "
                "switches, whose messages queue with data, rise with the duration of congestion",
                "sentence", curves.rises(*panels[:2], QUEUE),
                why="The paper's sentence is about the tree of [5]. These are messages of the tree "
                    "of [4], because no messages queue in the switches that have the tree of "
                    "[5]."))])
