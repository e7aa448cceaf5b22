# SPDX-License-Identifier: Apache-2.0
"""Section 4.1, Figure 11: barrier latency by equations (1) to (4), over the size of the system and
the time tau that data stand.

Nothing is measured: the equations are the paper's as printed. With m = 2 (L - 1) each is
Ts + m Tb + m (Tb + w), and w what a hop waits for data on average: p^k Tp, p Tp,
p^k ((1 - pf) Tp + pf tau), p tau. So without data a barrier takes Ts and m Tb twice, though m
already counts the hops of both phases: twice what Theorem 2 bounds it by. The text names no more
than the variables; which of them the panels hold fixed, and where, is ours. p^k takes the k ports
of a switch for its virtual channels, so it is small, and BS_III comes out below BS_II up to a tau
that a note gives."""

from . import claims
from ._pre import add_panel
from .kit import Data, Figure, Point, Printed, Series

TS, TB, TP, P, PF, K = 100, 16, 6, 0.8, 0.2, 16
WAITS = {"BS_I, equation (1)": lambda tau: P ** K * TP,
         "BS_II, equation (2)": lambda tau: P * TP,
         "BS_III, equation (3)": lambda tau: P ** K * ((1 - PF) * TP + PF * tau),
         "Tree, equation (4)": lambda tau: P * tau}
ONE, TWO, THREE, TREE = WAITS
SIZES, TIMES = range(4, 21), range(0, 1001, 50)


def latency(scheme: str, levels: int, tau: float) -> float:
    hops = 2.0 * (levels - 1)
    return TS + hops * TB + hops * (TB + WAITS[scheme](tau))


def measure(study):
    data = Data(f"Preempting barriers, Figure 11: Ts = {TS}, Tb = {TB}, Tp = {TP}, p = {P}, "
                f"pf = {PF}, k = {K}", [])
    for title, label, xs, at in (
            ("irregular, tau = 100", "L (levels of the tree)", SIZES, lambda x: (x, 100)),
            ("irregular, L = 9", "tau (cycles)", TIMES, lambda x: (9, x)),
            ("n x n mesh, tau = 100", "n (L = n - 1)", [x + 1 for x in SIZES],
             lambda x: (x - 1, 100)),
            ("20 x 20 mesh, L = 19", "tau (cycles)", TIMES, lambda x: (19, x))):
        add_panel(data, title, label, "latency (cycles)",
                  [Series(scheme, [Point(x, latency(scheme, *at(x))) for x in xs])
                   for scheme in WAITS], log10_y=True)
    last = max(tau for tau in TIMES if latency(THREE, 9, tau) <= latency(TWO, 9, tau))
    data.notes = [f"BS_III is below BS_II up to tau = {last} at least, no longer at {last + 50}."]
    return data


def holds(data):
    one, two, three, tree = data.panel("b").series
    return [claims.flat(one, 0), claims.flat(two, 0), claims.rises(three), claims.rises(tree, 3),
            *(claims.below(ours, tree, start=50) for ours in (one, two, three))]


FIGURE = Figure("pre-11", "preempt", measure, "barrier latency by equations (1) to (4)", [
    Printed("pre-11", "Figure 11", "equations (1) to (4): switches I and II flat over the "
            "congestion, III and the tree not, the tree slowest from tau = 50 on", "curves", holds,
            why="The equations are evaluated as printed. The paper's curves are not available, so "
                "the comparison is with the statements of its text.")])
