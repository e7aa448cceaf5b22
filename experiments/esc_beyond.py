# SPDX-License-Identifier: Apache-2.0
"""Beyond the paper, two figures of delays over gamma ([policies](systems/esc.md#policies)). Hot
section beside schemes of others on the same boxes, 10 sessions a point. And hot section whose K
every PE chooses at run time, beside every fixed K, under a steady gamma and under one that changes
100 cycles after the mean, with most messages still to arrive; rings are at the best fixed K, the
choice with gamma known; 5 sessions a point."""

from ._esc import AVERAGES, Points, rate_sweep
from .kit import Figure, Series

REFERENCES = "bypass", "hot-section:4", "throttle:6", "adaptive", "combining"
SECTIONS = [f"hot-section:{sections}" for sections in (1, 2, 4, 8, 16, "auto")]
RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
CHANGE, SESSIONS = 3100, 5


def sections(study):
    data, _ = rate_sweep(study, "Extra Stage Cube, K chosen at run time: N = 256, n = 4, S = 12, "
                         "sigma = 10", SECTIONS, RATES, SESSIONS, log10_y=True)
    for before in (0.3, 0.8):
        points = Points(study, {policy: {"policy": policy, "rate": before} for policy in SECTIONS},
                        "rate_change", RATES, SESSIONS, lambda after: f"{CHANGE}:{after}")
        points.add(data, f"mu_BG(Tot), gamma {before} before cycle {CHANGE}",
                   AVERAGES["mu_BG(Tot)"], f"gamma from cycle {CHANGE} on")
    for letter in "bde":
        fixed = [one.points for one in data.panel(letter).series[:-1]]
        data.panel(letter).series.append(Series(
            "best fixed K", [min(points, key=lambda p: p.y) for points in zip(*fixed)], rings=True))
    return data


FIGURES = [
    Figure("esc-references", "esc", lambda study: rate_sweep(
        study, "Extra Stage Cube, hot section and references: N = 256, n = 4, S = 12, sigma = 10",
        REFERENCES, RATES[:-1], sessions=10, log10_y=True)[0],
           "delays over gamma, bypass and hot section beside schemes of others"),
    Figure("esc-sections", "esc", sections,
           "delays over gamma, hot section with K chosen at run time beside fixed ones")]
