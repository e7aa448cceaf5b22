# SPDX-License-Identifier: Apache-2.0
"""Section 5.2, Figure 8: the effect of the connectivity f, 256 nodes and 75 switches.

Measured as Figure 6. The text of the paper says that more connectivity brings more gain, its
factors say less. f = 50 % cannot be built."""

from . import claims
from ._btin import SMALL, Points, described, latencies, network_of, ratios
from .kit import At, Data, Figure, Printed


def measure(study):
    data = Data("BTIN Figure 8: 256 nodes, 75 switches of 8 ports", [], described(study))
    found = [(Points(study, SMALL | {"connectivity": f}), f"f = {100 * f:.0f} %")
             for f in (0.7, 0.9)]
    for curves, letters in ((latencies, ("ab", "cd")), (ratios, ("ef", "gh"))):
        for (points, title), letter in zip(found, letters):
            data.panels += curves(points, letter, title)
    data.violations = sum(points.violations for points, _ in found)
    for curve in ("measured", f"measured, {OCCUPIED}", f"measured, {AROUND}"):
        few, many = (data.value(panel, curve, 256).y for panel in "eg")
        data.notes.append(f"From f = 70 % to 90 % the ratio {'falls' if many < few else 'rises'}, "
                          f"{curve}: {few:.2f} to {many:.2f}.")
    return data


OCCUPIED = "occupied inputs"
AROUND = f"{OCCUPIED}, routes around the root"


def row(number, case, printed, ours, why=None, mark=None):
    """A row; a `why` says that it differs."""
    return Printed(f"btin-8{number}", "Figure 8", case, printed, ours, mark=mark,
                   verdict="differs" if why else None, why=why)


def falls(curve):
    return lambda data: claims.below(data.value("g", curve, 256), data.value("e", curve, 256))


FIGURE = Figure("btin-8", "btin", measure, "latency over the group size by connectivity", [
    Printed("btin-8a", "Figure 8", "256 nodes, 75 switches, group 256, f = 50 %: multicast / BTIN",
            8.7, refused=lambda: network_of(SMALL | {"connectivity": 0.5}),
            verdict="not measurable",
            why="Such a network cannot be built: its 300 connected ports less 256 of nodes leave "
                "22 links, and 75 switches need 74."),
    row("b", "the same, f = 70 %", 4.1, At("e", "measured", 256), "As btin-6a.",
        mark="multicast / BTIN"),
    row("c", "the same, f = 90 %", 3.2, At("g", "measured", 256),
        "As btin-6a. With free inputs the ratio rises with f, as in a sentence of the paper, while "
        "the paper's factors fall.", mark="multicast / BTIN"),
    row("o1", "an input of a switch takes a header every t_r + t_p: 256/75, group 256, f = 70 %",
        4.1, At("e", f"measured, {OCCUPIED}", 256), "As btin-6o1."),
    row("o2", "the same, f = 90 %", 3.2, At("g", f"measured, {OCCUPIED}", 256), "As btin-6o1."),
    row("o3", "the same: the ratio falls from f = 70 % to 90 %, as the factors do", "sentence",
        falls(f"measured, {OCCUPIED}"),
        "On our routes the ratio rises: more links reduce the height of BTIN's trees more than the "
        "messages at the busiest port of the root switch. On shortest paths that port gets far "
        "fewer messages, and the ratio falls (btin-8s3)."),
    row("s1", "the same, arrivals on shortest paths: 256/75, group 256, f = 70 %", 4.1,
        At("e", f"measured, {AROUND}", 256), "As btin-6s1."),
    row("s2", "the same, f = 90 %", 3.2, At("g", f"measured, {AROUND}", 256), "As btin-6s1."),
    row("s3", "the same: the ratio falls from f = 70 % to 90 %, as the factors do", "sentence",
        falls(f"measured, {AROUND}")),
])
