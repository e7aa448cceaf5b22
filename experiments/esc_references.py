# SPDX-License-Identifier: Apache-2.0
"""Beyond the paper: hot section beside schemes of others on the same boxes, over gamma
(docs/systems/esc-references.md). 10 sessions a point."""

from ._esc import rate_sweep
from .kit import Figure


def measure(study):
    data, _ = rate_sweep(
        study, "Extra Stage Cube, hot section and references: N = 256, n = 4, S = 12, sigma = 10",
        ("bypass", "hot-section:4", "throttle:6", "adaptive", "combining"),
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), sessions=10)
    for panel in data.panels:
        panel.log10_y = True
    return data


FIGURE = Figure("esc-references", "esc", measure,
                "delays over gamma, bypass and hot section beside schemes of others")
