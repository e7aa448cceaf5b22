# SPDX-License-Identifier: Apache-2.0
"""Section 4.1, Theorem 1: the average height of a tree, its three forms and real trees.

Trees of 100 random networks a point, of two models; connectivity 75 %, 8-port switches. The last
two forms of the theorem drop constants that the form before the limit has."""

import math

from . import claims
from ._btin import LARGE, NETWORKS, SMALL, Points, name, panel, sizes
from .kit import At, Data, Figure, Point, Printed, Series

HEIGHT = "height (links between switches)"


def measure(study):
    data = Data("BTIN Theorem 1: 8-port switches, connectivity 75 %", [],
                {"networks": f"{study.setting.sessions or NETWORKS} a point"})
    for letter, system in zip("ab", (SMALL, LARGE)):
        curves = [Points(study, system | model, runs=False).curve(
            f"trees, model {kind}", lambda sample: sample["height"])
            for kind, model in (("uniform", {}), ("attachment", {"model": "attachment"}))]
        fk, q = system["connectivity"] * 8, system["switches"]
        log_base = math.log(fk - system["nodes"] / q - 1)
        for form, value in (("log_b n", lambda n: n), ("log_b q", lambda n: q),
                            ("1 + log_b ((q - 1) / fk)", lambda n: (q - 1) / fk)):
            curves.append(Series(form, [
                Point(n, form.startswith("1") + math.log(value(n)) / log_base)
                for n in sizes(system)]))
        data.panels.append(panel(letter, f"{name(system)} nodes/switches", HEIGHT, curves))
        data.notes.append(f"{name(system)}, all nodes: " + ", ".join(
            f"{curve.name} {curve.points[-1].y:.2f}" for curve in curves) + ".")
    return data


def height(letter, system):
    return At(letter, "trees, model uniform", system["nodes"])


def row(number, system, value, ours):
    return Printed(f"btin-t1{number}", "Theorem 1", f"{system['nodes']} nodes, "
                   f"{system['switches']} switches, all members: height of the tree by "
                   "1 + log_b ((q - 1) / fk)", value, ours, derived=True)


def growth(data):
    return claims.difference(height("b", LARGE)(data), height("a", SMALL)(data))


FIGURE = Figure("btin-t1", "btin", measure, "tree height against Theorem 1", [
    row("a", SMALL, 6.4, height("a", SMALL)), row("b", LARGE, 9.5, height("b", LARGE)),
    Printed("btin-t1g", "Theorem 1", "height O(log_b n): sizes quadrupled, more, log_b 4", 3.0,
            growth, derived=True)])
