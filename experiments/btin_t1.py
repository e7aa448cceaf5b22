# SPDX-License-Identifier: Apache-2.0
"""Section 4.1, Theorem 1: the average height of a tree, its three forms and real trees.

Trees of 100 random networks a point, of two models; connectivity 75 %, 8-port switches. The last
two forms of the theorem drop constants that the form before the limit has."""

import math

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


DROPPED = ("This form of the theorem drops constants that its proof has; the form before taking "
           "the limit fits the same trees.")


def rows(letter, system, values):
    """A row for each form of the theorem."""
    case = (f"{system['nodes']} nodes, {system['switches']} switches, all members: height of the "
            "tree")
    ours = At(letter, "trees, model uniform", system["nodes"])
    return [Printed(f"btin-t1{letter}{k}", "Theorem 1", f"{case} by {form}", value, ours,
                    verdict="differs" if k < 3 else None, why=DROPPED if k < 3 else None)
            for k, (form, value) in enumerate(zip(
                ("log_b n", "log_b q", "1 + log_b ((q - 1) / fk)"), values), 1)]


FIGURE = Figure("btin-t1", "btin", measure, "tree height against Theorem 1",
                rows("a", SMALL, (12.0, 9.4, 6.4)) + rows("b", LARGE, (15.0, 12.4, 9.5)))
