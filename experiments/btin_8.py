# SPDX-License-Identifier: Apache-2.0
"""Section 5.2, Figure 8: the effect of the connectivity f, 256 nodes and 75 switches, measured as
Figure 6. The text of the paper says that more connectivity brings more gain, its factors say less.
With more links trees get lower, and the root node's link does not get faster; but the root switch
has more branches, which shortest paths use."""

from . import claims
from ._btin import (AROUND, OCCUPIED, OCCUPIES, SHORTEST, SMALL, BELOW_MULTICAST, further,
                    network_of, over_sizes)
from .kit import At, Figure, Printed, of

FIGURES = [Figure("btin-8", "btin", lambda study: over_sizes(
    study, "BTIN Figure 8: 256 nodes, 75 switches of 8 ports",
    {f"f = {100 * f:.0f} %": SMALL | {"connectivity": f} for f in (0.7, 0.9)}),
                  "latency over the group size by connectivity", [
    Printed("btin-8m1", "Figure 8", "measured", of="btin-8a",
            refused=lambda: network_of(SMALL | {"connectivity": 0.5})),
    Printed("btin-8d", "Figure 8", "BTIN is less sensitive to f than multicast: latency at 256, f "
            "= 70 % over 90 %, occupied inputs, arrivals on shortest paths",
            of(claims.below, *(of(claims.ratio, At("a", curve, 256), At("c", curve, 256))
                               for curve in ("btin, measured", f"multicast, {AROUND}, measured")))),
    Printed("btin-8e", "Figure 8",
            "BTIN's latency is below that of multicast at each f (ours from 16 members on)",
            BELOW_MULTICAST),
    Printed("btin-8f", "Figure 8", "the gain rises with f, 256 members",
            lambda data: [claims.below(At("e", way, 256)(data), At("g", way, 256)(data))
                          for way in ("measured", f"measured, {AROUND}")], verdict="differs",
            why="With free inputs it rises, on shortest paths with occupied inputs (btin-8s) it "
            "falls, as the paper's own factors do, which contradict this sentence."),
    Printed("btin-8g", "Figure 8",
            "BTIN is more scalable at each f: its latency grows less from 2 to 256 members",
            lambda data: [claims.below(*(claims.ratio(
                *(data.value(panel, f"{way}, measured", members) for members in (256, 2)))
                for way in ("btin", "multicast"))) for panel in "ac"]),
    *further(8, "m", "measured", {
        "b": (At("e", "measured", 256), "As btin-6m1."),
        "c": (At("g", "measured", 256), "As btin-6m1. With free inputs the ratio rises with f, as "
              "in a sentence of the paper; the paper's factors fall.")}, first=2),
    *further(8, "o", OCCUPIES, {
        "b": (At("e", f"measured, {OCCUPIED}", 256), "As btin-6o1."),
        "c": (At("g", f"measured, {OCCUPIED}", 256), "As btin-6o1. On our routes the ratio rises: "
              "more links reduce the height of BTIN's trees more than the messages at the busiest "
              "port of the root switch.")}),
    *further(8, "s", SHORTEST, {
        "b": (At("e", f"measured, {AROUND}", 256), "As btin-6s1."),
        "c": (At("g", f"measured, {AROUND}", 256), "As btin-6s1. The busiest port gets far fewer "
              "messages, and the ratio falls.")}),
])]
