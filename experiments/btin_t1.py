# SPDX-License-Identifier: Apache-2.0
"""Section 4.1, Theorem 1: the average height of a tree, its three forms and real trees, of networks
of two models; connectivity 75 %, 8-port switches. The last two forms of the theorem omit constants
of the form before the limit, and are far above real trees."""

import math

import muster

from . import claims
from ._btin import LARGE, SMALL, Points, add, name, sizes
from .kit import ROOT, At, Data, Figure, Printed, Series, of, of_curves

HEIGHT = "height (links between switches)"
UNIFORM, BOUND = "trees, model uniform", "log_b q"


def measure(study):
    data = Data("BTIN Theorem 1: 8-port switches, connectivity 75 %")
    for system in (SMALL, LARGE):
        curves = [Points(study, system | model, runs=False).curve(
            f"trees, model {kind}", lambda sample: sample["height"])
            for kind, model in (("uniform", {}), ("attachment", {"model": "attachment"}))]
        fk, q = system["connectivity"] * 8, system["switches"]
        log_base = math.log(fk - system["nodes"] / q - 1)
        for form, value in (("log_b n", lambda n: n), (BOUND, lambda n: q),
                            ("1 + log_b ((q - 1) / fk)", lambda n: (q - 1) / fk)):
            curves.append(Series.over(form, sizes(system), [
                form.startswith("1") + math.log(value(n)) / log_base for n in sizes(system)]))
        add(data, f"{name(system)} nodes/switches", HEIGHT, curves, log10_y=False)
    return data


def figure_2(_):
    """The tree of Figure 2, and by Figure 3 the roots of the least height."""
    network = ROOT / "topologies/figure1.json"
    tree = muster.tree(network, "paper")
    heights = [(muster.tree(network, "paper", root=root)["height"], root)
               for root in (0, 3, 4, 5, 6, 7)]
    return [tree["root_switch"] == 3, tree["root_node"] == "3:4", tree["height"] == 2,
            sorted(map(tuple, tree["edges"])) == [(1, 4), (1, 5), (3, 0), (3, 1), (3, 6), (3, 7)],
            [root for height, root in heights if height == 2] == [0, 3, 7]]


FIGURES = [Figure("btin-t1", "btin", measure, "tree height against Theorem 1", [
    Printed("btin-2", "Figures 2, 3", "Figure 1, 14 members: root switch 3, root node (3,4), "
            "children 0, 1, 6, 7 of 3 and 4, 5 of 1; three roots of the least height, 2", figure_2,
            why="Figure 1 is lost; the network is a reconstruction from these and all other "
            "statements of the text."),
    Printed("btin-t1g", "Theorem 1", "height O(log_b n): sizes quadrupled, more, log_b 4",
            of(claims.difference, At("b", UNIFORM, LARGE["nodes"]),
                At("a", UNIFORM, SMALL["nodes"])), 3.0, derived=True),
    Printed("btin-t1q", "Section 5.2", "the height is bounded by log_b q",
            of_curves(claims.below, "ab", UNIFORM, BOUND))])]
