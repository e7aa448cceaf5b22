# SPDX-License-Identifier: Apache-2.0
"""Curves that figures of the BTIN paper share: latencies and ratios, measured and by formula."""

from ._btin import HOP_NS, WAYS, panel


def way_us(links):
    return 2000 + links * 20 + (links + 1) * 300


def by_routes(sample, queue):
    return (way_us(sample["up"]) + max(0, queue - 1) * HOP_NS + way_us(sample["down"])) / 1000


CASES = {
    "no contention": lambda s: by_routes(s, 0),
    "fullest branch of the tree":
        lambda s: s["formula_us"] + max(0, s["branch"] - 1) * (HOP_NS / 1000),
    "busiest root port": lambda s: by_routes(s, s["busiest"]),
    "one-port root node": lambda s: by_routes(s, s["others"])}
RATIOS = {"measured": ("multicast", "btin"),
          "measured, occupied inputs": ("multicast, occupied inputs", "btin, occupied inputs"),
          "measured, occupied inputs, routes around the root":
              ("multicast, occupied inputs, routes around the root", "btin, occupied inputs")}


def latencies(points, letters, title):
    """Panels: measured, and by formula."""
    curves = [points.curve(f"{way}, measured", lambda s, w=way: s["measured"][w][0])
              for way in WAYS]
    formulas = [points.curve("btin, formula", lambda s: s["formula_us"]),
                *(points.curve(f"multicast, {case}", us) for case, us in CASES.items())]
    return [panel(letters[0], f"{title}, measured", "latency (us)", curves, log10_y=True),
            panel(letters[1], f"{title}, by formula", "latency (us)", formulas, log10_y=True)]


def ratios(points, letters, title):
    """Panels of multicast by BTIN: measured, and by formula."""
    curves = [points.curve(one, lambda s, a=a, b=b: s["measured"][a][0] / s["measured"][b][0])
              for one, (a, b) in RATIOS.items()]
    formulas = [points.curve(case, lambda s, us=us: us(s) / s["formula_us"])
                for case, us in CASES.items()]
    return [panel(letters[0], f"{title}, multicast / BTIN, measured", "latency ratio", curves,
                  log10_y=True),
            panel(letters[1], f"{title}, multicast / BTIN, by formula", "latency ratio", formulas,
                  log10_y=True)]
